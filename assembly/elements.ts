// Conversions of elements that have no JavaScript typed array: half floats, UTF-32 text, packed bits. Loaded
// with the first such array; called from src/kernels/elements.ts, whose fallbacks give identical bits. The
// export list is the ABI.
export { bfloat16ToFloat, floatToBfloat16, floatToHalf, halfToFloat } from "./float-conversion";
export { normaliseBooleans, packBits, unpackBits } from "./bits";
export { utf32ToUtf16 } from "./utf32";
