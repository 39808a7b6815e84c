// The module of the blosc, lz4 and shuffle codecs. The export list is the ABI of src/codecs/blosc/kernels.ts. Decoders take
// (dst, dstCapacity, src, srcLength), never read or write outside of either, and return a count or a negative failure.
export { lz4_decode } from "./lz4";
export { snappy_decode } from "./snappy";
export { blosclz_decode } from "./blosclz";
export { lz_encode } from "./lz-encode";
export { lz4_encode_high } from "./lz4-encode-high";
export { shuffle, unshuffle } from "./shuffle";
export { bitshuffle, bitunshuffle } from "./bitshuffle";
