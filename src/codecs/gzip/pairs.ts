/**
 * Two values of gzip or zlib inflated at once: both wait for their own bits only, and a processor has room for both. Of the usual
 * kind, that is: one stream a value, of the length that is expected. Anything else is for the codec itself, as are errors.
 */
import { isZarrError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import inflatePairModule from "../../kernels/modules/inflate-pair.generated.js";
import type { DecodeContext, PairDecoder } from "../codec.js";
import { functionsOf, inArena, lazyKernelModule } from "../kernel-module.js";
import type { InflateResult } from "./javascript/inflate.js";

/**
 * Encoded bytes for one decoded, below which two streams take longer than one after the other: values are mostly matches, then, which
 * the processor does not foresee. Measured: at 0.67 a tenth longer, at 0.76 a sixth less, at 0.88 a third less.
 */
const WORTHWHILE = 0.7;

/** Decoded bytes of one value, up to which the memory of another is no matter. */
const LARGEST = 4 << 20;

const kernelModule = lazyKernelModule("inflate-pair", inflatePairModule);
const functions = functionsOf((_, find) => ({
  decodePair: find("decodePair"),
  written: find("written"),
  consumed: find("consumed"),
}));

type Pair<T> = readonly [first: T, second: T];

/** What `inflate` makes of each; undefined, and nothing done, where the arena has no room. */
export type InflatePair = (
  targets: Pair<Uint8Array>,
  sources: Pair<Uint8Array>,
) => Pair<InflateResult> | undefined;

/** @returns undefined where there is no WebAssembly: the twin decodes one after the other */
export async function loadInflatePair(kernels: Kernels): Promise<InflatePair | undefined> {
  const module = await kernelModule.load(kernels);
  if (module === undefined) return undefined;
  const { decodePair, written, consumed } = functions(module);
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

/**
 * @param length decoded bytes of every value, at most
 * @param startOf where in a value the stream begins; throws CodecError
 * @param check compares the trailer at `position` with what was decoded; throws CodecError
 * @returns what gives up with the first values that are unusual, so that not every one of them is decoded in vain
 */
export async function pairDecoder(
  kernels: Kernels,
  length = Number.POSITIVE_INFINITY,
  startOf: (view: DataView, value: Uint8Array, kernels: Kernels) => number,
  check: (view: DataView, position: number, context: DecodeContext, output: Uint8Array) => void,
  trailerLength: number,
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
    context: DecodeContext,
  ): boolean {
    const position = start + read;
    if (written !== output.length || value.length - position !== trailerLength) return false;
    check(viewOf(value), position, context, output);
    return true;
  }

  return (first, second, context, context2) => {
    const { byteLength } = context;
    const { byteLength: byteLength2 } = context2;
    if (!isUsual || byteLength === undefined || byteLength2 === undefined) return undefined;
    if (first.length + second.length < WORTHWHILE * (byteLength + byteLength2)) return undefined;
    isUsual = false;
    try {
      const start = startOf(viewOf(first), first, kernels);
      const start2 = startOf(viewOf(second), second, kernels);
      const output = kernels.allocate(byteLength);
      const output2 = kernels.allocate(byteLength2);
      const results = inflatePair([output, output2], [first.subarray(start), second.subarray(start2)]);
      isUsual =
        results !== undefined &&
        isRight(first, start, results[0], output, context) &&
        isRight(second, start2, results[1], output2, context2);
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
