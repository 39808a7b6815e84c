/**
 * `zarrs.vlen` (array -> bytes, experimental): offsets and data of the elements, each through codecs of its own.
 * https://docs.rs/zarrs/latest/zarrs/array/codec/array_to_bytes/vlen/index.html
 *
 *     start:  u64 length of the encoded index (little-endian) | index | data
 *     end:    data | index | u64 length of the encoded index
 *
 * The index is n + 1 unsigned offsets as a one-dimensional array. Data of length 0 are not encoded at all. Configuration 0.0 has no
 * `index_location`, which means "start"; 0.1 requires it. Elements can be read alone where the data are not compressed.
 * Alias: `https://codec.zarrs.dev/array_to_bytes/vlen`.
 * Deviation: `data_codecs` begin with `bytes`; other array codecs on plain bytes are not supported.
 * `{"name": "zarrs.vlen", "configuration": {"index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
 *   "data_codecs": [{"name": "bytes"}], "index_data_type": "uint32", "index_location": "end"}}`
 */

import { describe } from "../../data-types/describe.js";
import { parseDataType } from "../../data-types/registry.js";
import { CodecError, InvalidMetadataError, UnsupportedError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import { loadStrings, type Strings } from "../../kernels/strings.js";
import type { CodecMetadata } from "../../metadata/model.js";
import type {
  ArrayToBytesCodec,
  BytesToBytesCodec,
  ChunkSpec,
  CodecEntry,
  Pipeline,
  PipelinePlace,
  RangeSource,
} from "../codec.js";
import { readCodecs } from "../codec-list.js";
import { readConfiguration } from "../configuration.js";
import { checkColumnType, checkOffsets, columnOf, countOf, type PlainColumn, plain } from "./columns.js";

const CODEC = "zarrs.vlen";
const LENGTH_BYTES = 8;
const HERE = { key: "", chunk: [] };
/** See stage.ts. */
const MAXIMUM_BYTES = 2 ** 32;

const vlen: CodecEntry = {
  kind: "array_to_bytes",
  fromConfig() {
    throw new InvalidMetadataError("a vlen codec is prepared with its inner codecs", { codec: CODEC });
  },
  async prepare({ configuration }, place): Promise<ArrayToBytesCodec> {
    const { spec, kernels } = place;
    readConfiguration(CODEC, configuration, [
      "index_codecs",
      "data_codecs",
      "index_data_type",
      "index_location",
    ]);
    checkColumnType(CODEC, spec);
    const { index_data_type: indexDataType, index_location: location = "start" } = configuration;
    if (indexDataType !== "uint32" && indexDataType !== "uint64") {
      throw invalid("index_data_type", 'expected "uint32" or "uint64"', indexDataType);
    }
    if (location !== "start" && location !== "end") {
      throw invalid("index_location", 'expected "start" or "end"', location);
    }
    const count = countOf(spec);
    const indexCodecs = readCodecs(configuration.index_codecs, CODEC, "configuration.index_codecs");
    const dataCodecs = readCodecs(configuration.data_codecs, CODEC, "configuration.data_codecs");
    const index = await place.prepareCodecs(
      indexCodecs,
      {
        shape: [count + 1],
        dataType: parseDataType(indexDataType),
        fillValue: indexDataType === "uint64" ? 0n : 0,
      },
      kernels,
    );
    if (index.asynchronous || index.sharding !== undefined) throw unsupported("index_codecs");
    const layout: Layout = {
      count,
      width: indexDataType === "uint64" ? 8 : 4,
      location,
      index,
      data: await prepareData(dataCodecs, place),
      strings: await loadStrings(kernels),
    };
    return {
      kind: "array_to_bytes",
      variable: {
        decode: (bytes, kernels) => decode(layout, bytes, kernels),
        encode: (elements, kernels) => encode(layout, plain(layout.strings, columnOf(elements)), kernels),
        partial:
          layout.data.length > 0
            ? undefined
            : { locate: (source, kernels) => locate(layout, source, kernels) },
      },
    };
  },
};
export default vlen;

interface Layout {
  readonly count: number;
  /** Bytes of an offset. */
  readonly width: 4 | 8;
  readonly location: "start" | "end";
  readonly index: Pipeline;
  /** Codecs on the data, in encoding order; without `bytes`, which leaves them as they are. */
  readonly data: readonly { readonly name: string; readonly codec: BytesToBytesCodec }[];
  readonly strings: Strings;
}

async function prepareData(codecs: readonly CodecMetadata[], place: PipelinePlace): Promise<Layout["data"]> {
  const [first, ...others] = codecs;
  if (first?.name !== "bytes") throw unsupported("data_codecs");
  const spec: ChunkSpec = { shape: [1], dataType: parseDataType("uint8"), fillValue: 0 };
  return Promise.all(
    others.map(async (metadata) => {
      const codec = await place.prepareCodec(metadata, spec, place.kernels);
      if (codec.kind === "array_to_array" || codec.kind === "array_to_bytes") {
        throw invalid("data_codecs", "expected codecs on bytes after bytes", metadata.name);
      }
      if (codec.synchronous !== true) throw unsupported("data_codecs");
      return { name: metadata.name, codec };
    }),
  );
}

function invalid(member: string, expected: string, got: unknown): InvalidMetadataError {
  return new InvalidMetadataError(`${expected}, got ${describe(got)}`, {
    codec: CODEC,
    member: `configuration.${member}`,
  });
}

function unsupported(member: string): UnsupportedError {
  return new UnsupportedError(
    "expected bytes and then synchronous codecs on bytes, which is all that wazarr runs inside a vlen codec, got others",
    { codec: CODEC, member: `configuration.${member}` },
  );
}

function decode(layout: Layout, bytes: Uint8Array, kernels: Kernels): PlainColumn {
  const { location } = layout;
  const rest = bytes.length - LENGTH_BYTES;
  if (rest < 0) {
    throw new CodecError(
      `expected at least the ${LENGTH_BYTES} bytes of the index length, got ${bytes.length}`,
    );
  }
  const indexLength = readLength(bytes, location === "start" ? 0 : rest);
  if (indexLength > rest) {
    throw new CodecError(`expected an index of at most ${rest} bytes, got a length of ${indexLength}`, {
      offset: location === "start" ? 0 : rest,
    });
  }
  const [indexStart, dataStart] =
    location === "start" ? [LENGTH_BYTES, LENGTH_BYTES + indexLength] : [rest - indexLength, 0];
  const offsets = decodeIndex(layout, bytes.subarray(indexStart, indexStart + indexLength), kernels);
  const dataEnd = location === "start" ? bytes.length : indexStart;
  const data = decodeData(
    layout,
    bytes.subarray(dataStart, dataEnd),
    Number(offsets[layout.count] ?? 0),
    kernels,
  );
  checkOffsets(layout.strings, offsets, data.length);
  return plain(layout.strings, { offsets, data });
}

/** u64; beyond 2^53 any number that is too large. */
function readLength(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, LENGTH_BYTES);
  return view.getUint32(4, true) * 2 ** 32 + view.getUint32(0, true);
}

