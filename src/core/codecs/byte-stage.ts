/**
 * The bytes half of a pipeline: bytes-to-bytes codecs, one after the other. All codecs from the first
 * asynchronous one on (in encoding order) run asynchronously; the codecs before it run without a pause, in
 * arena memory.
 */
import { CodecError, InvalidMetadataError, placeOf, UnsupportedError } from "../../base/errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { AsynchronousCodec, BytesToBytesCodec, DecodeContext, FindNeededRanges } from "./codec.js";
import { DecodedTooLong, maximumEncoded } from "./decoder-result.js";
import type { ChunkLocation, NamedCodec, RangeDecoder } from "./pipeline.js";

/** Members as in Pipeline, but for the bytes-to-bytes codecs alone. */
export interface ByteStage {
  readonly wrapped: boolean;
  readonly outermost?: NamedCodec | undefined;
  /** The codecs from the first asynchronous one on. */
  readonly asynchronous?: AsynchronousCodec | undefined;
  readonly encodedByteLength: number | undefined;
  readonly scratchByteLength: number;
  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation, known?: Uint8Array): Uint8Array;
  /** Undefined if the first codec cannot decode a part. */
  readonly decodeRange: RangeDecoder | undefined;
  readonly neededRanges?: FindNeededRanges | undefined;
  encode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array;
}

/** @param byteLength length of the first codec's decoded bytes, if it is fixed */
export function prepareByteStage(codecs: readonly NamedCodec[], byteLength: number | undefined): ByteStage {
  const first = codecs.findIndex(({ codec }) => codec.synchronous !== true);
  const firstAsynchronous = first < 0 ? codecs.length : first;
  const synchronous = codecs.slice(0, firstAsynchronous);
  const later = codecs.slice(firstAsynchronous);
  return {
    decodeRange: prepareDecodeRange(synchronous),
    // Another compressor in front would have to decode bytes that were not read.
    neededRanges: codecs.length === 1 ? synchronous[0]?.codec.neededRanges : undefined,
    wrapped: codecs.length > 0,
    outermost: synchronous[codecs.length - 1],
    asynchronous: later.length > 0 ? asynchronousOf(later) : undefined,
    encodedByteLength: codecs.reduce<number | undefined>(
      (length, { codec }) => (length === undefined ? undefined : codec.encodedByteLength?.(length)),
      byteLength,
    ),
    scratchByteLength: synchronous.reduce(
      (sum, { codec, maximumByteLength, roomByteLength = maximumByteLength }) =>
        sum + roomByteLength + (codec.scratchByteLength ?? 0),
      0,
    ),

    decode(bytes, kernels, at, known) {
      return decodeSynchronous(synchronous, bytes, kernels, at, known);
    },

    encode(bytes, kernels, at) {
      let current = bytes;
      for (const step of synchronous) {
        try {
          current = synchronously(step.codec.encode(current, { kernels }), step.name);
        } catch (error) {
          throw located(error, step.name, at);
        }
      }
      return current;
    },
  };
}

function asynchronousOf(codecs: readonly NamedCodec[]): AsynchronousCodec {
  return {
    async decode(bytes, kernels, at) {
      let current = bytes;
      for (const step of codecs.toReversed()) {
        const context = contextOf(step, bytes, kernels, at);
        try {
          current = await decodeAsynchronous(step, current, context);
          checkLength(current, step, context);
        } catch (error) {
          throw located(step.bound?.explain(error, bytes.length, context) ?? error, step.name, at);
        }
      }
      return current;
    },
    async encode(bytes, kernels, at) {
      let current = bytes;
      for (const step of codecs) {
        try {
          current = await step.codec.encode(current, { kernels });
        } catch (error) {
          throw located(error, step.name, at);
        }
      }
      return current;
    },
  };
}

/** Codecs without a `kind` get no context: numcodecs.js takes an output buffer as its second argument. */
async function decodeAsynchronous(
  step: NamedCodec,
  bytes: Uint8Array,
  context: DecodeContext,
): Promise<Uint8Array> {
  const { codec } = step;
  if (codec.kind === undefined) return Reflect.apply(codec.decode, codec, [bytes]);
  return codec.decode(bytes, context);
}

