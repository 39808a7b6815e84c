/** What codecs of zarrita's interface use of the codecs of this package: columns of v2 and v3. */
export {
  decodeInterleaved,
  encodeInterleaved,
  interleavedColumns,
} from "./variable-length/interleaved.js";
