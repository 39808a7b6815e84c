/** What kernels.ts loads where there is no WASM, or no room in its memory. */
export { bitunshuffle } from "./bitshuffle.js";
export { decodeBlosclz as blosclz } from "./blosclz-decode.js";
export { decodeLz4 as lz4 } from "./lz4-decode.js";
export { unshuffle, unshuffleSpread } from "./shuffle.js";
export { decodeSnappy as snappy } from "./snappy-decode.js";
