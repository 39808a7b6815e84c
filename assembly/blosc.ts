// The module that decodes blosc, lz4 and shuffle. The export list is the ABI of
// src/core/codecs/blosc/kernels.ts. Decoders take (dst, dstCapacity, src, srcLength), lz4 also `wanted`. They
// access no other memory, and return a count or a negative failure.
export { lz4_decode as lz4 } from "./lz4";
export { snappy_decode as snappy } from "./snappy";
export { blosclz_decode as blosclz } from "./blosclz";
export { unshuffle, unshuffle_spread } from "./shuffle";
export { bitunshuffle } from "./bitshuffle";
