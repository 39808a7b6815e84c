/**
 * `zarrs.optional` (array -> bytes, experimental), for the data type of this name: a mask of the present
 * elements, and these elements, each encoded with codecs of its own.
 * https://docs.rs/zarrs/latest/zarrs/array/codec/array_to_bytes/optional/index.html
 *
 *     u64 length of the encoded mask | u64 length of the encoded elements | mask | elements
 *
 * (little-endian). The mask is an array of bool with the chunk's shape. The elements are a one-dimensional
 * array of the inner type, as long as the number of present elements; without any, they take 0 bytes and
 * `data_codecs` do not run. `{"name": "zarrs.optional", "configuration": {"mask_codecs": [{"name":
 * "packbits"}],
 *   "data_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}`
 */
import {
  type ArrayToBytesCodec,
  type AsynchronousCodec,
  bool,
  byteAt,
  bytesOf,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  type CodecMetadata,
  columnOf,
  concatenate,
  concatenated,
  countOf,
  type DataType,
  type DecodeBound,
  decodeTexts,
  decodeWhole,
  encodeTexts,
  encodeWhole,
  HERE,
  InvalidMetadataError,
  int32View,
  isOptional,
  type Kernels,
  loadStrings,
  type PipelinePlace,
  type PlainColumn,
  plain,
  readCodecs,
  readConfiguration,
  type Strings,
  type VariableCodec,
} from "../../core/for-codecs.js";
import { objectsOf } from "./objects.js";
import { naming } from "./zarrs-vlen-codecs.js";

const CODEC = "zarrs.optional";
const HEADER = 16;
const NOTHING = new Uint8Array(0);

const optional: CodecEntry = {
  codecKind: "array_to_bytes",
  forms: { only: "v3" },
  fromConfig() {
    throw new InvalidMetadataError("this codec cannot be used without an array", { codec: CODEC });
  },
  async prepare({ configuration }, place): Promise<ArrayToBytesCodec> {
    const { spec, kernels, prepareCodecs } = place;
    readConfiguration(CODEC, configuration, ["mask_codecs", "data_codecs"]);
    if (!isOptional(spec.dataType)) {
      throw new InvalidMetadataError(`expected data type ${CODEC}, got ${spec.dataType.name}`, {
        codec: CODEC,
        member: "data_type",
      });
    }
    const maskCodecs = readCodecs(CODEC, configuration, "mask_codecs");
    const dataCodecs = readCodecs(CODEC, configuration, "data_codecs");
    // Reports unknown codecs now. Whether codecs fit the elements depends on each chunk's number of present
    // elements.
    await place.expectCodecs(dataCodecs);
    const maskSpec: ChunkSpec = { shape: spec.shape, dataType: bool, fillValue: false };
    const maskPipeline = await prepareCodecs(maskCodecs, maskSpec, kernels);
    const mask: Chain = {
      decode: (bytes, _, kernels) => decodeWhole(maskPipeline, maskSpec, bytes, kernels),
      encode: (elements, _, kernels) => encodeWhole(maskPipeline, maskSpec, elements, kernels),
    };
    const { inner } = spec.dataType;
    const count = countOf(spec);
    if (inner.itemSize > 0) {
      const same = (elements: Uint8Array): Uint8Array => elements;
      const asynchronous = around(
        count,
        mask,
        fixedChain(dataCodecs, inner, place),
        fixedParts(inner.itemSize),
      );
      return { kind: "array_to_bytes", decode: same, encode: same, asynchronous };
    }
    const strings = await loadStrings(kernels);
    const chain = variableChain(dataCodecs, inner, place, strings);
    return {
      kind: "array_to_bytes",
      variable: variableOf(count, inner, strings),
      // `asynchronous` and `variable` exchange the mask, one byte for each element, followed by the column of
      // the present elements.
      asynchronous: around(count, mask, chain, {
        join: (mask, elements) => concatenate([mask, elements]),
        mask: (joined) => joined.subarray(0, count),
        elements: (joined) => joined.subarray(count),
      }),
    };
  },
};
export default optional;

