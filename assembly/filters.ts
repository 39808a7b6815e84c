// Kernels of the filters that change values: delta, bitround, quantize, scale and offset. Loaded with the first such codec; called from
// src/codecs/filters/kernels.ts, whose twins give identical bits. The export list is the ABI. All take (dst, src, n, ...) with n in
// elements; operands lie at any address and do not overlap.
export {
  deltaEncode8, deltaEncode16, deltaEncode32, deltaEncode64, deltaEncodeF32, deltaEncodeF64,
  deltaDecode8, deltaDecode16, deltaDecode32, deltaDecode64, deltaDecodeF32, deltaDecodeF64,
} from "./filters-delta";
export {
  bitroundFloat16, bitroundFloat32, bitroundFloat64,
  bitroundInteger8, bitroundInteger16, bitroundInteger32, bitroundInteger64,
} from "./filters-bitround";
export { quantizeF32, quantizeF64, scaleF32, scaleF64, unscaleF32, unscaleF64 } from "./filters-affine";
export {
  roundScaleF32I8, roundScaleF32U8, roundScaleF32I16, roundScaleF32U16, roundScaleF32I32, roundScaleF32U32,
  roundScaleF64I8, roundScaleF64U8, roundScaleF64I16, roundScaleF64U16, roundScaleF64I32, roundScaleF64U32,
  roundScaleF32F32, roundScaleF64F64,
} from "./filters-round-scale";
export {
  unscaleI8F32, unscaleU8F32, unscaleI16F32, unscaleU16F32, unscaleI32F32, unscaleU32F32,
  unscaleI8F64, unscaleU8F64, unscaleI16F64, unscaleU16F64, unscaleI32F64, unscaleU32F64,
} from "./filters-unscale";
