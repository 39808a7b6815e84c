import { interleavedCodec } from "./interleaved.js";

export default interleavedCodec("zarrs.vlen_v2");
