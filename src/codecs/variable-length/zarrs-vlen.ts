/**
 * `zarrs.vlen` (array -> bytes, experimental): offsets and data of the elements, each encoded with codecs of
 * its own. https://docs.rs/zarrs/latest/zarrs/array/codec/array_to_bytes/vlen/index.html
 *
 *     start:  u64 length of the encoded index (little-endian) | index | data
 *     end:    data | index | u64 length of the encoded index
 *
 * The index is an array of n + 1 unsigned offsets for n elements, the data an array of uint8; both take any
 * codecs that v3 allows for such arrays. Data of length 0 are not encoded. Configuration 0.0 has no
 * `index_location`, which means "start"; 0.1 requires it. Single elements can be read by byte ranges if
 * `data_codecs` leave the data unchanged.
 * Alias: `https://codec.zarrs.dev/array_to_bytes/vlen`.
 * `{"name": "zarrs.vlen", "configuration": {"index_codecs": [{"name": "bytes", "configuration": {"endian":
 * "little"}}],
 *   "data_codecs": [{"name": "bytes"}], "index_data_type": "uint32", "index_location": "end"}}`
 */
import {
  type ArrayToBytesCodec,
  type AsynchronousCodec,
  adviceFor,
  at,
  type CodecEntry,
  CodecError,
  checkColumnType,
  checkOffsets,
  columnOf,
  concatenate,
  countOf,
  type DecodeBound,
  InvalidMetadataError,
  int32View,
  int64View,
  loadStrings,
  maximumDecoded,
  type Pipeline,
  type PlainColumn,
  plain,
  readChoice,
  readCodecs,
  readConfiguration,
  type Strings,
  type VariableCodec,
  type VariableElements,
  type VariablePartial,
} from "../../core/for-codecs.js";
import { type Chain, type ChainNow, isAsStored, prepareData, prepareIndex } from "./zarrs-vlen-codecs.js";

const CODEC = "zarrs.vlen";
/** Bytes of the u64 that is the length of the encoded index. */
const LENGTH_BYTES = 8;
const NOTHING = new Uint8Array(0);

type IndexLocation = "start" | "end";

const vlen: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { only: "v3" },
  fromConfig() {
    throw new InvalidMetadataError("this codec cannot be used without an array", { codec: CODEC });
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
    const indexDataType = readChoice(CODEC, configuration, "index_data_type", ["uint32", "uint64"]);
    const location = readChoice(CODEC, configuration, "index_location", ["start", "end"], "start");
    const indexCodecs = readCodecs(CODEC, configuration, "index_codecs");
    const dataCodecs = readCodecs(CODEC, configuration, "data_codecs");
    const entries = countOf(spec) + 1;
    const { pipeline, ...index } = await prepareIndex(indexCodecs, indexDataType, entries, place);
    const data = await prepareData(dataCodecs, place);
    const width = indexDataType === "uint64" ? 8 : 4;
    const layout = { entries, width, location, strings: await loadStrings(kernels) } as const;
    const partial = isAsStored(dataCodecs) ? partialOf(layout, index, pipeline) : undefined;
    const codec =
      index.now === undefined || data.now === undefined
        ? asynchronousCodec(layout, index, data)
        : {
            variable: codecNow(layout, index.now, data.now),
            scratchByteLength: index.now.scratchByteLength + data.now.scratchByteLength,
          };
    return { ...codec, kind: "array_to_bytes", variable: { ...codec.variable, partial } };
  },
};
export default vlen;

interface VlenLayout {
  /** Number of offsets in the index: one more than elements. */
  readonly entries: number;
  /** Bytes of an offset. */
  readonly width: 4 | 8;
  readonly location: IndexLocation;
  readonly strings: Strings;
}

/** The codec if both chains are synchronous. */
function codecNow(layout: VlenLayout, index: ChainNow, data: ChainNow): VariableCodec {
  const { location } = layout;
  return {
    decode(bytes, kernels, at) {
      const parts = splitChunk(bytes, location);
      const offsets = readOffsets(layout, index.decode(parts.index, indexLength(layout), kernels));
      const byteLength = boundedEnd(offsets, bytes, at);
      if (byteLength === 0 && parts.data.length === 0) return { offsets, data: NOTHING };
      return columnOfParts(offsets, data.decode(parts.data, byteLength, kernels));
    },
    encode(elements, kernels) {
      const mark = kernels.mark();
      const column = plain(layout.strings, columnOf(elements));
      // Copied out of the arena, because encoding the data may use all of it.
      const encodedIndex = index.encode(writeOffsets(layout, column), kernels).slice();
      const encodedData = column.data.length === 0 ? NOTHING : data.encode(column.data, kernels);
      const whole = joinChunk(encodedIndex, encodedData, location);
      kernels.release(mark);
      return whole;
    },
  };
}

/**
 * The codec if any chain is asynchronous. `asynchronous` and `variable` exchange the decoded parts of a
 * chunk: the offsets in memory's byte order, followed by the data.
 */
