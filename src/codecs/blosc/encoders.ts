/** What encoder.ts loads. */
export { encodeLz4 } from "../lz4-encode.js";
export { encodeChunk } from "./encode.js";
export { bloscEncodeKernels, encodeOperand, loadBloscEncodeKernels } from "./encode-kernels.js";
