// Kernels of the filters that change values, for reading: delta, scale and offset. Loaded with the first such
// codec; called from src/codecs/filters/kernels.ts, whose fallbacks give identical bits. The export list is
// the ABI. All take (dst, src, n, ...) with n in elements. Operands may lie at any address and do not
// overlap.
export {
  deltaDecode8, deltaDecode16, deltaDecode32, deltaDecode64, deltaDecodeF32, deltaDecodeF64,
} from "./filters-delta";
export { unscaleF32, unscaleF64 } from "./filters-affine";
export {
  unscaleI8F32, unscaleU8F32, unscaleI16F32, unscaleU16F32, unscaleI32F32, unscaleU32F32,
  unscaleI8F64, unscaleU8F64, unscaleI16F64, unscaleU16F64, unscaleI32F64, unscaleU32F64,
} from "./filters-unscale";
