/**
 * Mutation fuzzing of a decoder. Every mutated input is decoded by WASM and by its fallback, between guard
 * bytes; both must accept it with the same bytes or refuse it with the same CodecError, in bounded time, and
 * leave the input alone.
 */
import { isZarrError } from "../../src/base/errors.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { bothKernels } from "../core/codecs/harness.js";
import { firstDifference } from "../kernels/reference.js";
import { decoderOf, type FuzzDecoder } from "./decoders.js";
import { type GuardedKernels, guardKernels } from "./guarded.js";
import { mutate, random } from "./mutate.js";
import type { FuzzTarget } from "./targets.js";

export interface FuzzResult {
  readonly inputs: number;
  readonly accepted: number;
  /** Accepted with the bytes of the input that was mutated. */
  readonly unchanged: number;
  readonly seconds: number;
}

export interface Seed {
  readonly encoded: Uint8Array;
  readonly decoded: Uint8Array;
}

/** No input is long: what takes a second does not end. */
const MAXIMUM_MILLISECONDS = 1000;

interface Side {
  readonly guarded: GuardedKernels;
  readonly decoder: FuzzDecoder;
}

/**
 * @throws Error with the input in base64 at the first one that both sides do not agree on, or that one of
 * them chokes on
 */
export async function fuzz(target: FuzzTarget, inputs: number, seed: number): Promise<FuzzResult> {
  const sides: Side[] = [];
  for (const kernels of await bothKernels()) {
    const guarded = guardKernels(kernels);
    sides.push({ guarded, decoder: await decoderOf(guarded.kernels, target) });
  }
  const seeds = makeSeeds(target, sides);
  const { stackTraceLimit } = Error;
  // Most of the time would go into stack traces of refusals.
  Error.stackTraceLimit = 0;
  try {
    return run(target, sides, seeds, inputs, seed);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function run(
  target: FuzzTarget,
  sides: readonly Side[],
  seeds: readonly Seed[],
  inputs: number,
  seed: number,
): FuzzResult {
  const next = random(seed);
  const began = performance.now();
  let accepted = 0;
  let unchanged = 0;
  for (let i = 0; i < inputs; i++) {
    const from = pick(seeds, next(seeds.length));
    const input = mutate(from.encoded, pick(seeds, next(seeds.length)).encoded, next);
    if (next(4) > 0) target.repair?.(input);
    // A few without a known length, as behind a codec whose output has none.
    const byteLength = next(8) === 0 ? undefined : from.decoded.length;
    const outcomes = sides.map((side) => decode(side, input, byteLength, from.decoded.length));
    const problem = disagreement(outcomes, input, from, target);
    if (problem !== undefined) {
      throw new Error(
        `${target.name}: ${problem}; seed ${seed}, input ${i}, byteLength ${byteLength}: ${toBase64(input)}`,
      );
    }
    if (typeof outcomes[0] === "string") continue;
    accepted++;
    if (outcomes[0] !== undefined && firstDifference(outcomes[0], from.decoded) < 0) unchanged++;
  }
  return { inputs, accepted, unchanged, seconds: (performance.now() - began) / 1000 };
}

function makeSeeds(target: FuzzTarget, sides: readonly Side[]): Seed[] {
  const writer = sides[0];
  if (writer === undefined) throw new Error("expected kernels to fuzz");
  const seeds = [
    ...(target.seeds ?? []),
    ...(target.encoded ?? []).map((encoded) => ({ encoded, decoded: decodeSeed(writer, encoded) })),
    ...(target.data ?? []).map((decoded) => ({
      encoded: encode(writer, decoded),
      decoded,
    })),
  ];
  for (const { encoded, decoded } of seeds) {
    for (const side of sides) {
      const outcome = decode(side, encoded, decoded.length, decoded.length);
      if (typeof outcome === "string" || firstDifference(outcome, decoded) >= 0) {
        throw new Error(`${target.name}: a seed of ${decoded.length} bytes does not decode: ${outcome}`);
      }
    }
  }
  return seeds;
}

function decodeSeed(side: Side, encoded: Uint8Array): Uint8Array {
  const decoded = decode(side, encoded, undefined, 2 ** 16);
  if (typeof decoded === "string") throw new Error(`a seed does not decode: ${decoded}`);
  return decoded;
}

function encode({ guarded, decoder }: Side, data: Uint8Array): Uint8Array {
  guarded.kernels.begin(4 * data.length + 2 ** 20);
  return decoder.encode(data).slice();
}

/** A copy of the decoded bytes, or the message of a CodecError. */
function decode(
  { guarded, decoder }: Side,
  input: Uint8Array,
  byteLength: number | undefined,
  maximumByteLength: number,
  again = false,
): Uint8Array | string {
  const { kernels } = guarded;
  const before = input.slice();
  const began = performance.now();
  kernels.begin(2 * input.length + 4 * maximumByteLength + 2 ** 19);
  let outcome: Uint8Array | string;
  try {
    const source = copyInto(kernels, input);
    const decoded = decoder.decode(source, { kernels, byteLength, maximumByteLength });
    if (firstDifference(source, before) >= 0) throw new Error("the input was modified");
    outcome = decoded.slice();
  } catch (error) {
    if (!isZarrError(error, "CodecError", "UnsupportedError")) throw failureWith(input, error);
    outcome = error.message;
  }
  guarded.check();
  if (performance.now() - began > MAXIMUM_MILLISECONDS) {
    // A busy machine may have kept us waiting: what is slow is slow again.
    if (again) throw failureWith(input, "too slow");
    return decode({ guarded, decoder }, input, byteLength, maximumByteLength, true);
  }
  return outcome;
}

function copyInto(kernels: Kernels, input: Uint8Array): Uint8Array {
  const copy = kernels.allocate(input.length);
  copy.set(input);
  return copy;
}

function disagreement(
  [first, second]: readonly (Uint8Array | string)[],
  input: Uint8Array,
  from: Seed,
  { checksummed }: FuzzTarget,
): string | undefined {
  if (typeof first === "string" || typeof second === "string") {
    return first === second ? undefined : `WASM: ${describe(first)}; fallback: ${describe(second)}`;
  }
  if (first === undefined || second === undefined) return "no outcome";
  const at = firstDifference(first, second);
  if (at >= 0) return `WASM and fallback differ at byte ${at}`;
  // Another seed's end may bring its own valid checksum along; damage that is of the seed's own length may
  // not.
  if (
    checksummed?.(input, from.encoded) &&
    first.length === from.decoded.length &&
    firstDifference(first, from.decoded) >= 0
  ) {
    return "wrong data with a right checksum";
  }
  return undefined;
}

function describe(outcome: Uint8Array | string | undefined): string {
  return typeof outcome === "object" ? `${outcome.length} bytes` : String(outcome);
}

function failureWith(input: Uint8Array, cause: unknown): Error {
  return new Error(`an input of ${input.length} bytes failed: ${cause}: ${toBase64(input)}`, { cause });
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error("expected a seed");
  return item;
}
