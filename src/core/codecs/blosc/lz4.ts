/**
 * numcodecs' `lz4` (bytes -> bytes): the decoded length as a little-endian i32, then one LZ4 block. Not the
 * LZ4 frame format. https://numcodecs.readthedocs.io/en/stable/compression/lz4.html `{"id": "lz4",
 * "acceleration": 1}`; acceleration is used for writing only, and values below 1 count as 1.
 */
import { CodecError } from "../../../base/errors.js";
import type { JsonObject } from "../../../metadata/json.js";
import type { BytesToBytesCodec, CodecEntry, DecodeContext } from "../codec.js";
import { readConfiguration, readInteger, writeSettings } from "../configuration.js";
import { DecodedTooLong } from "../decoder-result.js";
import { LZ_WORKSPACE } from "./formats.js";
import { bloscEncoder, bloscKernels, bloscOperand, expectDecoded, loadBloscKernels } from "./kernels.js";

const CODEC = "lz4";
const HEADER_LENGTH = 4;
const MAXIMUM_ACCELERATION = 65537;
/** One byte adds at most 255 to a match length: no block expands further. */
const MAXIMUM_EXPANSION = 255;

const lz4: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { only: "numcodecs", defaults: () => ({ acceleration: 1 }), level: "acceleration" },
  load: loadBloscKernels,
  checkWriting(configuration) {
    readAcceleration(configuration);
  },
  fromConfig(configuration): BytesToBytesCodec {
    readConfiguration(CODEC, configuration, ["acceleration"]);
    const acceleration = writeSettings(() => readAcceleration(configuration), 1);
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      scratchByteLength: LZ_WORKSPACE,
      decode,
      decodeRange: (bytes, start, end, context) => decode(bytes, context, end).subarray(start, end),
      encode: (bytes, { kernels }) => bloscEncoder.get().encodeLz4(bytes, kernels, acceleration.get()),
    };
  },
};
export default lz4;

function readAcceleration(configuration: JsonObject): number {
  const range = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1, absent: 1 };
  const acceleration = readInteger(CODEC, configuration, "acceleration", range);
  return Math.min(Math.max(acceleration, 1), MAXIMUM_ACCELERATION);
}

/** @param enough bytes that are needed; damage in sequences beyond them goes unnoticed */
function decode(
  bytes: Uint8Array,
  { kernels, byteLength, maximumByteLength }: DecodeContext,
  enough?: number,
): Uint8Array {
  if (bytes.length <= HEADER_LENGTH) {
    throw new CodecError(
      `expected a header of ${HEADER_LENGTH} bytes and an LZ4 block, got ${bytes.length} bytes`,
      { codec: CODEC, offset: 0 },
    );
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset, HEADER_LENGTH).getUint32(0, true);
  const block = bytes.length - HEADER_LENGTH;
  const maximum = Math.min(maximumByteLength, block * MAXIMUM_EXPANSION);
  if (length > maximum || (byteLength !== undefined && length !== byteLength)) {
    const expected = length > maximum ? `at most ${maximum}` : byteLength;
    const message = `expected a value of ${expected} decoded bytes, got one that claims ${length}`;
    throw new DecodedTooLong(message, maximum, { codec: CODEC, offset: 0 });
  }
  const target = kernels.allocate(length);
  const mark = kernels.mark();
  const source = bloscOperand(kernels, bytes.subarray(HEADER_LENGTH));
  const result = bloscKernels(kernels).lz4(target, source, enough);
  kernels.release(mark);
  expectDecoded(result, enough ?? length, "LZ4", CODEC, HEADER_LENGTH);
  return target;
}
