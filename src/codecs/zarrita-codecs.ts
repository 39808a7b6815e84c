/**
 * Array codecs of zarrita's interface. They take and return chunks (`data`, `shape`, `stride`); wazarr's
 * codecs work on bytes of elements. They may be asynchronous, so consecutive ones and all codecs after them
 * become one codec with `ahead`. As in zarrita, the codecs after them store `data` in its order in memory,
 * whatever `stride` says. A transpose before them gives them chunks with permuted strides, and takes the
 * `data` that they decode in its order in memory.
 */
import type { DataType } from "../data-types/data-type.js";
import { parseDataType } from "../data-types/registry.js";
import { CodecError, describe, type InvalidMetadataError, isZarrError, UnsupportedError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { CodecMetadata } from "../metadata/model.js";
import { cOrderStrides, product } from "../shape.js";
import type { Awaitable } from "../stores/store.js";
import { untranspose } from "./array-stage.js";
import {
  type AheadCodec,
  type ArrayToBytesCodec,
  type ChunkMetadata,
  type ChunkSpec,
  type CodecChunk,
  type CodecEntry,
  chunkMetadata,
  type PipelinePlace,
  type ZarritaArrayCodec,
  type ZarritaCodecEntry,
} from "./codec.js";
import { planStoredCopy, runStoredCopy } from "./layout.js";
import type { Pipeline } from "./pipeline.js";
import { decodeWhole, encodeWhole } from "./sharding/whole-shards.js";
import { bytesOf, concatenated, countOf } from "./variable-length/columns.js";
import { decodeInterleaved, encodeInterleaved, interleavedColumns } from "./variable-length/interleaved.js";

interface Step<Kind extends ZarritaArrayCodec["kind"]> {
  readonly name: string;
  readonly codec: Extract<ZarritaArrayCodec, { readonly kind: Kind }>;
}
interface Loaded {
  readonly metadata: CodecMetadata;
  readonly entry: CodecEntry | ZarritaCodecEntry;
}
/**
 * Converts between chunks and bytes: a zarrita codec, or the pipeline of wazarr's codecs after the zarrita
 * codecs.
 */
interface Serializer {
  decode(bytes: Uint8Array, kernels: Kernels): Promise<CodecChunk>;
  encode(chunk: CodecChunk, kernels: Kernels): Promise<Uint8Array>;
}

/**
 * Makes the codec that replaces all of `loaded`, or those up to an array-to-bytes codec of zarrita's
 * interface.
 * @param first the instance of the first codec
 * @param meta metadata that the first codec got
 * @param prepareRest prepares a pipeline of the codecs from index `from` on
 */
export async function prepareChunkCodecs(
  first: ZarritaArrayCodec,
  loaded: readonly Loaded[],
  meta: ChunkMetadata,
  place: PipelinePlace,
  prepareRest: (from: number, spec: ChunkSpec) => Promise<Pipeline>,
): Promise<ArrayToBytesCodec> {
  const { spec, decoded, transposes } = place;
  const filters: Step<"array_to_array">[] = [];
  let told = meta;
  let last: Step<"array_to_bytes"> | undefined;
  for (const [i, { metadata, entry }] of loaded.entries()) {
    if (entry.kind !== undefined) break;
    const codec = i === 0 ? first : entry.fromConfig(metadata.configuration, told);
    if (codec.kind === "array_to_bytes") last = { name: metadata.name, codec };
    if (codec.kind !== "array_to_array") break;
    filters.push({ name: metadata.name, codec });
    told = codec.getEncodedMeta?.(told) ?? told;
  }
  const encoded = encodedSpec(told, meta, spec);
  const isTransposed = transposes !== undefined && transposes.length > 0;
  const layout = isTransposed ? transposed(decoded, transposes) : contiguous(spec);
  if (spec.dataType.itemSize === 0) {
    if (filters.length > 0 || last === undefined) throw onlyFixed(filters[0]?.name ?? "", spec);
    return variableCodec(last, spec, layout);
  }
  const serializer =
    last === undefined
      ? restOf(await prepareRest(filters.length, encoded), encoded, contiguous(told))
      : serializerOf(last);
  return {
    kind: "array_to_bytes",
    count: last === undefined ? loaded.length : filters.length + 1,
    ahead: {
      async decode(bytes, kernels) {
        let chunk = await serializer.decode(bytes, kernels);
        for (const { name, codec } of filters.toReversed()) {
          const given = chunk;
          chunk = await run(name, () => codec.decode(given));
        }
        return (isTransposed && inMemory(chunk, spec)) || toElements(chunk, spec, layout, kernels);
      },
      async encode(elements, kernels) {
        // Copied because a zarrita codec may modify its input, and `elements` belongs to the engine.
        let chunk = toChunk(elements.slice(), spec.dataType, layout);
        for (const { name, codec } of filters) {
          const given = chunk;
          chunk = await run(name, () => codec.encode(given));
        }
        return serializer.encode(chunk, kernels);
      },
    },
  };
}

/** The array after a zarrita codec, for checks before an array is created. */
export function encodedSpecOf(entry: ZarritaCodecEntry, metadata: CodecMetadata, spec: ChunkSpec): ChunkSpec {
  const meta = chunkMetadata(spec, [metadata]);
  const codec = entry.fromConfig(metadata.configuration, meta);
  if (codec.kind !== "array_to_array") return spec;
  return encodedSpec(codec.getEncodedMeta?.(meta) ?? meta, meta, spec);
}

/** @throws UnknownDataTypeError for an unknown data type name */
function encodedSpec(told: ChunkMetadata, meta: ChunkMetadata, spec: ChunkSpec): ChunkSpec {
  if (told === meta) return spec;
  const dataType =
    told.dataType === meta.dataType ? spec.dataType : parseDataType(told.dataType.replace(/^v2:/, "<"));
  const { fillValue } = told;
  return {
    ...spec,
    dataType,
    shape: told.shape.join() === meta.shape.join() ? spec.shape : told.shape,
    fillValue:
      fillValue === meta.fillValue ? spec.fillValue : (fillValue ?? undefined) && dataType.cast(fillValue),
  };
}

/** Shape and strides of a chunk's elements; strides count elements. */
interface Layout {
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}
function contiguous({ shape }: Pick<ChunkSpec, "shape">): Layout {
  return { shape, stride: cOrderStrides(shape, 1) };
}
/** The layout of a transposed chunk in zarrita: the shape stays, only the strides change. */
function transposed(
  { shape }: ChunkSpec,
  transposes: readonly { readonly order: readonly number[] }[],
): Layout {
  const stored = transposes.reduce((lengths, { order }) => order.map((d) => lengths[d] ?? 1), shape);
  const stride = transposes.reduceRight(
    (strides, { order }) => untranspose(strides, order),
    cOrderStrides(stored, 1),
  );
  return { shape, stride };
}

function serializerOf({ name, codec }: Step<"array_to_bytes">): Serializer {
  return {
    decode: (bytes) => run(name, () => codec.decode(bytes)),
    async encode(chunk) {
      const bytes = await run(name, () => codec.encode(chunk));
      if (bytes instanceof Uint8Array) return bytes;
      throw new CodecError(`expected bytes, got ${describe(bytes)}`, { codec: name });
    },
  };
}

function restOf(pipeline: Pipeline, spec: ChunkSpec, layout: Layout): Serializer {
  return {
    async decode(bytes, kernels) {
      const elements = await decodeWhole(pipeline, spec, bytes, kernels);
      // Copied because a codec may modify its input, and typed arrays need elements at multiples of their
      // size.
      return toChunk(elements.buffer === bytes.buffer ? elements.slice() : elements, spec.dataType, layout);
    },
    async encode(chunk, kernels) {
      const elements = inMemory(chunk, spec) ?? toElements(chunk, spec, layout, kernels);
      return encodeWhole(pipeline, spec, elements, kernels);
    },
  };
}

async function run<Result>(codec: string, work: () => Awaitable<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (isZarrError(cause)) throw cause;
    throw new CodecError(`codec failed: ${cause instanceof Error ? cause.message : cause}`, { codec, cause });
  }
}

