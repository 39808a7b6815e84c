/**
 * The module that every array needs: byte order and strided copies. The export list is the ABI of
 * src/kernels/wasm.ts.
 */
export { copy } from "./copy";
export { swap } from "./swap";
