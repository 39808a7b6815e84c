/**
 * `conditional` (bytes -> bytes): a list of codecs, and a bit mask at the start of each chunk that says which
 * of them were applied to it. https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/conditional
 * `codecs` are bytes-to-bytes codecs; `header_bits` is the length of the mask, a multiple of 8 (by default
 * the least that fits). Bit 0, the lowest of the first byte, is the first codec. The writer chooses the
 * codecs of each chunk: wazarr applies a codec whose result has a fixed length (checksums, shuffles) always,
 * and any other codec if it shortens its input.
 * `{"name": "conditional", "configuration": {"codecs": [{"name": "zstd", "configuration": {"level": 5}}]}}`
 */
import {
  type BytesToBytesCodec,
  byteAt,
  type CodecEntry,
  CodecError,
  type DecodeContext,
  type EncodeContext,
  InvalidMetadataError,
  type JsonObject,
  maximumEncoded,
  product,
  readCodecs,
  readConfiguration,
  wrongMember,
} from "../../core/for-codecs.js";

const CODEC = "conditional";

const entry: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { only: "v3" },
  fromConfig() {
    throw new InvalidMetadataError("this codec cannot be used without an array", { codec: CODEC });
  },
  async prepare({ configuration }, { spec, kernels, prepareCodec }): Promise<BytesToBytesCodec> {
    readConfiguration(CODEC, configuration, ["codecs", "header_bits"]);
    const metadata = readCodecs(CODEC, configuration, "codecs");
    const codecs = await Promise.all(
      metadata.map(async (each, i) => {
        const codec = await prepareCodec(each, spec, kernels);
        if (codec.kind === "array_to_array" || codec.kind === "array_to_bytes") {
          throw wrongMember(CODEC, `codecs[${i}]`, "bytes-to-bytes codecs", each.name);
        }
        return codec;
      }),
    );
    const headerLength = readHeaderBits(configuration, codecs.length) / 8;
    const byteLength = product(spec.shape) * spec.dataType.itemSize;
    const scratchByteLength = codecs.reduce(
      (sum, codec) => sum + byteLength + (codec.scratchByteLength ?? 0),
      headerLength,
    );
    const shared = { kind: "bytes_to_bytes", scratchByteLength } as const;
    if (codecs.every(({ synchronous }) => synchronous === true)) {
      return {
        ...shared,
        synchronous: true,
        decode: (bytes, context) => finish(decodeSteps(codecs, headerLength, bytes, context)),
        encode: (bytes, context) => finish(encodeSteps(codecs, headerLength, bytes, context)),
      };
    }
    return {
      ...shared,
      decode: (bytes, context) => finishLater(decodeSteps(codecs, headerLength, bytes, context)),
      encode: (bytes, context) => finishLater(encodeSteps(codecs, headerLength, bytes, context)),
    };
  },
};
export default entry;

function readHeaderBits({ header_bits: json }: JsonObject, codecs: number): number {
  const least = Math.ceil(codecs / 8) * 8;
  if (json === undefined) return least;
  if (
    typeof json === "number" &&
    Number.isInteger(json) &&
    json % 8 === 0 &&
    json >= least &&
    json <= 2 ** 16
  ) {
    return json;
  }
  throw wrongMember(CODEC, "header_bits", `a multiple of 8 from ${least} on`, json);
}

type Bytes = Uint8Array | Promise<Uint8Array>;
/**
 * Yields the result of each codec, bytes or a promise, and is resumed with the bytes: one loop for
 * synchronous and asynchronous codecs.
 */
type Steps = Generator<Bytes, Uint8Array, Uint8Array>;

function finish(steps: Steps): Uint8Array {
  let step = steps.next();
  while (step.done !== true) {
    if (step.value instanceof Promise) {
      throw new CodecError("a codec marked synchronous returned a promise", { codec: CODEC });
    }
    step = steps.next(step.value);
  }
  return step.value;
}
async function finishLater(steps: Steps): Promise<Uint8Array> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await step.value);
  return step.value;
}

const isApplied = (mask: Uint8Array, i: number): boolean => ((byteAt(mask, i >> 3) >> (i & 7)) & 1) === 1;

function* decodeSteps(
  codecs: readonly BytesToBytesCodec[],
  headerLength: number,
  bytes: Uint8Array,
  { kernels, byteLength, maximumByteLength }: DecodeContext,
): Steps {
  if (bytes.length < headerLength) {
    throw new CodecError(`expected ${headerLength} bytes of mask, got ${bytes.length}`, { codec: CODEC });
  }
  for (let i = codecs.length; i < 8 * headerLength; i++) {
    if (!isApplied(bytes, i)) continue;
    throw new CodecError(`expected a mask for ${codecs.length} codecs, got one with bit ${i} set`, {
      codec: CODEC,
      offset: i >> 3,
    });
  }
  // The decoded length of each applied codec follows from the decoded length of the whole, in encoding order.
  let exact = byteLength;
  let maximum = maximumByteLength;
  const applied = codecs.flatMap((codec, i) => {
    if (!isApplied(bytes, i)) return [];
    const step = { codec, context: { kernels, byteLength: exact, maximumByteLength: maximum } };
    exact = exact === undefined ? undefined : codec.encodedByteLength?.(exact);
    maximum = exact ?? maximumEncoded(maximum);
    return [step];
  });
  let current = bytes.subarray(headerLength);
  for (const { codec, context } of applied.reverse()) current = yield codec.decode(current, context);
  return current;
}

function* encodeSteps(
  codecs: readonly BytesToBytesCodec[],
  headerLength: number,
  bytes: Uint8Array,
  context: EncodeContext,
): Steps {
  const mask = new Uint8Array(headerLength);
  let current = bytes;
  for (const [i, codec] of codecs.entries()) {
    const encoded: Uint8Array = yield codec.encode(current, context);
    const always = codec.encodedByteLength?.(current.length) !== undefined;
    if (!always && encoded.length >= current.length) continue;
    mask[i >> 3] = byteAt(mask, i >> 3) | (1 << (i & 7));
    current = encoded;
  }
  const encoded = new Uint8Array(headerLength + current.length);
  encoded.set(mask);
  encoded.set(current, headerLength);
  return encoded;
}