function toChunk(elements: Uint8Array, dataType: DataType, { shape, stride }: Layout): CodecChunk {
  const aligned = elements.byteOffset % 8 === 0 ? elements : elements.slice();
  return { data: dataType.view(aligned), shape: [...shape], stride: [...stride] };
}

/**
 * The bytes of `data` in their order in memory; undefined if they are not exactly the elements of a chunk.
 */
function inMemory(chunk: CodecChunk, { shape, dataType }: ChunkSpec): Uint8Array | undefined {
  const bytes = dataType.bytesOf(chunk?.data);
  return bytes?.length === product(shape) * dataType.itemSize ? bytes : undefined;
}

/**
 * The elements of a chunk in the order of `layout`, which has no gaps.
 * @throws CodecError for a malformed chunk
 */
function toElements(chunk: CodecChunk, spec: ChunkSpec, layout: Layout, kernels: Kernels): Uint8Array {
  const { dataType } = spec;
  const { itemSize } = dataType;
  const { data, stride } = checkChunk(chunk, layout);
  const elements = dataType.bytesOf(data) ?? castElements(data, dataType);
  const byteLength = product(layout.shape) * itemSize;
  if (byteLength === 0) return new Uint8Array(0);
  const isInOrder = layout.shape.every((length, d) => length === 1 || stride[d] === layout.stride[d]);
  if (isInOrder && elements.length >= byteLength) return elements.subarray(0, byteLength);
  checkReach(stride, layout.shape, elements.length / itemSize);
  const target = new Uint8Array(byteLength);
  const inBytes = (strides: readonly number[]): number[] => strides.map((each) => each * itemSize);
  const copy = planStoredCopy(layout.shape, inBytes(layout.stride), inBytes(stride), itemSize, {
    swapUnit: 1,
  });
  runStoredCopy(copy, kernels, target, 0, elements, 0);
  return target;
}

