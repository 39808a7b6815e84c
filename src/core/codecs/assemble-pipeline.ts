/**
 * Prepares an array's codecs once: loads them, checks that they fit together, and computes their sizes and
 * layout. Decoding a chunk then only checks the bytes of that chunk.
 *
 * Decoding a chunk: encoded bytes -> bytes-to-bytes codecs (byte-stage.ts) -> "stored elements": the elements
 * of the chunk as the array-to-bytes codec left them, described by `strides`, `swapUnit` and `swapRuns`
 * (array-stage.ts). Transposition and byte order are never passes of their own: the copy to the result
 * (src/engine) follows the strides and reverses bytes on its way.
 */

import { InvalidArgumentError, InvalidMetadataError } from "../../base/errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import type { ArrayMetadata, CodecMetadata } from "../../metadata/model.js";
import { isLayout, prepareLayout } from "./array-stage.js";
import { prepareByteStage, sizeByteCodecs } from "./byte-stage.js";
import type {
  ArrayToArrayCodec,
  ArrayToBytesCodec,
  BytesToBytesCodec,
  ChunkSpec,
  Codec,
  CodecEntry,
  PipelinePlace,
} from "./codec.js";
import { maximumEncoded } from "./decoder-result.js";
import { outOfOrder } from "./out-of-order.js";
import type { Pipeline, ShardLayout } from "./pipeline.js";
import { joinStages } from "./pipeline.js";
import type { CodecSource } from "./registry/codec-source.js";
import { foreignCodecs, type LoadedCodec } from "./registry/foreign-codecs.js";
import { chunkMetadata, type ZarritaCodecEntry } from "./registry/zarrita-interface.js";

/** @throws UnknownCodecError, InvalidMetadataError when the codecs do not form a pipeline */
export async function preparePipeline(
  source: CodecSource,
  metadata: ArrayMetadata,
  kernels: Kernels,
): Promise<Pipeline> {
  const spec: ChunkSpec = {
    shape: metadata.chunkGrid.chunkShape,
    dataType: metadata.dataType,
    fillValue: metadata.fillValue,
    endian: metadata.zarrFormat === 3 ? undefined : metadata.endian,
  };
  const loaded = await loadCodecs(source, metadata.codecs, kernels);
  // v2 and the draft have no array-to-bytes codec: the elements follow the last array filter.
  const isImplicit =
    metadata.zarrFormat !== 3 && !loaded.some(({ entry }) => entry.codecKind === "array_to_bytes");
  return buildPipeline(source, loaded, spec, kernels, isImplicit ? {} : undefined);
}

