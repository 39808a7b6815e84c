import { interleavedCodec } from "./interleaved.js";

export default interleavedCodec("vlen-bytes");