function checkChunk(chunk: Partial<CodecChunk> | undefined, { shape }: Layout): CodecChunk {
  const { data, shape: given, stride = cOrderStrides(shape, 1) } = chunk ?? {};
  if (typeof data === "object" && data !== null && given?.join() === shape.join())
    return { data, shape: given, stride };
  throw new CodecError(
    `expected a chunk of shape [${shape.join(", ")}] with its data, got ${given === undefined ? describe(chunk) : `one of [${given.join(", ")}]`}`,
  );
}

function checkReach(stride: readonly number[], shape: readonly number[], length: number): void {
  const last = shape.reduce((sum, extent, d) => sum + (extent - 1) * (stride[d] ?? Number.NaN), 0);
  if (stride.every((step) => Number.isInteger(step) && step >= 0) && last < length) return;
  throw new CodecError(
    `expected data that the strides [${stride.join(", ")}] of shape [${shape.join(", ")}] stay inside, got ${length} elements`,
  );
}

/** Converts values one by one: for `data` that is not an array of the data type's class. */
function castElements(data: unknown, dataType: DataType): Uint8Array {
  const { itemSize } = dataType;
  const values = listOf(data);
  const elements = new Uint8Array(values.length * itemSize);
  values.forEach((value, i) => {
    dataType.writeScalar(dataType.cast(value), elements.subarray(i * itemSize, (i + 1) * itemSize));
  });
  return elements;
}

function listOf(data: unknown): unknown[] {
  if (typeof data === "object" && data !== null && (Symbol.iterator in data || "length" in data))
    return Array.from(data as Iterable<unknown>);
  throw new CodecError(`expected an array of elements, got ${describe(data)}`);
}

/**
 * For text and bytes of variable length. `ahead` exchanges elements with the pipeline in the format of
 * `vlen-utf8` and `vlen-bytes`.
 */
function variableCodec(
  { name, codec }: Step<"array_to_bytes">,
  spec: ChunkSpec,
  { shape, stride }: Layout,
): ArrayToBytesCodec {
  const { variable } = spec.dataType;
  if (variable !== "text" && variable !== "bytes") throw onlyFixed(name, spec);
  const isText = variable === "text";
  const serializer = serializerOf({ name, codec });
  const ahead: AheadCodec = {
    async decode(bytes, kernels) {
      const { data } = checkChunk(await serializer.decode(bytes, kernels), { shape, stride });
      const values = listOf(data).map((value) => spec.dataType.cast(value));
      if (values.length !== countOf(spec))
        throw new CodecError(`expected ${countOf(spec)} elements, got ${values.length}`, { codec: name });
      const stored = values.map((value) =>
        typeof value === "string"
          ? new TextEncoder().encode(value)
          : Uint8Array.from(listOf(value).map(Number)),
      );
      const byteLength = stored.reduce((sum, { length }) => sum + length + 8, 0);
      return kernels.within(byteLength, () => encodeInterleaved(concatenated(stored), kernels).slice());
    },
    async encode(bytes, kernels) {
      const data = kernels.within(bytes.length, () =>
        bytesOf(decodeInterleaved(bytes, countOf(spec), kernels)).map((each) =>
          isText ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(each) : each.slice(),
        ),
      );
      return serializer.encode({ data, shape: [...shape], stride: [...stride] }, kernels);
    },
  };
  return { ...interleavedColumns(spec), ahead };
}

function onlyFixed(codec: string, { dataType }: ChunkSpec): UnsupportedError | InvalidMetadataError {
  return new UnsupportedError(
    `codecs of zarrita's interface are for elements of fixed size, and for text and bytes where they make bytes themselves; got data type ${dataType.name}`,
    { codec },
  );
}
