/**
 * Why the decoders without WebAssembly are ours (docs/runtimes.md): what kept packages make of damaged bytes. If one
 * of these tests fails, a package has changed, and the decision is due again.
 */
import { gzipSync as gzipInNode } from "node:zlib";
import { gunzipSync, inflateSync } from "fflate";
import { decompress as decompressWithFzstd } from "fzstd";
import { expect, test } from "vitest";
import { registry } from "../../../src/index.js";
import { seeded } from "../../attack/campaign.js";

async function codecOf(name: string, configuration: object) {
  const codec = (await registry.get(name)?.())?.fromConfig(configuration, {
    dataType: "uint8",
    shape: [2000],
    codecs: [],
    fillValue: 0,
  });
  if (codec?.kind !== "bytes_to_bytes") throw new Error(`no codec ${name}`);
  return codec;
}

/** Bytes that compress: few values, runs, and noise. */
function bytesToStore(random: () => number, kind: number): Uint8Array {
  return Uint8Array.from({ length: 2000 }, (_, i) =>
    kind === 0
      ? (i >> 3) & 15
      : kind === 1
        ? random() * 16
        : kind === 2
          ? i % 97
          : i % 5
            ? 0
            : random() * 256,
  );
}

async function damagedFrames(checksum: boolean): Promise<{ refused: number; decodedByFzstd: number }> {
  const codec = await codecOf("zstd", { level: 3, checksum });
  const random = seeded(50);
  let refused = 0;
  let decodedByFzstd = 0;
  for (let i = 0; i < 400; i++) {
    const frame = new Uint8Array(await codec.encode(bytesToStore(random, i % 4)));
    for (let k = 0; k < 3; k++) frame[4 + Math.floor(random() * (frame.length - 4))] = random() * 256;
    const isRefused = await Promise.resolve(codec.decode(frame.slice())).then(
      () => false,
      () => true,
    );
    if (!isRefused) continue;
    refused++;
    try {
      decompressWithFzstd(frame);
      decodedByFzstd++;
    } catch {}
  }
  return { refused, decodedByFzstd };
}

test("fzstd does not compare checksums", async () => {
  const { refused, decodedByFzstd } = await damagedFrames(true);
  expect(refused).toBeGreaterThan(390);
  expect(decodedByFzstd).toBeGreaterThan(0.5 * refused);
});

test("fzstd decodes frames without a checksum that RFC 8878 refuses", async () => {
  const { refused, decodedByFzstd } = await damagedFrames(false);
  expect(refused).toBeGreaterThan(20);
  expect(decodedByFzstd).toBeGreaterThan(0);
});

test("fzstd cannot put several frames into memory that it is given", async () => {
  const codec = await codecOf("zstd", { level: 3, checksum: false });
  const texts = ["hello ", "world"].map((text) => new TextEncoder().encode(text));
  const frames = await Promise.all(texts.map(async (text) => new Uint8Array(await codec.encode(text))));
  const value = new Uint8Array(frames.flatMap((frame) => [...frame]));
  expect(new TextDecoder().decode(decompressWithFzstd(value))).toBe("hello world");
  expect(() => decompressWithFzstd(value, new Uint8Array(11))).toThrow(RangeError);
});

test("fflate makes of two members the first, cut to the length of the second, and compares no checksum", () => {
  const [first, second] = ["hello ", "world"].map((text) => gzipInNode(text));
  expect(first).toBeDefined();
  const both = new Uint8Array([...(first ?? []), ...(second ?? [])]);
  expect(new TextDecoder().decode(gunzipSync(both))).toBe("hello");
  const damaged = new Uint8Array(first ?? []);
  damaged.fill(0, damaged.length - 8, damaged.length - 4);
  expect(new TextDecoder().decode(gunzipSync(damaged))).toBe("hello ");
});

test("fflate does not say where a stream ends", () => {
  const [, , ...after] = gzipInNode("hello");
  const stream = new Uint8Array(after.slice(8));
  // The trailer of gzip, and anything else, may follow.
  for (const more of [0, 8, 100]) {
    const padded = new Uint8Array(stream.length + more);
    padded.set(stream);
    expect(new TextDecoder().decode(inflateSync(padded))).toBe("hello");
  }
});