function decodeSynchronous(
  codecs: readonly NamedCodec[],
  bytes: Uint8Array,
  kernels: Kernels,
  at: ChunkLocation,
  known?: Uint8Array,
): Uint8Array {
  let current = bytes;
  for (const step of codecs.toReversed()) {
    const context = contextOf(step, bytes, kernels, at);
    try {
      current = synchronously(known ?? step.codec.decode(current, context), step.name);
      known = undefined;
      checkLength(current, step, context);
    } catch (error) {
      throw located(step.bound?.explain(error, bytes.length, context) ?? error, step.name, at);
    }
  }
  return current;
}

function prepareDecodeRange(codecs: readonly NamedCodec[]): RangeDecoder | undefined {
  const [first, ...others] = codecs;
  if (first?.codec.decodeRange === undefined || first.byteLength === undefined) return undefined;
  return (bytes, start, end, kernels, at, elements) => {
    const encoded = decodeSynchronous(others, bytes, kernels, at);
    try {
      return first.codec.decodeRange?.(encoded, start, end, { ...first, kernels }, elements) ?? encoded;
    } catch (error) {
      throw located(error, first.name, at);
    }
  };
}

/**
 * @param byteLength length of the first codec's decoded bytes, if it is fixed; else `usualByteLength` is
 * an estimate of it
 */
export function sizeByteCodecs(
  codecs: readonly { readonly name: string; readonly codec: BytesToBytesCodec }[],
  byteLength: number | undefined,
  usualByteLength: number,
): NamedCodec[] {
  let exact = byteLength;
  let maximumByteLength = exact ?? maximumEncoded(usualByteLength) * 4;
  return codecs.map(({ name, codec }) => {
    const sized = { name, codec, byteLength: exact, maximumByteLength };
    exact = exact === undefined ? undefined : codec.encodedByteLength?.(exact);
    maximumByteLength = exact ?? maximumEncoded(maximumByteLength);
    return sized;
  });
}

function synchronously(result: Uint8Array | Promise<Uint8Array>, name: string): Uint8Array {
  if (result instanceof Uint8Array) return result;
  throw new CodecError("expected bytes, got a promise", { codec: name });
}

/** @param bytes the stored chunk, whose length limits the decoded length of elements without a fixed size */
function contextOf(
  { byteLength, maximumByteLength, bound }: NamedCodec,
  bytes: Uint8Array,
  kernels: Kernels,
  at: ChunkLocation,
): DecodeContext {
  return {
    kernels,
    byteLength,
    maximumByteLength: bound?.maximum(at, bytes.length) ?? maximumByteLength,
  };
}

function checkLength(
  { length }: Uint8Array,
  { name }: NamedCodec,
  { byteLength, maximumByteLength }: DecodeContext,
): void {
  if (byteLength !== undefined ? length === byteLength : length <= maximumByteLength) return;
  const message = `expected ${byteLength ?? `at most ${maximumByteLength}`} decoded bytes, got ${length}`;
  throw new DecodedTooLong(message, maximumByteLength, { codec: name });
}

/**
 * Adds codec and chunk to an error of wazarr; wraps any other error in a CodecError with the error as its
 * cause.
 */
export function located(
  error: unknown,
  codec: string,
  at: ChunkLocation,
): CodecError | UnsupportedError | InvalidMetadataError {
  // Thrown while encoding: settings that only writing needs are checked late.
  if (error instanceof InvalidMetadataError)
    return new InvalidMetadataError(error.reason, {
      codec: error.codec ?? codec,
      member: error.member,
      ...placeOf(at),
    });
  // UnsupportedError: the bytes are not at fault. wazarr does not write this codec, or must first load a
  // module (missing-modules.ts).
  const Located = error instanceof UnsupportedError ? UnsupportedError : CodecError;
  if (error instanceof Located) {
    if (error.chunk !== undefined) return error;
    return new Located(error.reason, {
      codec: error.codec ?? codec,
      ...placeOf(at),
      offset: error.offset,
      cause: error.cause,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new CodecError(`codec failed: ${reason}`, { codec, ...placeOf(at), cause: error });
}