/** A list of codecs. @param count number of elements */
interface Chain {
  decode(bytes: Uint8Array, count: number, kernels: Kernels, at: DecodeBound): Promise<Uint8Array>;
  encode(elements: Uint8Array, count: number, kernels: Kernels): Promise<Uint8Array>;
}

/**
 * Joins the mask (one byte for each element) and the present elements to the bytes that the pipeline
 * exchanges, and splits these.
 */
interface Parts {
  join(mask: Uint8Array, elements: Uint8Array): Uint8Array;
  mask(joined: Uint8Array): Uint8Array;
  elements(joined: Uint8Array, mask: Uint8Array, count: number): Uint8Array;
}

function around(count: number, mask: Chain, data: Chain, parts: Parts): AsynchronousCodec {
  return {
    async decode(bytes, kernels, at) {
      const encoded = split(bytes);
      const isThere = await naming("mask_codecs", () => mask.decode(encoded.mask, count, kernels, at));
      const there = countThere(isThere);
      const elements =
        there === 0
          ? NOTHING
          : await naming("data_codecs", () => data.decode(encoded.data, there, kernels, at));
      return parts.join(isThere, elements);
    },
    async encode(joined, kernels) {
      const isThere = parts.mask(joined);
      const there = countThere(isThere);
      const elements = parts.elements(joined, isThere, there);
      const encodedMask = await naming("mask_codecs", () => mask.encode(isThere, count, kernels));
      const encoded =
        there === 0 ? NOTHING : await naming("data_codecs", () => data.encode(elements, there, kernels));
      const header = new Uint8Array(HEADER);
      const view = new DataView(header.buffer);
      view.setUint32(0, encodedMask.length, true);
      view.setUint32(8, encoded.length, true);
      return concatenate([header, encodedMask, encoded]);
    },
  };
}

