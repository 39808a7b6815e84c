/** The module of chunks to be written. The export list is the ABI of src/kernels/filled.ts. */
export { repeats } from "./fill";