/** The offsets in memory of their own; not checked. */
function decodeIndex(
  { index, count, width }: Layout,
  bytes: Uint8Array,
  kernels: Kernels,
): Int32Array | BigInt64Array {
  const mark = kernels.mark();
  const stored = storedIndex();
  const offsets = width === 8 ? new BigInt64Array(count + 1) : new Int32Array(count + 1);
  const target = new Uint8Array(offsets.buffer);
  if (index.swapUnit === 1) target.set(stored);
  else kernels.swap(target, stored, index.swapUnit);
  kernels.release(mark);
  return offsets;

  function storedIndex(): Uint8Array {
    try {
      return index.decode(bytes, kernels, HERE);
    } catch (error) {
      // Where the chunk is, only the pipeline around this codec knows.
      throw error instanceof CodecError ? new CodecError(`index: ${error.reason}`, { cause: error }) : error;
    }
  }
}

function decodeData({ data }: Layout, bytes: Uint8Array, byteLength: number, kernels: Kernels): Uint8Array {
  let current = bytes;
  // Data of length 0 are not encoded; a writer that did all the same is read, too.
  if (byteLength !== 0 || bytes.length > 0) {
    for (const [i, { name, codec }] of [...data.entries()].toReversed()) {
      const context = {
        kernels,
        byteLength: i === 0 ? byteLength : undefined,
        maximumByteLength: MAXIMUM_BYTES,
      };
      const decoded = codec.decode(current, context);
      if (!(decoded instanceof Uint8Array))
        throw new CodecError("a codec marked synchronous returned a promise", { codec: name });
      current = decoded;
    }
  }
  if (current.length !== byteLength) {
    throw new CodecError(
      `expected ${byteLength} bytes of data, as the last offset says, got ${current.length}`,
    );
  }
  return current;
}

