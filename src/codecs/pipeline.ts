/**
 * An array's codecs, prepared once: loaded, checked against each other, their sizes and layout worked out. Per chunk only
 * what the bytes themselves claim is checked.
 *
 * Decoding a chunk: encoded bytes -> bytes-to-bytes codecs -> "stored elements": the elements of the chunk as the
 * array-to-bytes codec left them, described by `strides`, `swapUnit` and `swapRuns`. Transposition and byte order are never passes
 * of their own: the copy to the result (src/engine) follows the strides and reverses bytes on its way.
 */
import { CodecError, InvalidMetadataError } from "../errors.js";
import type { Kernels, SwapUnit } from "../kernels/kernels.js";
import type { ArrayMetadata, CodecMetadata } from "../metadata/model.js";
import { type ArrayStage, prepareArrayStage } from "./array-stage.js";
import type {
  ArrayToArrayCodec,
  ArrayToBytesCodec,
  BytesToBytesCodec,
  ChunkLocation,
  ChunkSpec,
  Codec,
  CodecEntry,
  NamedCodec,
  Pipeline,
  PipelinePlace,
  ShardLayout,
  VariablePipeline,
} from "./codec.js";
import { located } from "./located.js";
import { maximumEncoded } from "./maximum-encoded.js";
import { isRegistered, loadCodec } from "./registry.js";

/** @throws UnknownCodecError, InvalidMetadataError when the codecs do not form a pipeline */
export async function preparePipeline(metadata: ArrayMetadata, kernels: Kernels): Promise<Pipeline> {
  const spec: ChunkSpec = {
    shape: metadata.chunkGrid.chunkShape,
    dataType: metadata.dataType,
    fillValue: metadata.fillValue,
    endian: metadata.zarrFormat === 3 ? undefined : metadata.endian,
  };
  const loaded = await loadCodecs(metadata.codecs, kernels);
  if (metadata.zarrFormat !== 3 && !loaded.some(({ entry }) => entry.kind === "array_to_bytes")) {
    // v2 and the draft have no array-to-bytes codec: the elements follow the last array filter.
    const firstOnBytes = loaded.findIndex(
      ({ entry }) => (entry.kind ?? "bytes_to_bytes") === "bytes_to_bytes",
    );
    const bytes = await loadCodecs([IMPLICIT_BYTES], kernels);
    loaded.splice(firstOnBytes < 0 ? loaded.length : firstOnBytes, 0, ...bytes);
  }
  return buildPipeline(loaded, spec, kernels);
}

