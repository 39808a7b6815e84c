// The module that encodes blosc, lz4 and shuffle, loaded before something is first written. The export list
// is the ABI of src/core/codecs/blosc/encode/encode.ts.
export { lz_encode } from "./lz-encode";
export { lz4_encode_high } from "./lz4-encode-high";
export { shuffle } from "./shuffle";
export { bitshuffle } from "./bitshuffle";
