// Elements of variable length: offsets and data, as in Arrow. Loaded with the first array of such a type;
// called from src/kernels/strings.ts, whose fallbacks give identical bits. The export list is the ABI.
export { checkOffsets, lengthsToOffsets, narrowOffsets, offsetsToLengths, widenOffsets } from "./strings-offsets";
export { deinterleave, gatherElements, gatherOffsets, interleave } from "./strings-elements";
export { isAscii, utf16Offsets, utf8Offsets } from "./strings-text";
