/**
 * Inflates byte arrays, one stream or two at once: in WASM if its module is loaded and all operands lie in
 * the arena, else in JavaScript.
 */
import { type CodecError, isZarrError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import inflateModule from "../../../kernels/modules/inflate.generated.js";
import inflatePairModule from "../../../kernels/modules/inflate-pair.generated.js";
import type { PairDecoder } from "../codec.js";
import { damagedData, describeFailure, OUTPUT_OVERRUN } from "../decoder-result.js";
import { functionsOf, inArena, lazyKernelModule } from "../modules/kernel-modules.js";
import { lazyFallback } from "../modules/missing-modules.js";
import { lazyEncoder } from "../modules/writing-modules.js";
import type { InflateResult } from "./inflate-javascript.js";

const kernelModule = lazyKernelModule("inflate", inflateModule);
const fallback = lazyFallback("inflate", () => import("./inflate-javascript.js"));

export async function loadInflate(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallback.load();
}

/**
 * The greatest expansion of a deflate stream: 258 bytes from a bit for the length and one for the distance.
 */
export const MAXIMUM_EXPANSION = 1032;

/**
 * Inflates the stream at the start of `source` into `target`; matches reach back to the start of `target`.
 */
export function inflate(kernels: Kernels, target: Uint8Array, source: Uint8Array): InflateResult {
  const module = kernelModule.of(kernels);
  const to = module?.pointer(target);
  if (module === undefined || to === undefined) return fallback.get().inflate(target, source);
  const mark = kernels.mark();
  const from = inArena(kernels, module, source);
  kernels.release(mark);
  const { decode, consumed } = module.exports;
  if (from === undefined || decode === undefined || consumed === undefined)
    return fallback.get().inflate(target, source);
  const written = decode(to, target.length, from, source.length);
  return { written, read: consumed() };
}

/** Whether a stream was refused only because it makes more bytes than the target holds. */
export function isOutputFull({ written }: InflateResult): boolean {
  return written < 0 && describeFailure(written).code === OUTPUT_OVERRUN;
}

/** @param start where the stream begins in the value */
export function inflateError(codec: string, { written }: InflateResult, start: number): CodecError {
  const { reason, offset } = describeFailure(written);
  return damagedData(codec, "deflate stream (RFC 1951)", start + offset, reason);
}

/** The encoders of gzip and zlib, loaded before something is first written. */
export const deflateEncoder = lazyEncoder(async () => {
  const module = await import("./encode.js");
  await module.loadDeflate();
  return module;
});

/**
 * Encoded bytes for each decoded byte, below which there are too few literals for two streams at once to pay
 * for the memory of both. Shuffled numbers have more: planes that are noise beside planes that are nearly
 * constant.
 */
const WORTHWHILE = 0.4;

/** Up to this many decoded bytes of one value, the memory of another value does not matter. */
const LARGEST = 4 << 20;

const pairModule = lazyKernelModule("inflate-pair", inflatePairModule);
const pairFunctions = functionsOf((_, find) => ({
  decodePair: find("decodePair"),
  written: find("written"),
  consumed: find("consumed"),
}));

type Pair<T> = readonly [first: T, second: T];

/** Runs `inflate` for both. Undefined, with nothing done, if the arena has no room. */
type InflatePair = (targets: Pair<Uint8Array>, sources: Pair<Uint8Array>) => Pair<InflateResult> | undefined;

/** @returns undefined without WebAssembly: the fallback decodes one stream after the other */
export async function loadInflatePair(kernels: Kernels): Promise<InflatePair | undefined> {
  const module = await pairModule.load(kernels);
  if (module === undefined) return undefined;
  const { decodePair, written, consumed } = pairFunctions(module);
  return ([target, target2], [source, source2]) => {
    const to = module.pointer(target);
    const to2 = module.pointer(target2);
    const mark = kernels.mark();
    const from = inArena(kernels, module, source);
    const from2 = inArena(kernels, module, source2);
    kernels.release(mark);
    if (to === undefined || to2 === undefined || from === undefined || from2 === undefined) return undefined;
    decodePair(to, target.length, from, source.length, to2, target2.length, from2, source2.length);
    return [
      { written: written(0), read: consumed(0) },
      { written: written(1), read: consumed(1) },
    ];
  };
}

/** The header and the trailer around the deflate streams of a codec. */
export interface Wrapping {
  readonly codec: "gzip" | "zlib";
  readonly trailerLength: number;
  /** Length of the header at `position`, before a stream. @throws CodecError */
  headerLength(view: DataView, value: Uint8Array, kernels: Kernels, position: number): number;
  /** Compares the trailer at `position` with the decoded bytes. @throws CodecError */
  checkTrailer(view: DataView, position: number, kernels: Kernels, output: Uint8Array): void;
  /** The decoded length that the value claims. */
  claimedLength?(view: DataView): number;
}

/**
 * Inflates two values at once: each waits only for its own bits, and a processor has room for both. Works for
 * usual values only: one stream each, of the expected length. The codec itself handles all others, and
 * errors.
 *
 * @param length decoded bytes of every value, at most
 * @returns a decoder that gives up at the first unusual pair, so that not every value is decoded in vain;
 * undefined if it would not help
 */
export async function pairDecoder(
  kernels: Kernels,
  length = Number.POSITIVE_INFINITY,
  { headerLength, checkTrailer, trailerLength }: Wrapping,
): Promise<PairDecoder | undefined> {
  if (length > LARGEST) return undefined;
  const inflatePair = await loadInflatePair(kernels);
  if (inflatePair === undefined) return undefined;
  let isUsual = true;

  function isRight(
    value: Uint8Array,
    start: number,
    { written, read }: InflateResult,
    output: Uint8Array,
  ): boolean {
    const position = start + read;
    if (written !== output.length || value.length - position !== trailerLength) return false;
    checkTrailer(viewOf(value), position, kernels, output);
    return true;
  }

  return (first, second, context, context2) => {
    const { byteLength } = context;
    const { byteLength: byteLength2 } = context2;
    if (!isUsual || byteLength === undefined || byteLength2 === undefined) return undefined;
    if (first.length + second.length < WORTHWHILE * (byteLength + byteLength2)) return undefined;
    isUsual = false;
    try {
      const start = headerLength(viewOf(first), first, kernels, 0);
      const start2 = headerLength(viewOf(second), second, kernels, 0);
      const output = kernels.allocate(byteLength);
      const output2 = kernels.allocate(byteLength2);
      const results = inflatePair([output, output2], [first.subarray(start), second.subarray(start2)]);
      isUsual =
        results !== undefined &&
        isRight(first, start, results[0], output) &&
        isRight(second, start2, results[1], output2);
      return isUsual ? [output, output2] : undefined;
    } catch (error) {
      if (isZarrError(error)) return undefined;
      throw error;
    }
  };
}

function viewOf(value: Uint8Array): DataView {
  return new DataView(value.buffer, value.byteOffset, value.length);
}