function asynchronousCodec(
  layout: VlenLayout,
  index: Chain,
  data: Chain,
): { readonly variable: VariableCodec; readonly asynchronous: AsynchronousCodec } {
  const { location } = layout;
  const dataStart = indexLength(layout);
  return {
    variable: {
      decode: (bytes) =>
        columnOfParts(readOffsets(layout, bytes.subarray(0, dataStart)), bytes.subarray(dataStart)),
      encode(elements: VariableElements) {
        const column = plain(layout.strings, columnOf(elements));
        return concatenate([writeOffsets(layout, column), column.data]);
      },
    },
    asynchronous: {
      async decode(bytes, kernels, at) {
        const parts = splitChunk(bytes, location);
        const stored = await index.decode(parts.index, dataStart, kernels);
        const byteLength = boundedEnd(readOffsets(layout, stored), bytes, at);
        const isNothing = byteLength === 0 && parts.data.length === 0;
        const decoded = isNothing ? NOTHING : await data.decode(parts.data, byteLength, kernels);
        return concatenate([stored, decoded]);
      },
      async encode(bytes, kernels) {
        const encodedIndex = await index.encode(bytes.subarray(0, dataStart), kernels);
        const elements = bytes.subarray(dataStart);
        const encodedData = elements.length === 0 ? NOTHING : await data.encode(elements, kernels);
        return joinChunk(encodedIndex, encodedData, location);
      },
    },
  };
}

function indexLength({ entries, width }: VlenLayout): number {
  return entries * width;
}

/** @throws CodecError with the element for invalid offsets, and for more than 2 GiB of data */
function readOffsets({ width, strings }: VlenLayout, stored: Uint8Array): Int32Array {
  const offsets = width === 8 ? int64View(stored) : int32View(stored);
  checkOffsets(strings, offsets, Number.MAX_SAFE_INTEGER);
  return plain(strings, { offsets, data: NOTHING }).offsets;
}

function writeOffsets({ width, strings }: VlenLayout, { offsets }: PlainColumn): Uint8Array {
  if (width === 4) return new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const wide = new BigInt64Array(offsets.length);
  strings.widenOffsets(wide, offsets);
  return new Uint8Array(wide.buffer);
}

function endOf(offsets: Int32Array): number {
  return at(offsets, offsets.length - 1);
}

/** The length of the data by the last offset. @throws CodecError if it exceeds the limit for the chunk */
function boundedEnd(offsets: Int32Array, bytes: Uint8Array, at: DecodeBound): number {
  const end = endOf(offsets);
  const maximum = maximumDecoded(at, bytes.length);
  if (end <= maximum) return end;
  throw new CodecError(
    `expected at most ${maximum} bytes of data, got offsets that end at ${end}; ${adviceFor(bytes.length)}`,
  );
}

function columnOfParts(offsets: Int32Array, data: Uint8Array): PlainColumn {
  const end = endOf(offsets);
  if (data.length === end) return { offsets, data };
  throw new CodecError(`expected ${end} bytes of data, as the last offset says, got ${data.length}`);
}

/** @throws CodecError for an index that is longer than the chunk */
function splitChunk(
  bytes: Uint8Array,
  location: IndexLocation,
): { readonly index: Uint8Array; readonly data: Uint8Array } {
  const rest = bytes.length - LENGTH_BYTES;
  const length = readIndexLength(bytes, location);
  if (length > rest) {
    throw new CodecError(`expected an index of at most ${rest} bytes, got a length of ${length}`, {
      offset: location === "start" ? 0 : rest,
    });
  }
  const end = LENGTH_BYTES + length;
  return location === "start"
    ? { index: bytes.subarray(LENGTH_BYTES, end), data: bytes.subarray(end) }
    : { index: bytes.subarray(rest - length, rest), data: bytes.subarray(0, rest - length) };
}

function joinChunk(index: Uint8Array, data: Uint8Array, location: IndexLocation): Uint8Array {
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, index.length, true);
  return concatenate(location === "start" ? [length, index, data] : [data, index, length]);
}

/**
 * Reads the index length at the start or end of the chunk. Beyond 2^53 it is not exact, but still larger than
 * any chunk.
 * @throws CodecError for fewer than 8 bytes
 */
function readIndexLength(bytes: Uint8Array, location: IndexLocation): number {
  if (bytes.length < LENGTH_BYTES) {
    throw new CodecError(
      `expected at least the ${LENGTH_BYTES} bytes of the index length, got ${bytes.length}`,
    );
  }
  const at = location === "start" ? 0 : bytes.length - LENGTH_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, LENGTH_BYTES);
  return view.getUint32(4, true) * 2 ** 32 + view.getUint32(0, true);
}

/**
 * Assumed limit of the encoded bytes of one offset. The worst case is an inner chunk of one offset: it has an
 * entry in a shard's index, and a compressor's overhead. A longer index is an error before any request for
 * it.
 */
const MOST_BYTES = 256;

/**
 * Locates single elements by reading only the index: one request if its encoded length is fixed, else two.
 * @param pipeline the pipeline of `index_codecs`
 */
function partialOf(layout: VlenLayout, index: Chain, { encodedByteLength }: Pipeline): VariablePartial {
  const { location, entries } = layout;
  return {
    codec: CODEC,
    async locate(source, kernels) {
      const first = await source.edge(location, LENGTH_BYTES + (encodedByteLength ?? 0));
      if (first === undefined) return undefined;
      const length = readIndexLength(first, location);
      const most = (encodedByteLength ?? entries * MOST_BYTES) + 65536;
      if (length > most) {
        throw new CodecError(`expected an index of at most ${most} bytes, got a length of ${length}`);
      }
      const end = LENGTH_BYTES + length;
      const bytes = first.length >= end ? first : await source.edge(location, end);
      if (bytes === undefined || bytes.length < end) {
        throw new CodecError(
          `expected an index of ${length} bytes, got ${(bytes?.length ?? 0) - LENGTH_BYTES}`,
        );
      }
      const encoded =
        location === "start"
          ? bytes.subarray(LENGTH_BYTES, end)
          : bytes.subarray(bytes.length - end, bytes.length - LENGTH_BYTES);
      const stored = await index.decode(encoded, indexLength(layout), kernels);
      return {
        offsets: readOffsets(layout, stored),
        dataStart: location === "start" ? end : 0,
      };
    },
  };
}
