/**
 * An array's codecs, prepared once: loaded, checked against each other, their sizes and layout worked out. Per chunk only
 * what the bytes themselves claim is checked.
 *
 * Decoding a chunk: encoded bytes -> bytes-to-bytes codecs -> "stored elements": the elements of the chunk as the
 * array-to-bytes codec left them, described by `strides` and `swapUnit`. Transposition and byte order are never passes
 * of their own: the copy to the result (src/engine) follows the strides and reverses bytes on its way.
 */
import type { DataType } from "../data-types/data-type.js";
import { CodecError, InvalidMetadataError } from "../errors.js";
import type { Kernels, SwapUnit } from "../kernels/kernels.js";
import type { ArrayMetadata, CodecMetadata } from "../metadata/model.js";
import { type ArrayStage, prepareArrayStage } from "./array-stage.js";
import type {
  ArrayToArrayCodec,
  ArrayToBytesCodec,
  BytesToBytesCodec,
  ChunkSpec,
  Codec,
  CodecEntry,
} from "./codec.js";
import { isRegistered, loadCodec } from "./registry.js";

/** Where a chunk is, for errors. */
export interface ChunkLocation {
  readonly key: string;
  readonly chunk: readonly number[];
}

export interface Pipeline {
  /** Bytes of the stored elements of one chunk. */
  readonly byteLength: number;
  /** Bytes from one stored element to the next, by dimension of the chunk. */
  readonly strides: readonly number[];
  /** The stored elements' byte order: each unit is to be reversed on the way out (1: as memory). */
  readonly swapUnit: SwapUnit;
  /** Whether `decodeAhead`/`encodeRest` have anything to do: some bytes-to-bytes codec is asynchronous. */
  readonly asynchronous: boolean;
  /** Arena bytes a decode or encode may want besides its input. */
  readonly scratchByteLength: number;
  /** Runs the decoders up to and including the last asynchronous one. */
  decodeAhead(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
  /** Runs the remaining decoders; the result may be arena memory or `bytes` itself, and is never to be modified. */
  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array;
  /** Runs the encoders before the first asynchronous one; the result may be arena memory or `elements` itself. */
  encode(elements: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array;
  /** Runs the remaining encoders. */
  encodeRest(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
}

interface NamedCodec {
  readonly name: string;
  readonly codec: BytesToBytesCodec;
  /** Exact and greatest number of bytes that decoding yields. */
  readonly byteLength: number | undefined;
  readonly maximumByteLength: number;
}

/** No encoder in use expands its input by more than this; a decoder that yields more is refused. */
const maximumEncoded = (byteLength: number): number => byteLength + (byteLength >> 3) + 65536;

/** @throws UnknownCodecError, InvalidMetadataError when the codecs do not form a pipeline */
export async function preparePipeline(metadata: ArrayMetadata, kernels: Kernels): Promise<Pipeline> {
  const spec: ChunkSpec = {
    shape: metadata.chunkGrid.chunkShape,
    dataType: metadata.dataType,
    fillValue: metadata.fillValue,
  };
  const entries = await loadEntries(metadata, kernels);
  return buildPipeline(entries, spec);
}

interface LoadedCodec {
  readonly name: string;
  readonly entry: CodecEntry;
  readonly configuration: CodecMetadata["configuration"];
}

async function loadEntries(metadata: ArrayMetadata, kernels: Kernels): Promise<LoadedCodec[]> {
  const load = async ({ name, configuration }: CodecMetadata): Promise<LoadedCodec> => {
    const entry = await loadCodec(name);
    await entry.load?.(kernels, configuration);
    return { name, entry, configuration };
  };
  const needed = metadata.codecs.filter(
    ({ name, mustUnderstand }) => mustUnderstand !== false || isRegistered(name),
  );
  const loaded = await Promise.all(needed.map(load));
  if (metadata.zarrFormat !== 3 && !loaded.some(({ entry }) => entry.kind === "array_to_bytes")) {
    // v2 and the draft have no array-to-bytes codec: the elements follow the last array filter, in the data type's order.
    const configuration = metadata.endian === undefined ? {} : { endian: metadata.endian };
    const firstOnBytes = loaded.findIndex(
      ({ entry }) => (entry.kind ?? "bytes_to_bytes") === "bytes_to_bytes",
    );
    loaded.splice(
      firstOnBytes < 0 ? loaded.length : firstOnBytes,
      0,
      await load({ name: "bytes", configuration }),
    );
  }
  return loaded;
}

function buildPipeline(entries: readonly LoadedCodec[], spec: ChunkSpec): Pipeline {
  const arrayCodecs: { name: string; codec: ArrayToArrayCodec }[] = [];
  const byteCodecs: { name: string; codec: BytesToBytesCodec }[] = [];
  let serializer: { name: string; codec: ArrayToBytesCodec } | undefined;
  let current = spec;
  for (const { name, entry, configuration } of entries) {
    const codec: Codec = entry.fromConfig(configuration, current);
    if (codec.kind === "array_to_array") {
      if (serializer !== undefined) throw outOfOrder(name, "array-to-array", "before");
      arrayCodecs.push({ name, codec });
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
  const stage = prepareArrayStage(arrayCodecs, serializer, spec, current);
  return new PreparedPipeline(stage, sizeByteCodecs(byteCodecs, stage));
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
  readonly byteLength: number;
  readonly strides: readonly number[];
  readonly swapUnit: SwapUnit;
  readonly asynchronous: boolean;
  readonly scratchByteLength: number;
  readonly #stage: ArrayStage;
  readonly #codecs: readonly NamedCodec[];
  /** Index of the first codec that is asynchronous in encoding order: decoding ahead stops after it. */
  readonly #firstAsynchronous: number;

  constructor(stage: ArrayStage, codecs: readonly NamedCodec[]) {
    this.#stage = stage;
    this.#codecs = codecs;
    const first = codecs.findIndex(({ codec }) => codec.synchronous !== true);
    this.#firstAsynchronous = first < 0 ? codecs.length : first;
    this.asynchronous = first >= 0;
    this.byteLength = stage.byteLength;
    this.strides = stage.strides;
    this.swapUnit = stage.swapUnit;
    const synchronous = codecs.slice(0, this.#firstAsynchronous);
    this.scratchByteLength =
      stage.scratchByteLength +
      synchronous.reduce((sum, { maximumByteLength }) => sum + maximumByteLength, 0);
  }

  async decodeAhead(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array> {
    let current = bytes;
    for (let i = this.#codecs.length - 1; i >= this.#firstAsynchronous; i--) {
      const step = this.#codecs[i];
      if (step === undefined) continue;
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
    try {
      return this.#stage.decode(current, kernels);
    } catch (error) {
      throw located(error, this.#stage.name, at);
    }
  }

  encode(elements: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array {
    let name = this.#stage.name;
    try {
      let current = this.#stage.encode(elements, kernels);
      for (const step of this.#codecs.slice(0, this.#firstAsynchronous)) {
        name = step.name;
        current = synchronously(step.codec.encode(current, { kernels }), name);
      }
      return current;
    } catch (error) {
      throw located(error, name, at);
    }
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

/** A codec's own error with the chunk added; anything else it threw becomes a CodecError with the cause kept. */
function located(error: unknown, codec: string, at: ChunkLocation): CodecError {
  if (error instanceof CodecError) {
    if (error.chunk !== undefined) return error;
    return new CodecError(error.message, { codec, ...at, offset: error.offset, cause: error.cause });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new CodecError(`codec failed: ${reason}`, { codec, ...at, cause: error });
}

/** Fill value as one element in the stored byte order, which is what a chunk of nothing else repeats. */
export function fillPattern(dataType: DataType, fillValue: unknown): Uint8Array {
  const pattern = new Uint8Array(dataType.itemSize);
  if (fillValue !== undefined && fillValue !== null) dataType.writeScalar(fillValue, pattern);
  return pattern;
}