/** Prepares a list of codecs in v3 form. @throws UnknownCodecError, InvalidMetadataError */
export async function prepareCodecs(
  source: CodecSource,
  codecs: readonly CodecMetadata[],
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Pipeline> {
  return buildPipeline(source, await loadCodecs(source, codecs, kernels), spec, kernels, undefined);
}

/**
 * Prepares the one codec `entry`, whatever is registered under its name. Elements that it does not make bytes
 * are little-endian.
 */
export async function prepareAlone(
  source: CodecSource,
  metadata: CodecMetadata,
  entry: CodecEntry,
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Pipeline> {
  await entry.load?.(kernels, metadata.configuration);
  return buildPipeline(source, [{ metadata, entry }], spec, kernels, { endian: "little" });
}

async function loadCodecs(
  source: CodecSource,
  codecs: readonly CodecMetadata[],
  kernels: Kernels,
): Promise<LoadedCodec[]> {
  const loaded = await Promise.all(
    codecs.map(async (metadata): Promise<LoadedCodec | undefined> => {
      const { name, configuration, mustUnderstand } = metadata;
      const entry = await (mustUnderstand === false ? source.find(name) : source.load(name));
      await entry?.load?.(kernels, configuration);
      return entry && { metadata, entry };
    }),
  );
  return loaded.filter((codec) => codec !== undefined);
}

/** The codecs of a pipeline, each prepared for what the one before it makes. */
interface Prepared {
  readonly arrayCodecs: { name: string; codec: ArrayToArrayCodec; metadata: CodecMetadata }[];
  readonly serializer: { name: string; codec: ArrayToBytesCodec };
  readonly byteCodecs: { name: string; codec: BytesToBytesCodec }[];
  /** The array that the serializer gets. */
  readonly serialized: ChunkSpec;
}

/**
 * @param implicit configuration of the `bytes` codec to insert if `loaded` has no array-to-bytes codec; a
 * ChunkSpec's `endian` overrides it
 */
async function instantiateAll(
  source: CodecSource,
  loaded: readonly LoadedCodec[],
  spec: ChunkSpec,
  kernels: Kernels,
  implicit: JsonObject | undefined,
): Promise<Prepared> {
  const arrayCodecs: Prepared["arrayCodecs"] = [];
  const byteCodecs: Prepared["byteCodecs"] = [];
  let serializer: Prepared["serializer"] | undefined;
  let current = spec;
  const addImplicit = async (inPlace = implicit): Promise<typeof serializer> => {
    if (inPlace === undefined) return undefined;
    const { endian = inPlace.endian } = current;
    const metadata = { name: "bytes", configuration: endian === undefined ? {} : { endian } };
    const codec = await prepareCodec(source, metadata, current, kernels);
    return codec.kind === "array_to_bytes" ? { name: "bytes", codec } : undefined;
  };
  let next = 0;
  for (const [i, { metadata, entry }] of loaded.entries()) {
    if (i < next) continue;
    const { name } = metadata;
    const place: PipelinePlace = {
      kernels,
      spec: current,
      decoded: spec,
      transposes: transposesOf(arrayCodecs),
      ...functionsOf(source),
    };
    const codec =
      entry.codecKind === undefined
        ? await prepareZarrita(source, loaded.slice(i), entry, place)
        : await instantiate(metadata, entry, place);
    if (codec.kind === "array_to_array") {
      if (serializer !== undefined) throw outOfOrder(name, "array-to-array", "before");
      if (codec.encoded === undefined) throw notWazarrs(name);
      arrayCodecs.push({ name, codec, metadata });
      current = codec.encoded;
    } else if (codec.kind === "array_to_bytes") {
      if (serializer !== undefined) throw notOneSerializer(`"${serializer.name}" and "${name}"`);
      serializer = { name, codec };
      next = i + (codec.count ?? 1);
    } else {
      serializer ??= await addImplicit(codec.elements && { endian: codec.elements });
      if (serializer === undefined) throw outOfOrder(name, "bytes-to-bytes", "after");
      byteCodecs.push({ name, codec });
    }
  }
  serializer ??= await addImplicit();
  if (serializer === undefined) throw notOneSerializer("none");
  return { arrayCodecs, serializer, byteCodecs, serialized: current };
}

/** Joins codecs to a pipeline: those up to the serializer to one stage, the others to the next. */
async function buildPipeline(
  source: CodecSource,
  loaded: readonly LoadedCodec[],
  spec: ChunkSpec,
  kernels: Kernels,
  implicit: JsonObject | undefined,
): Promise<Pipeline> {
  const prepared = await instantiateAll(source, loaded, spec, kernels, implicit);
  const { arrayCodecs, serializer, byteCodecs, serialized } = prepared;
  const variable =
    spec.dataType.itemSize > 0
      ? undefined
      : (await import("./variable-length/stage.js")).prepareVariable(
          arrayCodecs,
          serializer,
          spec,
          serialized,
        );
  const prepareStage = isLayout(arrayCodecs, serializer)
    ? prepareLayout
    : (await import("./passes.js")).preparePasses;
  const arrayStage = variable?.stage ?? prepareStage(arrayCodecs, serializer, spec, serialized);
  const { encodedByteLength } = arrayStage;
  const sized =
    variable?.size(byteCodecs) ?? sizeByteCodecs(byteCodecs, encodedByteLength, arrayStage.byteLength);
  const ownByteStage = prepareByteStage(sized, encodedByteLength);
  const byteStage = arrayStage.asynchronous
    ? (await import("./all-asynchronous.js")).allAsynchronous(
        arrayStage,
        ownByteStage,
        arrayStage.asynchronous,
      )
    : ownByteStage;
  return {
    ...joinStages(arrayStage, byteStage),
    shape: spec.shape,
    maximumEncodedByteLength: maximumStored(
      serializer.codec.sharding,
      sized.at(-1)?.maximumByteLength ??
        encodedByteLength ??
        variable?.maximumByteLength ??
        USUAL * arrayStage.byteLength,
    ),
    sharding: serializer.codec.sharding,
    variable: variable?.pipeline,
    normalise: spec.dataType.name === "bool" ? await loadNormalise(kernels) : undefined,
  };
}

/**
 * Assumed limit for encodings of no fixed length, as a multiple of the bytes of the elements: numbers written
 * as text need the most.
 */
const USUAL = 8;

/**
 * Upper bound of a stored chunk's length, so that a server cannot fill memory. It must never refuse a valid
 * chunk, so it has room to spare. `maximumEncoded` is what an encoder makes of bytes that it cannot compress:
 * twice that also holds base64, which makes 4 bytes of 3, and encoders of others that expand more. A shard
 * may have four times its inner chunks: writers that append what changes (zarrs) leave the old bytes
 * unreferenced. Both factors are margins, not measurements.
 * @param byteLength greatest number of bytes that the last codec encodes
 */
function maximumStored(sharding: ShardLayout | undefined, byteLength: number): number {
  const shard = sharding
    ? 4 * (sharding.innerCount * sharding.inner.maximumEncodedByteLength + sharding.indexByteLength)
    : 0;
  return 2 * maximumEncoded(Math.max(byteLength, shard));
}

async function loadNormalise(kernels: Kernels): Promise<Pipeline["normalise"]> {
  // Causes no request: the data type `bool` has already loaded this file.
  const { loadElements } = await import("../../kernels/elements.js");
  const { normaliseBooleans } = await loadElements(kernels);
  return (elements) => normaliseBooleans(elements, elements);
}

async function instantiate(metadata: CodecMetadata, entry: CodecEntry, place: PipelinePlace): Promise<Codec> {
  return entry.prepare === undefined
    ? entry.fromConfig(metadata.configuration, place.spec)
    : entry.prepare(metadata, place);
}

/**
 * Prepares a zarrita codec, the first of `loaded`. An array codec also replaces codecs after it: see
 * prepareChunkCodecs.
 */
async function prepareZarrita(
  source: CodecSource,
  loaded: readonly LoadedCodec[],
  entry: ZarritaCodecEntry,
  place: PipelinePlace,
): Promise<BytesToBytesCodec | ArrayToBytesCodec> {
  const codecs = loaded.map(({ metadata }) => metadata);
  const { spec, decoded, transposes } = place;
  // A transpose in zarrita changes the strides of a chunk and not its shape.
  const meta = chunkMetadata(transposes === undefined ? spec : { ...spec, shape: decoded.shape }, codecs);
  const codec = entry.fromConfig(codecs[0]?.configuration, meta);
  if (codec.kind !== "array_to_array" && codec.kind !== "array_to_bytes") return codec;
  const { prepareChunkCodecs } = await foreignCodecs.load();
  return prepareChunkCodecs(codec, loaded, meta, place, (rest, encoded) =>
    // A list without an array-to-bytes codec means little-endian `bytes` in zarrita.
    buildPipeline(source, loaded.slice(rest), encoded, place.kernels, { endian: "little" }),
  );
}

/** What codecs prepare the codecs inside of them with. */
const functionsOf = (
  source: CodecSource,
): Pick<PipelinePlace, "prepareCodecs" | "prepareCodec" | "expectCodecs"> => ({
  prepareCodecs: (codecs, spec, kernels) => prepareCodecs(source, codecs, spec, kernels),
  prepareCodec: (metadata, spec, kernels) => prepareCodec(source, metadata, spec, kernels),
  async expectCodecs(codecs) {
    await Promise.all(codecs.map(({ name }) => source.load(name)));
  },
});

async function prepareCodec(
  source: CodecSource,
  metadata: CodecMetadata,
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Codec> {
  const entry = await source.load(metadata.name);
  await entry.load?.(kernels, metadata.configuration);
  const place = { kernels, spec, decoded: spec, transposes: undefined, ...functionsOf(source) };
  return entry.codecKind === undefined
    ? prepareZarrita(source, [{ metadata, entry }], entry, place)
    : instantiate(metadata, entry, place);
}

/** `codecs`, if all of them are transposes. */
function transposesOf(
  codecs: readonly { readonly codec: ArrayToArrayCodec; readonly metadata: CodecMetadata }[],
): PipelinePlace["transposes"] {
  const transposes: { metadata: CodecMetadata; order: readonly number[] }[] = [];
  for (const { codec, metadata } of codecs) {
    if (codec.order === undefined) return undefined;
    transposes.push({ metadata, order: codec.order });
  }
  return transposes;
}

function notWazarrs(codec: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `registry.set("${codec}", loader): expected a codec with the member \`encoded\`, because its entry has \`codecKind\`; leave \`codecKind\` out for a codec of zarrita's interface`,
    { codec },
  );
}

function notOneSerializer(got: string): InvalidMetadataError {
  return new InvalidMetadataError(
    `expected exactly one array-to-bytes codec such as {"name": "bytes", "configuration": {"endian": "little"}}, got ${got}`,
    { member: "codecs" },
  );
}
