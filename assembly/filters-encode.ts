// Kernels of the filters that change values, for writing: conventions as in filters.ts, loaded before the
// first write.
export {
  deltaEncode8, deltaEncode16, deltaEncode32, deltaEncode64, deltaEncodeF32, deltaEncodeF64,
} from "./filters-delta";
export {
  bitroundFloat16, bitroundFloat32, bitroundFloat64,
  bitroundInteger8, bitroundInteger16, bitroundInteger32, bitroundInteger64,
} from "./filters-bitround";
export { quantizeF32, quantizeF64, scaleF32, scaleF64 } from "./filters-affine";
export {
  roundScaleF32I8, roundScaleF32U8, roundScaleF32I16, roundScaleF32U16, roundScaleF32I32, roundScaleF32U32,
  roundScaleF64I8, roundScaleF64U8, roundScaleF64I16, roundScaleF64U16, roundScaleF64I32, roundScaleF64U32,
  roundScaleF32F32, roundScaleF64F64,
} from "./filters-round-scale";