/** The pipeline of a list of codecs as v3 has it. @throws UnknownCodecError, InvalidMetadataError */
export async function prepareCodecs(
  codecs: readonly CodecMetadata[],
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Pipeline> {
  return buildPipeline(await loadCodecs(codecs, kernels), spec, kernels);
}

/** `bytes` in the byte order that the data type or the last filter of a v2 array states. */
const IMPLICIT_BYTES: CodecMetadata = { name: "bytes", configuration: {} };

interface LoadedCodec {
  readonly metadata: CodecMetadata;
  readonly entry: CodecEntry;
}

async function loadCodecs(codecs: readonly CodecMetadata[], kernels: Kernels): Promise<LoadedCodec[]> {
  const needed = codecs.filter(({ name, mustUnderstand }) => mustUnderstand !== false || isRegistered(name));
  return Promise.all(
    needed.map(async (metadata): Promise<LoadedCodec> => {
      const entry = await loadCodec(metadata.name);
      await entry.load?.(kernels);
      return { metadata, entry };
    }),
  );
}

async function buildPipeline(
  loaded: readonly LoadedCodec[],
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<Pipeline> {
  const arrayCodecs: { name: string; codec: ArrayToArrayCodec; metadata: CodecMetadata }[] = [];
  const byteCodecs: { name: string; codec: BytesToBytesCodec }[] = [];
  let serializer: { name: string; codec: ArrayToBytesCodec } | undefined;
  let current = spec;
  for (const { metadata: given, entry } of loaded) {
    // A filter of v2 may turn out to make bytes itself, of elements of variable length.
    if (given === IMPLICIT_BYTES && serializer !== undefined) continue;
    const metadata =
      given === IMPLICIT_BYTES && current.endian !== undefined
        ? { ...given, configuration: { endian: current.endian } }
        : given;
    const { name } = metadata;
    const codec = await instantiate(
      { metadata, entry },
      {
        kernels,
        spec: current,
        decoded: spec,
        transposes: transposesOf(arrayCodecs),
        prepareCodecs,
        prepareCodec,
      },
    );
    if (codec.kind === "array_to_array") {
      if (serializer !== undefined) throw outOfOrder(name, "array-to-array", "before");
      arrayCodecs.push({ name, codec, metadata });
      current = codec.encoded;
    } else if (codec.kind === "array_to_bytes") {
      if (serializer !== undefined) throw outOfOrder(name, "second array-to-bytes", "nowhere beside");
      serializer = { name, codec };
    } else {
      if (serializer === undefined) throw outOfOrder(name, "bytes-to-bytes", "after");
      byteCodecs.push({ name, codec });
    }
  }
  if (serializer === undefined) {
    throw new InvalidMetadataError(
      'expected exactly one array-to-bytes codec such as {"name": "bytes", "configuration": {"endian": "little"}}, got none',
      { member: "codecs" },
    );
  }
  const variable =
    spec.dataType.itemSize > 0
      ? undefined
      : (await import("./variable/stage.js")).prepareVariable(arrayCodecs, serializer, spec, current);
  const stage = variable?.stage ?? prepareArrayStage(arrayCodecs, serializer, spec, current);
  return new PreparedPipeline(
    spec.shape,
    stage,
    variable === undefined ? sizeByteCodecs(byteCodecs, stage) : variable.size(byteCodecs),
    serializer.codec.sharding,
    variable?.pipeline,
    spec.dataType.name === "bool" ? await loadNormalise(kernels) : undefined,
  );
}

async function loadNormalise(kernels: Kernels): Promise<Pipeline["normalise"]> {
  const { loadElements } = await import("../kernels/elements.js");
  const { normaliseBooleans } = await loadElements(kernels);
  return (elements) => normaliseBooleans(elements, elements);
}

async function instantiate({ metadata, entry }: LoadedCodec, place: PipelinePlace): Promise<Codec> {
  return entry.prepare === undefined
    ? entry.fromConfig(metadata.configuration, place.spec)
    : entry.prepare(metadata, place);
}

async function prepareCodec(metadata: CodecMetadata, spec: ChunkSpec, kernels: Kernels): Promise<Codec> {
  const entry = await loadCodec(metadata.name);
  await entry.load?.(kernels);
  return instantiate(
    { metadata, entry },
    { kernels, spec, decoded: spec, transposes: undefined, prepareCodecs, prepareCodec },
  );
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

function outOfOrder(name: string, kind: string, place: string): InvalidMetadataError {
  return new InvalidMetadataError(`${kind} codec "${name}" must stand ${place} the array-to-bytes codec`, {
    member: "codecs",
    codec: name,
  });
}

function sizeByteCodecs(
  codecs: readonly { name: string; codec: BytesToBytesCodec }[],
  stage: ArrayStage,
): NamedCodec[] {
  let byteLength = stage.encodedByteLength;
  let maximumByteLength = byteLength ?? maximumEncoded(stage.byteLength) * 4;
  return codecs.map(({ name, codec }) => {
    const sized = { name, codec, byteLength, maximumByteLength };
    byteLength = byteLength === undefined ? undefined : codec.encodedByteLength?.(byteLength);
    maximumByteLength = byteLength ?? maximumEncoded(maximumByteLength);
    return sized;
  });
}

class PreparedPipeline implements Pipeline {
  readonly shape: readonly number[];
  readonly encodedByteLength: number | undefined;
  readonly sharding: ShardLayout | undefined;
  readonly variable: VariablePipeline | undefined;
  readonly wrapped: boolean;
  readonly byteLength: number;
  readonly strides: readonly number[];
  readonly swapUnit: SwapUnit;
  readonly swapRuns: ArrayStage["swapRuns"];
  readonly normalise: Pipeline["normalise"];
  readonly asynchronous: boolean;
  readonly scratchByteLength: number;
  readonly #stage: ArrayStage;
  readonly #codecs: readonly NamedCodec[];
  /** Index of the first codec that is asynchronous in encoding order: decoding ahead stops after it. */
  readonly #firstAsynchronous: number;

  constructor(
    shape: readonly number[],
    stage: ArrayStage,
    codecs: readonly NamedCodec[],
    sharding: ShardLayout | undefined,
    variable: VariablePipeline | undefined,
    normalise: Pipeline["normalise"],
  ) {
    this.shape = shape;
    this.normalise = normalise;
    this.sharding = sharding;
    this.variable = variable;
    this.wrapped = codecs.length > 0;
    this.encodedByteLength = codecs.reduce<number | undefined>(
      (length, { codec }) => (length === undefined ? undefined : codec.encodedByteLength?.(length)),
      stage.encodedByteLength,
    );
    this.#stage = stage;
    this.#codecs = codecs;
    const first = codecs.findIndex(({ codec }) => codec.synchronous !== true);
    this.#firstAsynchronous = first < 0 ? codecs.length : first;
    this.asynchronous = first >= 0;
    this.byteLength = stage.byteLength;
    this.strides = stage.strides;
    this.swapUnit = stage.swapUnit;
    this.swapRuns = stage.swapRuns;
    const synchronous = codecs.slice(0, this.#firstAsynchronous);
    this.scratchByteLength =
      stage.scratchByteLength +
      synchronous.reduce(
        (sum, { codec, maximumByteLength, roomByteLength = maximumByteLength }) =>
          sum + roomByteLength + (codec.scratchByteLength ?? 0),
        0,
      );
  }

  async decodeAhead(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array> {
    let current = bytes;
    for (const step of this.#codecs.slice(this.#firstAsynchronous).toReversed()) {
      try {
        current = await step.codec.decode(current, { ...step, kernels });
      } catch (error) {
        throw located(error, step.name, at);
      }
      checkLength(current, step, at);
    }
    return current;
  }

  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array {
    const elements = this.#decodeSynchronous(bytes, kernels, at);
    try {
      return this.#stage.decode(elements, kernels);
    } catch (error) {
      throw located(error, this.#stage.name, at);
    }
  }

  #decodeSynchronous(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array {
    let current = bytes;
    for (let i = this.#firstAsynchronous - 1; i >= 0; i--) {
      const step = this.#codecs[i];
      if (step === undefined) continue;
      try {
        current = synchronously(step.codec.decode(current, { ...step, kernels }), step.name);
      } catch (error) {
        throw located(error, step.name, at);
      }
      checkLength(current, step, at);
    }
    return current;
  }

  encode(elements: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array {
    let encoded: Uint8Array;
    try {
      encoded = this.#stage.encode(elements, kernels);
    } catch (error) {
      throw located(error, this.#stage.name, at);
    }
    return this.#encodeSynchronous(encoded, kernels, at);
  }

  #encodeSynchronous(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array {
    let current = bytes;
    for (const step of this.#codecs.slice(0, this.#firstAsynchronous)) {
      try {
        current = synchronously(step.codec.encode(current, { kernels }), step.name);
      } catch (error) {
        throw located(error, step.name, at);
      }
    }
    return current;
  }

  async encodeRest(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array> {
    let current = bytes;
    for (const step of this.#codecs.slice(this.#firstAsynchronous)) {
      try {
        current = await step.codec.encode(current, { kernels });
      } catch (error) {
        throw located(error, step.name, at);
      }
    }
    return current;
  }

  async unwrap(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array> {
    const ahead = await this.decodeAhead(bytes, kernels, at);
    if (this.#firstAsynchronous === 0) return ahead;
    kernels.begin(ahead.length + this.scratchByteLength + 65536);
    return this.#decodeSynchronous(ahead, kernels, at).slice();
  }

  async wrap(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array> {
    if (!this.wrapped) return bytes;
    kernels.begin(bytes.length + this.scratchByteLength + 65536);
    return this.encodeRest(this.#encodeSynchronous(bytes, kernels, at).slice(), kernels, at);
  }
}

function synchronously(result: Uint8Array | Promise<Uint8Array>, name: string): Uint8Array {
  if (result instanceof Uint8Array) return result;
  throw new CodecError("a codec marked synchronous returned a promise", { codec: name });
}

function checkLength(bytes: Uint8Array, step: NamedCodec, at: ChunkLocation): void {
  const { byteLength, maximumByteLength, name } = step;
  if (byteLength !== undefined ? bytes.length === byteLength : bytes.length <= maximumByteLength) return;
  const expected = byteLength ?? `at most ${maximumByteLength}`;
  throw new CodecError(`expected ${expected} decoded bytes, got ${bytes.length}`, { codec: name, ...at });
}
