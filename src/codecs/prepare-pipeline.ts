/**
 * An array's codecs, prepared once: loaded, checked against each other, their sizes and layout worked out. Per chunk only
 * what the bytes themselves claim is checked.
 *
 * Decoding a chunk: encoded bytes -> bytes-to-bytes codecs (byte-stage.ts) -> "stored elements": the elements of the chunk as the
 * array-to-bytes codec left them, described by `strides`, `swapUnit` and `swapRuns` (array-stage.ts). Transposition and byte order
 * are never passes of their own: the copy to the result (src/engine) follows the strides and reverses bytes on its way.
 */

import { InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { ArrayMetadata, CodecMetadata } from "../metadata/model.js";
import { isLayout, prepareLayout, preparePasses } from "./array-stage.js";
import { prepareByteStage, sizeByteCodecs } from "./byte-stage.js";
import {
  type ArrayToArrayCodec,
  type ArrayToBytesCodec,
  type BytesToBytesCodec,
  type ChunkSpec,
  type Codec,
  type CodecEntry,
  chunkMetadata,
  type PipelinePlace,
  type ZarritaCodecEntry,
} from "./codec.js";
import { maximumEncoded } from "./decoder-result.js";
import type { Pipeline, ShardLayout } from "./pipeline.js";
import { joinStages } from "./pipeline.js";
import { findCodec, loadCodec } from "./registry.js";

/** @throws UnknownCodecError, InvalidMetadataError when the codecs do not form a pipeline */
export async function preparePipeline(metadata: ArrayMetadata, kernels: Kernels): Promise<Pipeline> {
  const spec: ChunkSpec = {
    shape: metadata.chunkGrid.chunkShape,
    dataType: metadata.dataType,
    fillValue: metadata.fillValue,
    endian: metadata.zarrFormat === 3 ? undefined : metadata.endian,
  };
  const loaded = await loadCodecs(metadata.codecs, kernels);
  // v2 and the draft have no array-to-bytes codec: the elements follow the last array filter.
  const isImplicit =
    metadata.zarrFormat !== 3 && !loaded.some(({ entry }) => entry.kind === "array_to_bytes");
  return buildPipeline(loaded, spec, kernels, isImplicit ? {} : undefined);
}

/** The pipeline of a list of codecs as v3 has it. @throws UnknownCodecError, InvalidMetadataError */
export async function prepareCodecs(
  codecs: readonly CodecMetadata[],
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Pipeline> {
  return buildPipeline(await loadCodecs(codecs, kernels), spec, kernels, undefined);
}

interface LoadedCodec {
  readonly metadata: CodecMetadata;
  readonly entry: CodecEntry | ZarritaCodecEntry;
}

async function loadCodecs(codecs: readonly CodecMetadata[], kernels: Kernels): Promise<LoadedCodec[]> {
  const loaded = await Promise.all(
    codecs.map(async (metadata): Promise<LoadedCodec | undefined> => {
      const { name, configuration, mustUnderstand } = metadata;
      const entry = await (mustUnderstand === false ? findCodec : loadCodec)(name);
      await entry?.load?.(kernels, configuration);
      return entry && { metadata, entry };
    }),
  );
  return loaded.filter((codec) => codec !== undefined);
}

/** @param implicit configuration of `bytes` where no array-to-bytes codec stands before the first on bytes; the data type or the last filter of a v2 array may state its byte order */
async function buildPipeline(
  loaded: readonly LoadedCodec[],
  spec: ChunkSpec,
  kernels: Kernels,
  implicit: JsonObject | undefined,
): Promise<Pipeline> {
  const arrayCodecs: { name: string; codec: ArrayToArrayCodec; metadata: CodecMetadata }[] = [];
  const byteCodecs: { name: string; codec: BytesToBytesCodec }[] = [];
  let serializer: { name: string; codec: ArrayToBytesCodec } | undefined;
  let current = spec;
  const addImplicit = async (): Promise<typeof serializer> => {
    if (implicit === undefined) return undefined;
    const { endian = implicit.endian } = current;
    const metadata = { name: "bytes", configuration: endian === undefined ? {} : { endian } };
    const codec = await prepareCodec(metadata, current, kernels);
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
      prepareCodecs,
      prepareCodec,
    };
    const codec =
      entry.kind === undefined
        ? await prepareZarrita(loaded.slice(i), entry, place)
        : await instantiate(metadata, entry, place);
    if (codec.kind === "array_to_array") {
      if (serializer !== undefined) throw outOfOrder(name, "array-to-array", "before");
      if (codec.encoded === undefined) throw notWazarrs(name);
      arrayCodecs.push({ name, codec, metadata });
      current = codec.encoded;
    } else if (codec.kind === "array_to_bytes") {
      if (serializer !== undefined) throw outOfOrder(name, "second array-to-bytes", "nowhere beside");
      serializer = { name, codec };
      next = i + (codec.count ?? 1);
    } else {
      serializer ??= await addImplicit();
      if (serializer === undefined) throw outOfOrder(name, "bytes-to-bytes", "after");
      byteCodecs.push({ name, codec });
    }
  }
  serializer ??= await addImplicit();
  if (serializer === undefined) {
    throw noSerializer();
  }
  const variable =
    spec.dataType.itemSize > 0
      ? undefined
      : (await import("./variable-length/stage.js")).prepareVariable(arrayCodecs, serializer, spec, current);
  const prepareStage = isLayout(arrayCodecs, serializer) ? prepareLayout : preparePasses;
  const arrayStage = variable?.stage ?? prepareStage(arrayCodecs, serializer, spec, current);
  const { encodedByteLength } = arrayStage;
  const sized =
    variable?.size(byteCodecs) ?? sizeByteCodecs(byteCodecs, encodedByteLength, arrayStage.byteLength);
  return {
    ...(arrayStage.join ?? joinStages)(arrayStage, prepareByteStage(sized, encodedByteLength)),
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

/** Times the bytes of elements that an encoding of no fixed length takes at most: text of numbers. */
const USUAL = 8;

/**
 * Far above what any encoder makes, an application's included; four times as much for a shard, which may have parts that nothing refers to.
 * @param byteLength that the last codec encodes at most
 */
function maximumStored(sharding: ShardLayout | undefined, byteLength: number): number {
  const shard = sharding
    ? 4 * (sharding.innerCount * sharding.inner.maximumEncodedByteLength + sharding.indexByteLength)
    : 0;
  return 2 * maximumEncoded(Math.max(byteLength, shard));
}

async function loadNormalise(kernels: Kernels): Promise<Pipeline["normalise"]> {
  // A `bool` array has loaded the file that holds this with its data type.
  const { loadElements } = await import("../kernels/elements.js");
  const { normaliseBooleans } = await loadElements(kernels);
  return (elements) => normaliseBooleans(elements, elements);
}

async function instantiate(metadata: CodecMetadata, entry: CodecEntry, place: PipelinePlace): Promise<Codec> {
  return entry.prepare === undefined
    ? entry.fromConfig(metadata.configuration, place.spec)
    : entry.prepare(metadata, place);
}

/** The codec of an entry without a kind, the first of `loaded`: one of bytes as it is; one of arrays stands for all codecs behind it as well. */
async function prepareZarrita(
  loaded: readonly LoadedCodec[],
  entry: ZarritaCodecEntry,
  place: PipelinePlace,
): Promise<BytesToBytesCodec | ArrayToBytesCodec> {
  const codecs = loaded.map(({ metadata }) => metadata);
  const { spec, decoded, transposes } = place;
  // zarrita's transposes are strides alone.
  const meta = chunkMetadata(transposes === undefined ? spec : { ...spec, shape: decoded.shape }, codecs);
  const codec = entry.fromConfig(codecs[0]?.configuration, meta);
  if (codec.kind !== "array_to_array" && codec.kind !== "array_to_bytes") return codec;
  const { prepareChunkCodecs } = await import("./zarrita-codecs.js");
  return prepareChunkCodecs(codec, loaded, meta, place, (rest, encoded) =>
    // What zarrita makes of a list without one.
    buildPipeline(loaded.slice(rest), encoded, place.kernels, { endian: "little" }),
  );
}

async function prepareCodec(metadata: CodecMetadata, spec: ChunkSpec, kernels: Kernels): Promise<Codec> {
  const entry = await loadCodec(metadata.name);
  await entry.load?.(kernels, metadata.configuration);
  const place = { kernels, spec, decoded: spec, transposes: undefined, prepareCodecs, prepareCodec };
  return entry.kind === undefined
    ? prepareZarrita([{ metadata, entry }], entry, place)
    : instantiate(metadata, entry, place);
}

/** The codecs so far when they are transposes and nothing else. */
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

/** @param place where it must stand, from the array-to-bytes codec */
export function outOfOrder(name: string, kind: string, place: string): InvalidMetadataError {
  return new InvalidMetadataError(`${kind} codec "${name}" must stand ${place} the array-to-bytes codec`, {
    member: "codecs",
    codec: name,
  });
}

function notWazarrs(codec: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `registry.set("${codec}", loader): expected a codec with \`encoded\`, as its entry has a \`kind\`; one of zarrita's interface has none beside fromConfig`,
    { codec },
  );
}

function noSerializer(): InvalidMetadataError {
  return new InvalidMetadataError(
    'expected exactly one array-to-bytes codec such as {"name": "bytes", "configuration": {"endian": "little"}}, got none',
    { member: "codecs" },
  );
}

/** Bounds the work for a hostile document; `preparePipeline` reports what is wrong with it. */
const MOST_CODECS = 16;

/**
 * Begins to load the codecs that a document of v2 or v3 names as soon as it has arrived: the download and the compilation go on while the
 * document is parsed and the first chunk is requested. Errors are left to `preparePipeline`, which loads the same.
 * @param document a `zarr.json` or `.zarray`
 */
export function preloadCodecs(document: Json): void {
  for (const [name, configuration] of namedCodecs(document)) {
    preload(name, configuration).catch(() => {});
  }
}

async function preload(name: string, configuration: JsonObject): Promise<void> {
  const entry = await findCodec(name);
  await entry?.load?.(await loadKernels(), configuration);
}

function namedCodecs(document: Json): [name: string, configuration: JsonObject][] {
  const found: [name: string, configuration: JsonObject][] = [];
  const visit = (codecs: Json | undefined): void => {
    for (const codec of Array.isArray(codecs) ? codecs : [codecs]) {
      const given: JsonObject = isJsonObject(codec) ? codec : { name: codec ?? null };
      // v2 has the configuration beside the name, which it calls id.
      const { name = given.id, configuration = given } = given;
      if (typeof name !== "string" || found.length >= MOST_CODECS) return;
      if (!isJsonObject(configuration)) continue;
      found.push([name, configuration]);
      visit(configuration.codecs);
      // blosc decodes the streams of these with their codecs.
      if (configuration.cname === "zstd" || configuration.cname === "zlib")
        found.push([configuration.cname, {}]);
    }
  };
  if (isJsonObject(document))
    for (const member of ["codecs", "compressor", "filters"]) visit(document[member]);
  return found;
}
