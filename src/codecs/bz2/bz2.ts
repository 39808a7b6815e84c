/**
 * numcodecs' `bz2` (bytes -> bytes): bzip2 streams, one behind the other; both checksums are verified. Read only: writing is an
 * UnsupportedError.
 * https://numcodecs.readthedocs.io/en/stable/compression/bz2.html, https://sourceware.org/bzip2/
 * Also `numcodecs.bz2`. Deviations: what follows the last stream is refused (Python ignores it), and so are the randomised blocks of
 * bzip2 before 0.9.5.
 * `{"id": "bz2", "level": 1}`; `level` says how the data were written, and is not looked at.
 */
import { CodecError, UnsupportedError } from "../../errors.js";
import type { BytesToBytesCodec, CodecEntry } from "../codec.js";
import { readNumcodecs } from "../configuration.js";
import { decodeIntoOutput } from "../output.js";
import { BZ2 } from "./bit-reader.js";
import { decodeBzip2 } from "./decode.js";

function refuseWriting(): never {
  throw new UnsupportedError("wazarr reads bz2 and does not write it: take zstd or gzip", { codec: BZ2 });
}

const entry: CodecEntry = {
  kind: "bytes_to_bytes",
  checkWriting: refuseWriting,
  fromConfig(configuration): BytesToBytesCodec {
    readNumcodecs(BZ2, configuration, ["level"]);
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      decode: (bytes, context) =>
        decodeIntoOutput(
          context,
          { estimate: 4 * bytes.length, maximum: Number.MAX_SAFE_INTEGER },
          (output) => decodeBzip2(output, bytes),
          (capacity) =>
            new CodecError(`expected bzip2 streams of at most ${capacity} bytes, got more`, { codec: BZ2 }),
        ),
      encode: refuseWriting,
    };
  },
};
export default entry;
