/**
 * The module that checks chunks before they are written. The export list is the ABI of src/kernels/filled.ts.
 */
export { repeats } from "./fill";
