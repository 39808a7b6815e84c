/**
 * Array codecs of zarrita's interface. They take and return chunks (`data`, `shape`, `stride`); wazarr's
 * codecs work on bytes of elements. They may be asynchronous, so consecutive ones and all codecs after them
 * become one codec with `asynchronous`. As in zarrita, the codecs after them store `data` in its order in
 * memory, whatever `stride` says. A transpose before them gives them chunks with permuted strides, and takes
 * the `data` that they decode in its order in memory.
 */

import { decodeInterleaved, encodeInterleaved, interleavedColumns } from "../codecs/for-zarrita.js";
import {
  type ArrayToBytesCodec,
  type AsynchronousCodec,
  type Awaitable,
  bytesOf,
  type ChunkMetadata,
  type ChunkSpec,
  type CodecChunk,
  CodecError,
  type CodecMetadata,
  chunkMetadata,
  concatenated,
  countOf,
  decodeWhole,
  describe,
  encodeWhole,
  type InvalidMetadataError,
  isZarrError,
  type Kernels,
  type LoadedCodec,
  type Pipeline,
  type PipelinePlace,
  parseDataType,
  UnsupportedError,
  type ZarritaArrayCodec,
  type ZarritaCodecEntry,
} from "../core/for-zarrita.js";
import {
  checkChunk,
  contiguous,
  inMemory,
  type Layout,
  listOf,
  toChunk,
  toElements,
  transposed,
} from "./codec-chunks.js";

interface Step<Kind extends ZarritaArrayCodec["kind"]> {
  readonly name: string;
  readonly codec: Extract<ZarritaArrayCodec, { readonly kind: Kind }>;
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
  loaded: readonly LoadedCodec[],
  meta: ChunkMetadata,
  place: PipelinePlace,
  prepareRest: (from: number, spec: ChunkSpec) => Promise<Pipeline>,
): Promise<ArrayToBytesCodec> {
  const { spec, decoded, transposes } = place;
  const filters: Step<"array_to_array">[] = [];
  let outcome = meta;
  let last: Step<"array_to_bytes"> | undefined;
  for (const [i, { metadata, entry }] of loaded.entries()) {
    if (entry.codecKind !== undefined) break;
    const codec = i === 0 ? first : entry.fromConfig(metadata.configuration, outcome);
    if (codec.kind === "array_to_bytes") last = { name: metadata.name, codec };
    if (codec.kind !== "array_to_array") break;
    filters.push({ name: metadata.name, codec });
    outcome = codec.getEncodedMeta?.(outcome) ?? outcome;
  }
  const encoded = encodedSpec(outcome, meta, spec);
  const isTransposed = transposes !== undefined && transposes.length > 0;
  const layout = isTransposed ? transposed(decoded, transposes) : contiguous(spec);
  if (spec.dataType.itemSize === 0) {
    if (filters.length > 0 || last === undefined) throw onlyFixed(filters[0]?.name ?? "", spec);
    return variableCodec(last, spec, layout);
  }
  const serializer =
    last === undefined
      ? restOf(await prepareRest(filters.length, encoded), encoded, contiguous(outcome))
      : serializerOf(last);
  return {
    kind: "array_to_bytes",
    count: last === undefined ? loaded.length : filters.length + 1,
    asynchronous: {
      async decode(bytes, kernels) {
        let chunk = await serializer.decode(bytes, kernels);
        for (const { name, codec } of filters.toReversed()) {
          const input = chunk;
          chunk = await run(name, () => codec.decode(input));
        }
        return (isTransposed && inMemory(chunk, spec)) || toElements(chunk, spec, layout, kernels);
      },
      async encode(elements, kernels) {
        // Copied because a zarrita codec may modify its input, and `elements` belongs to the engine.
        let chunk = toChunk(elements.slice(), spec.dataType, layout);
        for (const { name, codec } of filters) {
          const chunkInput = chunk;
          chunk = await run(name, () => codec.encode(chunkInput));
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
function encodedSpec(outcome: ChunkMetadata, meta: ChunkMetadata, spec: ChunkSpec): ChunkSpec {
  if (outcome === meta) return spec;
  const dataType =
    outcome.dataType === meta.dataType ? spec.dataType : parseDataType(outcome.dataType.replace(/^v2:/, "<"));
  const { fillValue } = outcome;
  return {
    ...spec,
    dataType,
    shape: outcome.shape.join() === meta.shape.join() ? spec.shape : outcome.shape,
    fillValue:
      fillValue === meta.fillValue ? spec.fillValue : (fillValue ?? undefined) && dataType.cast(fillValue),
  };
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

/**
 * For text and bytes of variable length. `asynchronous` exchanges elements with the pipeline in the format of
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
  const asynchronous: AsynchronousCodec = {
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
  return { ...interleavedColumns(spec), asynchronous };
}

function onlyFixed(codec: string, { dataType }: ChunkSpec): UnsupportedError | InvalidMetadataError {
  return new UnsupportedError(
    `a codec of zarrita's interface needs elements of fixed size, or must encode strings and bytes itself; got data type ${dataType.name}`,
    { codec },
  );
}
