/** What our own zstd encoder makes of structured random bytes, read by zstd(1). */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { encodeZstd, loadEncoder } from "../../../src/core/codecs/zstd/encode/encode.js";
import { encodeStored } from "../../../src/core/codecs/zstd/encode/stored.js";
import { warnLoudly } from "../../setup/oracles.js";
import { bothKernels, expectSame } from "./harness.js";

const [wasm] = await bothKernels();
await loadEncoder(wasm);

const found = spawnSync("zstd", ["--version"]).status === 0;
if (!found)
  warnLoudly("No zstd(1): its cross-check of the encoder is SKIPPED. Debian's package has its name.");

function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Runs, noise, few symbols, repetitions near and far (also of more than 64 KiB), ramps. */
function structured(length: number, next: (below: number) => number): Uint8Array {
  const data = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const end = Math.min(length, at + 1 + next(next(10) === 0 ? 100_000 : 1 << next(13)));
    const kind = next(7);
    const distance = 1 + next(next(2) === 0 ? at : Math.min(at, 64));
    const [low, range, shift] = [next(200), 1 + next(50), next(8)];
    for (let i = at; i < end; i++) {
      if (kind === 0) data[i] = low;
      else if (kind === 1) data[i] = next(256);
      else if (kind === 2) data[i] = low + next(range);
      else if (kind < 6 && distance <= at) data[i] = data[i - distance] ?? 0;
      else data[i] = ((i - at) << shift) >> 3;
    }
    at = end;
  }
  return data;
}

it.skipIf(!found)("zstd(1) reads every length to 300, around blocks, at every level", () => {
  const next = generator(20261121);
  const lengths = [
    ...Array(301).keys(),
    ...[131071, 131072, 131073, 262143, 262144, 262145, 500_000],
    ...Array.from({ length: 300 }, () => next(1 << (6 + next(12)))),
  ];
  const parts: Uint8Array[] = [];
  const frames: Uint8Array[] = [];
  for (const [i, length] of lengths.entries()) {
    const data = structured(length, next);
    wasm.begin(4 * length + 2 ** 22);
    // Up to 9: beyond, a Node that has zstd itself uses that.
    frames.push(encodeZstd(wasm, data, (i % 13) - 3, i % 2 === 0).slice());
    parts.push(data);
  }
  const input = Buffer.concat(frames);
  const { status, stdout, stderr } = spawnSync("zstd", ["-dc"], { input, maxBuffer: 2 ** 28 });
  expect(status, String(stderr)).toBe(0);
  expectSame(new Uint8Array(stdout), new Uint8Array(Buffer.concat(parts)));
  expect(input.length).toBeLessThan(stdout.length / 2);
});

it.skipIf(!found)("zstd(1) reads frames that are not compressed", () => {
  const next = generator(20261123);
  const lengths = [0, 1, 2, 255, 256, 65_791, 65_792, 131_071, 131_072, 131_073, 500_000, 9_000_000];
  const parts = lengths.flatMap((length) => [structured(length, next), new Uint8Array(length).fill(7)]);
  const input = Buffer.concat(parts.map((data, i) => encodeStored(data, i % 4 < 2)));
  const { status, stdout, stderr } = spawnSync("zstd", ["-dc"], { input, maxBuffer: 2 ** 28 });
  expect(status, String(stderr)).toBe(0);
  expectSame(new Uint8Array(stdout), new Uint8Array(Buffer.concat(parts)));
});
