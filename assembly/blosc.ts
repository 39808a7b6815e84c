// The module that decodes blosc, lz4 and shuffle. The export list is the ABI of src/codecs/blosc/kernels.ts. Decoders take
// (dst, dstCapacity, src, srcLength), never read or write outside of either, and return a count or a negative failure.
export { lz4_decode } from "./lz4";
export { snappy_decode } from "./snappy";
export { blosclz_decode } from "./blosclz";
export { unshuffle } from "./shuffle";
export { bitunshuffle } from "./bitshuffle";
