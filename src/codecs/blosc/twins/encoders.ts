/** The encoders' twins, loaded where there is no WASM: most pages only read. */
export { encodeLz } from "./lz-encode.js";
export { encodeLz4High } from "./lz4-encode-high.js";
