/**
 * The package's codecs alone, in zarrita's interface, for programs that take a codec out of `registry` and
 * call it themselves: libraries that decode in their own workers do. `encode` and `decode` load what the
 * codec needs. Codecs of bytes take and give bytes; those of arrays take and give chunks, as zarrita's do.
 */

import {
  type BytesToBytesCodec,
  bytesOf,
  type ChunkMetadata,
  type ChunkSpec,
  type CodecChunk,
  type CodecEntry,
  type CodecMetadata,
  type CodecSource,
  chunkMetadata,
  concatenated,
  type DataType,
  dataTypeFromV2,
  decodeWhole,
  describe,
  encodeWhole,
  HERE,
  InvalidArgumentError,
  isColumnData,
  isJsonObject,
  type Kernels,
  lazy,
  loadForWriting,
  loadKernels,
  maximumDecoded,
  maximumEncoded,
  type OldChunkMetadata,
  type Pipeline,
  parseDataType,
  prepareAlone,
  prepareByteStage,
  type RegisteredCodec,
  type RegisteredCodecEntry,
  retryWithMissing,
  type VariableElements,
  withAllDataTypes,
} from "../core/for-zarrita.js";
import {
  contiguous,
  inMemory,
  type Layout,
  listOf,
  toChunk,
  toElements,
  transposed,
} from "./codec-chunks.js";

/**
 * @param name for errors, and for configurations that depend on it
 * @param source of the codecs inside of this one
 */
export function standalone(name: string, entry: CodecEntry, source: CodecSource): RegisteredCodecEntry {
  return {
    fromConfig(configuration, meta) {
      const metadata = { name, configuration: isJsonObject(configuration) ? configuration : {} };
      if (entry.codecKind === "bytes_to_bytes") return bytesCodec(metadata, entry);
      return entry.codecKind === "array_to_bytes"
        ? serializer(metadata, entry, meta, source)
        : filter(metadata, entry, meta, source);
    },
  };
}

/** A chunk for codecs of bytes, whose own shape does not matter. */
const ANY_BYTES = { shape: [1], fillValue: 0 } as const;

function bytesCodec(metadata: CodecMetadata, entry: CodecEntry): RegisteredCodec {
  const { name, configuration } = metadata;
  const instance = (): BytesToBytesCodec => {
    const codec = entry.fromConfig(configuration, { ...ANY_BYTES, dataType: parseDataType("uint8") });
    if (codec.kind === "array_to_array" || codec.kind === "array_to_bytes")
      throw new InvalidArgumentError(`expected a bytes-to-bytes codec, got ${codec.kind}`, { codec: name });
    return codec;
  };
  const load = lazy(async () => {
    const kernels = await loadKernels();
    await entry.load?.(kernels, configuration);
    return { kernels, codec: instance() };
  });
  return {
    kind: "bytes_to_bytes",
    async decode(bytes: Uint8Array) {
      const { kernels, codec } = await load();
      const maximumByteLength = maximumDecoded({}, bytes.length);
      const step = { name, codec, byteLength: undefined, maximumByteLength };
      const stage = prepareByteStage([step], undefined);
      if (stage.asynchronous) return stage.asynchronous.decode(bytes, kernels, HERE);
      const room = Math.min(maximumByteLength, 4 * bytes.length + (codec.scratchByteLength ?? 0));
      return retryWithMissing(kernels, () =>
        kernels.within(bytes.length + room, () =>
          encodedResult(kernels, bytes, stage.decode(bytes, kernels, HERE)),
        ),
      );
    },
    async encode(bytes: Uint8Array) {
      entry.checkWriting?.(configuration, name);
      const { kernels, codec } = await load();
      await loadForWriting(kernels);
      const step = { name, codec, byteLength: bytes.length, maximumByteLength: bytes.length };
      const stage = prepareByteStage([step], bytes.length);
      if (stage.asynchronous) return stage.asynchronous.encode(bytes, kernels, HERE);
      return kernels.within(maximumEncoded(bytes.length) + (codec.scratchByteLength ?? 0), () =>
        encodedResult(kernels, bytes, stage.encode(bytes, kernels, HERE)),
      );
    },
    computeEncodedSize(byteLength: number) {
      const size = instance().encodedByteLength?.(byteLength);
      if (size !== undefined) return size;
      throw new InvalidArgumentError("expected a codec whose results have a fixed length", { codec: name });
    },
  };
}

/** `result` in memory that the caller may keep and change. */
function encodedResult(kernels: Kernels, input: Uint8Array, result: Uint8Array): Uint8Array {
  return kernels.isScratch(result) || result.buffer === input.buffer ? result.slice() : result;
}

interface Prepared {
  readonly kernels: Kernels;
  readonly spec: ChunkSpec;
  readonly pipeline: Pipeline;
}

function prepareLater(metadata: CodecMetadata, entry: CodecEntry, meta: GivenMetadata, source: CodecSource) {
  return lazy(async (): Promise<Prepared> => {
    const kernels = await loadKernels();
    const spec = await withAllDataTypes(() => specOf(meta, metadata.name));
    return { kernels, spec, pipeline: await prepareAlone(source, metadata, entry, spec, kernels) };
  });
}

async function readyToWrite(load: () => Promise<Prepared>, entry: CodecEntry, metadata: CodecMetadata) {
  const prepared = await load();
  entry.checkWriting?.(metadata.configuration, metadata.name, prepared.spec);
  await loadForWriting(prepared.kernels);
  return prepared;
}

