import { interleavedCodec } from "./interleaved.js";

export default interleavedCodec("vlen-utf8");