/** @throws CodecError if the lengths in the header do not add up to the chunk's */
function split(bytes: Uint8Array): { readonly mask: Uint8Array; readonly data: Uint8Array } {
  if (bytes.length < HEADER) throw new CodecError(`expected at least ${HEADER} bytes, got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = (at: number): number => view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  const [mask, data] = [length(0), length(8)];
  if (HEADER + mask + data !== bytes.length) {
    throw new CodecError(
      `expected ${HEADER} + ${mask} + ${data} bytes of header, mask and elements, got ${bytes.length}`,
    );
  }
  return { mask: bytes.subarray(HEADER, HEADER + mask), data: bytes.subarray(HEADER + mask) };
}

function countThere(mask: Uint8Array): number {
  let count = 0;
  for (const byte of mask) if (byte !== 0) count++;
  return count;
}

/** For elements of fixed size: each element follows its byte of the mask. */
function fixedParts(innerSize: number): Parts {
  const itemSize = innerSize + 1;
  return {
    join(mask, elements) {
      const joined = new Uint8Array(mask.length * itemSize);
      let from = 0;
      for (let i = 0; i < mask.length; i++) {
        if (mask[i] === 0) continue;
        joined[i * itemSize] = 1;
        for (let k = 1; k < itemSize; k++) {
          joined[i * itemSize + k] = byteAt(elements, from);
          from++;
        }
      }
      return joined;
    },
    mask: (joined) =>
      Uint8Array.from({ length: joined.length / itemSize }, (_, i) => (joined[i * itemSize] === 0 ? 0 : 1)),
    elements(joined, mask, count) {
      const elements = new Uint8Array(count * innerSize);
      let to = 0;
      for (let i = 0; i < mask.length; i++) {
        if (mask[i] === 0) continue;
        for (let k = 1; k < itemSize; k++) {
          const at = i * itemSize + k;
          elements[to++] = byteAt(joined, at);
        }
      }
      return elements;
    },
  };
}

function specOf(dataType: DataType, count: number): ChunkSpec {
  const { itemSize, defaultScalar } = dataType;
  const zeros = itemSize === 0 ? defaultScalar : dataType.readScalar(new Uint8Array(itemSize));
  return { shape: [count], dataType, fillValue: zeros };
}

function fixedChain(
  codecs: readonly CodecMetadata[],
  inner: DataType,
  { prepareCodecs }: PipelinePlace,
): Chain {
  return {
    async decode(bytes, count, kernels) {
      const spec = specOf(inner, count);
      return decodeWhole(await prepareCodecs(codecs, spec, kernels), spec, bytes, kernels);
    },
    async encode(elements, count, kernels) {
      const spec = specOf(inner, count);
      return encodeWhole(await prepareCodecs(codecs, spec, kernels), spec, elements, kernels);
    },
  };
}

/** For elements of variable length, as the bytes of a column: 32-bit offsets, then the data. */
function variableChain(
  codecs: readonly CodecMetadata[],
  inner: DataType,
  { prepareCodecs }: PipelinePlace,
  strings: Strings,
): Chain {
  const prepare = async (count: number, kernels: Kernels) => {
    const pipeline = await prepareCodecs(codecs, specOf(inner, count), kernels);
    if (pipeline.variable !== undefined) return { ...pipeline, variable: pipeline.variable };
    throw new CodecError("elements of variable length cannot be read from shards here");
  };
  return {
    async decode(bytes, count, kernels, { maximumDecodedBytes }) {
      const here = { ...HERE, maximumDecodedBytes };
      const pipeline = await prepare(count, kernels);
      const unwrapped = pipeline.asynchronous
        ? await pipeline.asynchronous.decode(bytes, kernels, here)
        : bytes;
      return kernels.within(pipeline.scratch(2 * unwrapped.length), () => {
        const decoded = pipeline.decode(unwrapped, kernels, here);
        return joinColumn(plain(strings, columnOf(pipeline.variable.decode(decoded, kernels, here))));
      });
    },
    async encode(elements, count, kernels) {
      const pipeline = await prepare(count, kernels);
      const encoded = kernels.within(pipeline.scratch(2 * elements.length), () => {
        const stored = pipeline.variable.encode(splitColumn(elements, count), kernels, HERE);
        return pipeline.encode(stored, kernels, HERE).slice();
      });
      return pipeline.asynchronous ? pipeline.asynchronous.encode(encoded, kernels, HERE) : encoded;
    },
  };
}

function joinColumn({ offsets, data }: PlainColumn): Uint8Array {
  return concatenate([new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength), data]);
}

function splitColumn(bytes: Uint8Array, count: number): PlainColumn {
  const end = 4 * (count + 1);
  return { offsets: int32View(bytes.subarray(0, end)), data: bytes.subarray(end) };
}

/** Converts between the values of a chunk (null for missing ones) and the mask followed by a column. */
function variableOf(count: number, inner: DataType, strings: Strings): VariableCodec {
  const isText = inner.variable?.endsWith("text") === true;
  return {
    decode(bytes) {
      const mask = bytes.subarray(0, count);
      const there = countThere(mask);
      if (there === 0) return new Array<null>(count).fill(null);
      const column = splitColumn(bytes.subarray(count), there);
      const values = isText
        ? decodeTexts(strings, column, "error")
        : bytesOf({ ...column, data: column.data.slice() });
      let next = 0;
      return Array.from(mask, (byte) => (byte === 0 ? null : values[next++]));
    },
    encode(elements) {
      const values = objectsOf(elements);
      const mask = Uint8Array.from(values, (value) => (value === null ? 0 : 1));
      const there = values.filter((value) => value !== null);
      if (there.length === 0) return mask;
      const column = isText
        ? encodeTexts(
            strings,
            there.map((value) => String(value)),
          )
        : concatenated(there.filter((value) => value instanceof Uint8Array));
      return concatenate([mask, joinColumn(plain(strings, column))]);
    },
  };
}
