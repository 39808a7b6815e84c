// Conversions of elements that JavaScript has no typed array for: half floats, UTF-32 text, packed bits. Loaded when one is
// needed; called from src/kernels/elements.ts, whose twins give identical bits. The export list is the ABI.
export { bfloat16ToFloat, floatToBfloat16, floatToHalf, halfToFloat } from "./float-conversion";
export { normaliseBooleans, packBits, unpackBits } from "./bits";
export { utf32ToUtf16 } from "./utf32";