function encode(layout: Layout, { offsets, data }: PlainColumn, kernels: Kernels): Uint8Array {
  const { index, width, strings, location } = layout;
  const stored = new Uint8Array(offsets.length * width);
  if (width === 8) strings.widenOffsets(new BigInt64Array(stored.buffer), offsets);
  else new Int32Array(stored.buffer).set(offsets);
  if (index.swapUnit > 1) kernels.swap(stored, stored, index.swapUnit);
  const mark = kernels.mark();
  const encodedIndex = index.encode(stored, kernels, HERE);
  let encodedData = data;
  for (const { codec, name } of data.length === 0 ? [] : layout.data) {
    const encoded = codec.encode(encodedData, { kernels });
    if (!(encoded instanceof Uint8Array))
      throw new CodecError("a codec marked synchronous returned a promise", { codec: name });
    encodedData = encoded;
  }
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, encodedIndex.length, true);
  const parts =
    location === "start" ? [length, encodedIndex, encodedData] : [encodedData, encodedIndex, length];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  kernels.release(mark);
  return whole;
}

/** Reads the index alone: in one request where its encoded length is fixed. */
async function locate(
  layout: Layout,
  source: RangeSource,
  kernels: Kernels,
): Promise<{ readonly offsets: Int32Array; readonly dataStart: number } | undefined> {
  const { location, index, strings } = layout;
  const expected = index.encodedByteLength;
  const first = await source.edge(location, LENGTH_BYTES + (expected ?? 0));
  if (first === undefined) return undefined;
  const lengthAt = (bytes: Uint8Array): number => (location === "start" ? 0 : bytes.length - LENGTH_BYTES);
  if (first.length < LENGTH_BYTES) {
    throw new CodecError(
      `expected at least the ${LENGTH_BYTES} bytes of the index length, got ${first.length}`,
    );
  }
  const indexLength = readLength(first, lengthAt(first));
  // An encoded index is not ten times as long as what it says; a claim of more is not asked the store for.
  const most = (expected ?? index.byteLength * 2) + 65536;
  if (indexLength > most) {
    throw new CodecError(`expected an index of at most ${most} bytes, got a length of ${indexLength}`);
  }
  const wanted = LENGTH_BYTES + indexLength;
  const bytes = first.length >= wanted ? first : await source.edge(location, wanted);
  if (bytes === undefined || bytes.length < wanted) {
    throw new CodecError(
      `expected an index of ${indexLength} bytes, got ${(bytes?.length ?? 0) - LENGTH_BYTES}`,
    );
  }
  const start = location === "start" ? LENGTH_BYTES : bytes.length - wanted;
  kernels.begin(4 * index.byteLength + index.scratchByteLength + 65536);
  const offsets = decodeIndex(layout, bytes.subarray(start, start + indexLength), kernels);
  checkOffsets(strings, offsets, Number.MAX_SAFE_INTEGER);
  const { offsets: narrow } = plain(strings, { offsets, data: new Uint8Array(0) });
  return { offsets: narrow, dataStart: location === "start" ? wanted : 0 };
}
