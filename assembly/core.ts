/** The module every array needs: byte order, strided copies, fill. The export list is the ABI of src/kernels/wasm.ts. */
export { copy } from "./copy";
export { repeats } from "./fill";
export { swap } from "./swap";