/** array -> bytes */
function serializer(
  metadata: CodecMetadata,
  entry: CodecEntry,
  meta: GivenMetadata,
  source: CodecSource,
): RegisteredCodec {
  const load = prepareLater(metadata, entry, meta, source);
  return {
    kind: "array_to_bytes",
    decode: async (bytes: Uint8Array) => decodeChunk(await load(), bytes),
    encode: async (chunk: CodecChunk) => encodeChunk(await readyToWrite(load, entry, metadata), chunk),
    computeEncodedSize: (byteLength: number) => byteLength,
  };
}

/** array -> array: the elements that the codec encodes are little-endian bytes, memory's order. */
function filter(
  metadata: CodecMetadata,
  entry: CodecEntry,
  meta: GivenMetadata,
  source: CodecSource,
): RegisteredCodec {
  const load = prepareLater(metadata, entry, meta, source);
  const encodedOf = (spec: ChunkSpec): { readonly spec: ChunkSpec; readonly layout: Layout } => {
    const codec = entry.fromConfig(metadata.configuration, spec);
    if (codec.kind !== "array_to_array") return { spec, layout: contiguous(spec) };
    const { encoded, order } = codec;
    // As in zarrita, a transposed chunk keeps its shape and has other strides.
    return order === undefined
      ? { spec: encoded, layout: contiguous(encoded) }
      : { spec: { ...encoded, shape: spec.shape }, layout: transposed(spec, [{ order }]) };
  };
  return {
    kind: "array_to_array",
    async decode(chunk: CodecChunk) {
      const prepared = await load();
      const encoded = encodedOf(prepared.spec);
      const elements =
        inMemory(chunk, encoded.spec) ?? toElements(chunk, encoded.spec, encoded.layout, prepared.kernels);
      return decodeChunk(prepared, elements);
    },
    async encode(chunk: CodecChunk) {
      const prepared = await readyToWrite(load, entry, metadata);
      const { spec, layout } = encodedOf(prepared.spec);
      return toChunk(await encodeChunk(prepared, chunk), spec.dataType, layout);
    },
    getEncodedMeta(inputMeta: ChunkMetadata) {
      const before = specOf(inputMeta, metadata.name);
      const { spec } = encodedOf(before);
      return { ...inputMeta, ...chunkMetadata(spec, []), codecs: inputMeta.codecs };
    },
  };
}

async function decodeChunk({ kernels, spec, pipeline }: Prepared, bytes: Uint8Array): Promise<CodecChunk> {
  const { variable } = pipeline;
  const layout = contiguous(spec);
  if (variable === undefined) {
    const elements = await decodeWhole(pipeline, spec, bytes, kernels);
    return toChunk(elements.buffer === bytes.buffer ? elements.slice() : elements, spec.dataType, layout);
  }
  const isText = spec.dataType.variable?.endsWith("text") === true;
  const data = kernels.within(pipeline.scratch(), () => {
    const elements = variable.decode(pipeline.decode(bytes, kernels, HERE), kernels, HERE);
    if (!isColumnData(elements)) return [...elements];
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return bytesOf(elements).map((each) => (isText ? utf8.decode(each.slice()) : each.slice()));
  });
  return { data, shape: [...layout.shape], stride: [...layout.stride] };
}

async function encodeChunk({ kernels, spec, pipeline }: Prepared, chunk: CodecChunk): Promise<Uint8Array> {
  const { variable } = pipeline;
  if (variable === undefined) {
    const elements = toElements(chunk, spec, contiguous(spec), kernels);
    const bytes = await encodeWhole(pipeline, spec, elements, kernels);
    return bytes.buffer === elements.buffer ? bytes.slice() : bytes;
  }
  const values = listOf(chunk.data).map((value) => spec.dataType.cast(value));
  return kernels.within(pipeline.scratch(), () =>
    pipeline.encode(variable.encode(elementsOf(values, spec.dataType), kernels, HERE), kernels, HERE).slice(),
  );
}

function elementsOf(values: readonly unknown[], { variable }: DataType): VariableElements {
  if (variable === "object") return values;
  return concatenated(
    values.map((value) =>
      typeof value === "string"
        ? new TextEncoder().encode(value)
        : Uint8Array.from(listOf(value).map(Number)),
    ),
  );
}

/** Members that the caller may have left out. */
type GivenMetadata = Partial<
  Pick<ChunkMetadata, "dataType" | "shape" | "fillValue"> & Omit<OldChunkMetadata, "codecs">
>;

/**
 * The array that zarrita's metadata of a chunk describe.
 * @param codec for objects of v2, whose codec decides what they are
 * @throws InvalidArgumentError without metadata, UnknownDataTypeError
 */
function specOf(meta: GivenMetadata | undefined, codec: string): ChunkSpec {
  const { data_type, dataType: name = data_type, chunk_shape, shape = chunk_shape } = meta ?? {};
  const fillValue: unknown = meta?.fillValue ?? meta?.fill_value;
  if (typeof name !== "string" || !Array.isArray(shape)) {
    throw new InvalidArgumentError(
      `fromConfig(configuration, meta): expected meta with dataType and shape (or data_type and chunk_shape), got ${describe(meta)}`,
      { codec },
    );
  }
  const dataType =
    name === "v2:object"
      ? dataTypeFromV2("|O", codec.replace(/^numcodecs\./, "")).dataType
      : parseDataType(name.replace(/^v2:U/, "<U").replace(/^v2:S/, "|S"));
  const isNone = fillValue === undefined || fillValue === null;
  return { shape, dataType, fillValue: isNone ? undefined : dataType.cast(fillValue) };
}
