/**
 * gzip, zstd, lz4, bzip2 and xz as installed here, every level of theirs and ours, in both directions where
 * we write.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/metadata/json.js";
import { warnLoudly } from "../../setup/oracles.js";
import { bothKernels, bytesCodec, decodeBoth, encode, expectSame } from "./harness.js";
import { makeData, type Recipe } from "./recipes.js";

const [wasm, javascript] = await bothKernels();

interface Tool {
  readonly tool: string;
  readonly codec: string;
  /** Arguments of its every way to write, and with which configuration each is read. */
  readonly writes: readonly { readonly options: readonly string[]; readonly read?: JsonObject }[];
  /** Configurations of our every way to write. */
  readonly ours: readonly JsonObject[];
  /** Between what the tool takes and gives and the codec's value. */
  readonly wrap?: (value: Uint8Array) => Uint8Array;
  readonly unwrap?: (file: Uint8Array, length: number) => Uint8Array | undefined;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const levels = (from: number, to: number, ...options: string[]) =>
  range(from, to).map((level) => ({ options: [`-${level}`, ...options] }));

/**
 * Header of an LZ4 frame of one block of at most 4 MiB without checksums; its last byte is that of the other
 * two.
 */
const FRAME_HEADER = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73];

/** The frame of a value, which is the decoded length and a block. */
function frameOf(value: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_HEADER.length + value.length + 4);
  frame.set(FRAME_HEADER);
  new DataView(frame.buffer).setUint32(FRAME_HEADER.length, value.length - 4, true);
  frame.set(value.subarray(4), FRAME_HEADER.length + 4);
  return frame;
}

/** The value of a frame, undefined where its block is not compressed. */
function valueOfFrame(frame: Uint8Array, length: number): Uint8Array | undefined {
  // The tool chooses the largest block that it names, and with it the last byte, by the length of its input.
  expectSame(frame.subarray(0, 5), Uint8Array.from(FRAME_HEADER.slice(0, 5)));
  const view = new DataView(frame.buffer, frame.byteOffset + FRAME_HEADER.length);
  const blockLength = view.getUint32(0, true);
  if (blockLength >= 2 ** 31) return undefined;
  const value = frame.slice(FRAME_HEADER.length, FRAME_HEADER.length + 4 + blockLength);
  new DataView(value.buffer).setUint32(0, length, true);
  expect(view.getUint32(4 + blockLength, true)).toBe(0);
  return value;
}

const TOOLS: readonly Tool[] = [
  {
    tool: "gzip",
    codec: "gzip",
    writes: levels(1, 9),
    ours: range(0, 9).map((level) => ({ level })),
  },
  {
    tool: "zstd",
    codec: "zstd",
    writes: [
      ...levels(1, 19),
      ...levels(20, 22, "--ultra"),
      ...["--fast=1", "--fast=100", "--no-check", "--long=20"].map((option) => ({ options: [option] })),
    ],
    ours: range(-5, 22).map((level) => ({ level, checksum: level % 2 === 0 })),
  },
  {
    tool: "lz4",
    codec: "lz4",
    writes: [...levels(1, 12, "--no-frame-crc"), { options: ["--fast=20", "--no-frame-crc"] }],
    ours: [1, 2, 9, 1000].map((acceleration) => ({ acceleration })),
    wrap: frameOf,
    unwrap: valueOfFrame,
  },
  { tool: "bzip2", codec: "bz2", writes: levels(1, 9), ours: [] },
  {
    tool: "xz",
    codec: "lzma",
    writes: [
      ...levels(0, 9),
      ...levels(0, 9, "--extreme"),
      ...["none", "crc32", "crc64", "sha256"].map((check) => ({ options: [`--check=${check}`] })),
      { options: ["--delta=dist=4", "--lzma2=preset=3"] },
      { options: ["--block-size=4096"] },
      { options: ["--format=lzma"], read: { format: 2 } },
      {
        options: ["--format=raw", "--lzma2=preset=6"],
        read: { format: 3, filters: [{ id: 33, preset: 6 }] },
      },
    ],
    ours: [],
  },
];

/** Nothing, one element, odd lengths, nothing but zeros, and what cannot be compressed. */
const DATA: readonly (readonly [Recipe, number])[] = [
  ["zeros", 0],
  ["words", 1],
  ["zeros", 8],
  ["noise", 1001],
  ["field", 4099],
  ["zeros", 70_001],
  ["noise", 70_003],
  ["words", 70_007],
];

const found = TOOLS.map((row) => ({ ...row, found: spawnSync(row.tool, ["--version"]).status === 0 }));
for (const { tool, found: isThere } of found) {
  if (!isThere) warnLoudly(`No ${tool}(1): its cross-check is SKIPPED. Debian's package has its name.`);
}

function run(tool: string, options: readonly string[], input: Uint8Array): Uint8Array {
  const { status, stdout, stderr } = spawnSync(tool, options, { input, maxBuffer: 2 ** 28 });
  expect(status, String(stderr)).toBe(0);
  return new Uint8Array(stdout);
}

describe.each(found)("$tool(1)", ({ tool, codec: name, writes, ours, wrap, unwrap, found: isThere }) => {
  it.skipIf(!isThere)("what it writes is read", async () => {
    let read = 0;
    for (const { options, read: configuration = {} } of writes) {
      const codecs = await Promise.all(
        [wasm, javascript].map(async (kernels) => ({
          kernels,
          codec: await bytesCodec(kernels, name, configuration),
        })),
      );
      for (const [recipe, length] of DATA) {
        const data = makeData(recipe, length);
        // An empty frame of LZ4 has no block.
        if (unwrap !== undefined && length === 0) continue;
        const written = run(tool, ["-c", ...options], data);
        const value = unwrap === undefined ? written : unwrap(written, length);
        if (value === undefined) continue;
        // The fallbacks, slow ones, get the short ones.
        for (const { kernels, codec } of length < 5000 ? codecs : codecs.slice(0, 1)) {
          expectSame(decodeBoth(kernels, codec, value, { byteLength: length }), data);
        }
        read++;
      }
    }
    expect(read).toBeGreaterThan(writes.length * 2);
  });

  if (ours.length === 0) return;
  it.skipIf(!isThere)("it reads what we write", async () => {
    for (const configuration of ours) {
      const codec = await bytesCodec(wasm, name, configuration);
      for (const [recipe, length] of DATA) {
        const data = makeData(recipe, length);
        if (wrap !== undefined && length === 0) continue;
        const value = encode(wasm, codec, data);
        expectSame(run(tool, ["-dc"], wrap?.(value) ?? value), data);
      }
    }
  });
});
