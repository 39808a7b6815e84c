/** Two streams at once come out as each of them alone, whatever is wrong with either. */
import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { inflate, loadInflate, loadInflatePair } from "../../../src/core/codecs/gzip/inflate.js";
import { mutate, random } from "../../fuzz/mutate.js";
import { blockOf, literalsOf, makeStreams, ROWS } from "./deflate-streams.js";
import { bothKernels, expectSame } from "./harness.js";

const GUARD = 0xa5;
const AROUND = 32;
const [wasm, javascript] = await bothKernels();
await loadInflate(wasm);
await loadInflate(javascript);
const loaded = await loadInflatePair(wasm);
if (loaded === undefined) throw new Error("expected WebAssembly");
const inflatePair = loaded;

interface Input {
  readonly source: Uint8Array;
  readonly capacity: number;
}

/**
 * What comes of a pair, of each alone, and of each in the fallback: results, and what was written of good
 * ones.
 */
function expectAsAlone(inputs: readonly [Input, Input]): void {
  wasm.begin(inputs.reduce((sum, { source, capacity }) => sum + source.length + 2 * capacity + 512, 0));
  const places = inputs.map(({ source, capacity }) => {
    const copy = wasm.allocate(source.length);
    copy.set(source);
    const whole = wasm.allocate(capacity + 2 * AROUND).fill(GUARD);
    return { source, copy, whole, target: whole.subarray(AROUND, AROUND + capacity) };
  });
  const [one, other] = places;
  if (one === undefined || other === undefined) throw new Error("expected two");
  const results = inflatePair([one.target, other.target], [one.copy, other.copy]);
  expect(results).toBeDefined();
  for (const [i, { source, copy, whole, target }] of places.entries()) {
    const result = results?.[i];
    expectSame(copy, source);
    expect([...whole.subarray(0, AROUND), ...whole.subarray(AROUND + target.length)]).toEqual(
      new Array(2 * AROUND).fill(GUARD),
    );
    for (const kernels of [wasm, javascript]) {
      const alone = kernels === wasm ? wasm.allocate(target.length) : new Uint8Array(target.length);
      const expected = inflate(kernels, alone, kernels === wasm ? copy : source);
      expect(result?.written).toBe(expected.written);
      if (expected.written < 0) continue;
      expect(result?.read).toBe(expected.read);
      expectSame(target.subarray(0, expected.written), alone.subarray(0, expected.written));
    }
  }
}

const next = random(7);
const noise = Uint8Array.from({ length: 70_000 }, () => next(256));
/** Mostly literals, of one, two or no blocks' worth; stored; fixed codes; nothing. */
const special = [
  noise.map((byte) => byte & 0x5f),
  noise.map((byte) => Math.min(byte, 40)).subarray(0, 30_000),
  noise.subarray(0, 20_000),
  new Uint8Array(50_000),
  new Uint8Array(),
].flatMap((bytes) =>
  [{}, { level: 0 }, { strategy: 4 }, { strategy: 2 }].map((settings) => ({
    bytes,
    encoded: new Uint8Array(deflateRawSync(bytes, settings)),
  })),
);
/** Blocks of literals and blocks of matches in turn, as shuffled numbers have. */
const text = new TextEncoder().encode("the quick brown fox jumps over the lazy dog. ".repeat(2000));
const mixed = [
  [noise, text, noise],
  [text, noise, text.subarray(0, 40_000), noise.subarray(0, 30_000)],
].map((parts) => {
  const bytes = new Uint8Array(Buffer.concat(parts.map((part) => part.map((byte) => byte & 0x7f))));
  return { bytes, encoded: new Uint8Array(deflateRawSync(bytes)) };
});
const long = ROWS.map((row) => literalsOf(row)).map((bytes) => ({ bytes, encoded: blockOf(bytes) }));
const streams = [...makeStreams(60, next), ...special, ...mixed, ...long];
const pick = () => {
  const stream = streams[next(streams.length)];
  if (stream === undefined) throw new Error("expected a stream");
  return stream;
};
const intact = ({ bytes, encoded }: (typeof streams)[number]): Input => ({
  source: encoded,
  capacity: bytes.length,
});

/** Something may be wrong with it. */
function damaged(stream: (typeof streams)[number]): Input {
  const { source, capacity } = intact(stream);
  const cut = next(source.length + 1);
  const kinds: (() => Input)[] = [
    () => ({ source, capacity }),
    () => ({ source: source.subarray(0, cut), capacity }),
    () => ({ source: mutate(source, pick().encoded, next), capacity }),
    () => ({ source, capacity: next(capacity + 1) }),
    () => ({ source: Uint8Array.of(...source.subarray(0, 30_000), 1, 2, 3), capacity: capacity + next(400) }),
  ];
  return kinds[next(kinds.length)]?.() ?? { source, capacity };
}

it("good streams of any kinds", () => {
  for (let i = 0; i < 400; i++) expectAsAlone([intact(pick()), intact(pick())]);
  for (const stream of [...special, ...mixed, ...long]) expectAsAlone([intact(stream), intact(stream)]);
  for (const first of mixed) for (const second of mixed) expectAsAlone([intact(first), intact(second)]);
});

it("with one or both truncated, mutated, or too long for their targets", () => {
  for (let i = 0; i < 1500; i++) expectAsAlone([damaged(pick()), damaged(pick())]);
});

it("not without WebAssembly, and not without room in its memory", async () => {
  expect(await loadInflatePair(javascript)).toBeUndefined();
  const outside = () => new Uint8Array(10);
  expect(inflatePair([outside(), outside()], [outside(), outside()])).toBeUndefined();
});
