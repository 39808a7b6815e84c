/** What kernels.ts loads where there is no WASM, or no room in its memory. */
export { bitunshuffle } from "./bitshuffle.js";
export { decodeBlosclz } from "./blosclz-decode.js";
export { decodeLz4 } from "./lz4-decode.js";
export { unshuffle } from "./shuffle.js";
export { decodeSnappy } from "./snappy-decode.js";
