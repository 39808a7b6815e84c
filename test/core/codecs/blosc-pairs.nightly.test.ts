/** Blocks of LZ4 decoded two at a time come out as one by one, whatever is wrong with either. */
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import { decodeBlocks } from "../../../src/core/codecs/blosc/decode.js";
import { writeHeader } from "../../../src/core/codecs/blosc/encode/encode.js";
import { loadBloscKernels } from "../../../src/core/codecs/blosc/kernels.js";
import { type BlockDecoders, loadBlockPairs } from "../../../src/core/codecs/blosc/streams.js";
import { dataTypeFromV3 } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { guardKernels } from "../../fuzz/guarded.js";
import { random } from "../../fuzz/mutate.js";
import { bothKernels, expectSame } from "./harness.js";
import { loadEntry } from "./load-entry.js";
import { LONGEST, type Lz4Block, MANNERS, type Manner, makeBlock, SHORTEST } from "./lz4-blocks.js";

const [wasm, javascript] = await bothKernels();
for (const kernels of [wasm, javascript]) await loadBloscKernels(kernels);
const next = random(12);

const findCodec: BlockDecoders["findCodec"] = () => {
  throw new Error("expected LZ4");
};
const counted = { pairs: 0, blocks: 0 };

/** Counts the calls, and those that decoded two blocks. */
async function decodersWithPairs(kernels: Kernels): Promise<BlockDecoders> {
  const decoders: BlockDecoders = { findCodec };
  await loadBlockPairs(kernels, decoders);
  const { decodePair } = decoders;
  if (decodePair === undefined) throw new Error("expected WebAssembly");
  decoders.decodePair = (...operands) => {
    const taken = decodePair(...operands);
    if (taken === undefined) counted.blocks++;
    else counted.pairs++;
    return taken;
  };
  return decoders;
}

const sides = await Promise.all(
  [wasm, wasm, javascript].map(async (inner, i) => {
    const guarded = guardKernels(inner);
    await loadBloscKernels(guarded.kernels);
    return { ...guarded, decoders: i === 0 ? await decodersWithPairs(guarded.kernels) : { findCodec } };
  }),
);

interface Chunk {
  readonly encoded: Uint8Array;
  readonly decoded: Uint8Array;
}

/**
 * @param blocks all of one length, but the last one, which may be shorter; stored where that is not longer
 */
function makeChunk(blocks: readonly Lz4Block[], flags = 0): Chunk {
  const streams = blocks.map(({ encoded, decoded }) => (encoded.length < decoded.length ? encoded : decoded));
  const decoded = blocks.flatMap((block) => [...block.decoded]);
  const table = 16 + 4 * blocks.length;
  const encoded = new Uint8Array(streams.reduce((sum, { length }) => sum + 4 + length, table));
  const header = {
    format: "lz4",
    copied: false,
    filter: "none",
    splitAllowed: false,
    typesize: 1,
    byteLength: decoded.length,
    blocksize: blocks[0]?.decoded.length ?? 1,
  } as const;
  writeHeader(encoded, header, encoded.length);
  encoded[2] = (encoded[2] ?? 0) | flags;
  const view = new DataView(encoded.buffer);
  let at = table;
  for (const [i, stream] of streams.entries()) {
    view.setUint32(16 + 4 * i, at, true);
    view.setUint32(at, stream.length, true);
    encoded.set(stream, at + 4);
    at += 4 + stream.length;
  }
  return { encoded, decoded: Uint8Array.from(decoded) };
}

const mannerOf = (): Manner =>
  MANNERS[next(MANNERS.length)] ?? { ...MANNERS[0], name: "", literals: [], match: [], distance: [] };

function randomChunk(blocksize: number, manner = mannerOf): Chunk {
  const count = 1 + next(6);
  const last = 1 + next(blocksize);
  return makeChunk(
    Array.from({ length: count }, (_, i) => makeBlock(manner(), i === count - 1 ? last : blocksize, next)),
  );
}

/**
 * What comes of a part of a chunk with pairs, without them, and of the fallback; each twice, from the arena
 * and from elsewhere.
 */
function outcomesOf(encoded: Uint8Array, byteLength: number, start: number, end: number) {
  const before = encoded.slice();
  const outcomes = sides.flatMap(({ kernels, check, decoders }) =>
    [true, false].map((inArena) => {
      kernels.begin(2 * encoded.length + 2 * byteLength + 2 ** 16);
      const copy = inArena ? kernels.allocate(encoded.length) : encoded;
      if (inArena) copy.set(encoded);
      const context = { kernels, byteLength, maximumByteLength: byteLength };
      try {
        const decoded = decodeBlocks(copy, context, decoders, start, end).slice();
        check();
        return decoded;
      } catch (error) {
        if (!isZarrError(error, "CodecError")) throw error;
        check();
        return `${error.message} ${error.offset}`;
      } finally {
        expectSame(copy, before);
      }
    }),
  );
  return outcomes;
}

describe("good chunks", () => {
  it.each(MANNERS)("$name: whole, and parts", (manner) => {
    for (let i = 0; i < 30; i++) {
      const { encoded, decoded } = randomChunk(64 + next(6000), () => manner);
      for (let part = 0; part < 4; part++) {
        const start = part === 0 ? 0 : next(decoded.length + 1);
        const end = part === 0 ? decoded.length : start + next(decoded.length - start + 1);
        for (const outcome of outcomesOf(encoded, decoded.length, start, end)) {
          expectSame(outcome, decoded.subarray(start, end));
        }
      }
    }
  });

  it("short sequences beside any others", () => {
    const short = MANNERS.find(({ name }) => name === "short sequences") ?? mannerOf();
    for (let i = 0; i < 60; i++) {
      const manners = next(2) === 0 ? [short, mannerOf()] : [mannerOf(), short];
      const { encoded, decoded } = makeChunk(manners.map((manner) => makeBlock(manner, 20_000, next)));
      for (const outcome of outcomesOf(encoded, decoded.length, 0, decoded.length))
        expectSame(outcome, decoded);
    }
  });

  it("sequences at their shortest and longest, to the ends of their streams", () => {
    for (const first of [SHORTEST, LONGEST]) {
      for (const second of [SHORTEST, LONGEST]) {
        for (let i = 0; i < 30; i++) {
          const length = 500 + next(3000);
          // What stands behind the second stream is a distance that would do.
          const blocks = [first, second, LONGEST].map((manner) => makeBlock(manner, length, next));
          const { encoded, decoded } = makeChunk(blocks);
          const end = decoded.length - length - (next(2) === 0 ? 0 : next(length));
          Object.assign(counted, { pairs: 0, blocks: 0 });
          for (const outcome of outcomesOf(encoded, decoded.length, 0, end)) {
            expectSame(outcome, decoded.subarray(0, end));
          }
          expect(counted).toEqual({ pairs: 2, blocks: 0 });
        }
      }
    }
  });

  it("two at a time, and the last one of an odd number alone", () => {
    const short = MANNERS.find(({ name }) => name === "short sequences") ?? mannerOf();
    for (const count of [1, 2, 3, 6, 7]) {
      const { encoded, decoded } = makeChunk(
        Array.from({ length: count }, () => makeBlock(short, 3000, next)),
      );
      Object.assign(counted, { pairs: 0, blocks: 0 });
      outcomesOf(encoded, decoded.length, 0, decoded.length);
      // From the arena and from elsewhere.
      expect(counted).toEqual({ pairs: 2 * Math.floor(count / 2), blocks: 0 });
    }
  });

  it("single bytes that say they are shuffled", () => {
    const blocks = Array.from({ length: 2 }, () => makeBlock(mannerOf(), 3000, next));
    const { encoded, decoded } = makeChunk(blocks, 1);
    Object.assign(counted, { pairs: 0, blocks: 0 });
    for (const outcome of outcomesOf(encoded, decoded.length, 0, decoded.length))
      expectSame(outcome, decoded);
    expect(counted).toEqual({ pairs: 2, blocks: 0 });
  });

  it("blocks that are stored, beside others", () => {
    const noise = { name: "", literals: [9000], match: [0], distance: [1] };
    const [stored, other] = [makeBlock(noise, 2000, next), makeBlock(mannerOf(), 2000, next)];
    expect(stored.encoded.length).toBeGreaterThan(stored.decoded.length);
    for (const blocks of [
      [stored, other],
      [other, stored],
      [stored, stored, stored],
    ]) {
      const { encoded, decoded } = makeChunk(blocks);
      for (const outcome of outcomesOf(encoded, decoded.length, 0, decoded.length))
        expectSame(outcome, decoded);
    }
  });
});

describe("damaged chunks are refused, or not, as one block at a time", () => {
  function expectSameOutcomes({ encoded, decoded }: Chunk): boolean {
    const start = next(2) * next(decoded.length);
    const end = next(2) === 0 ? decoded.length : start + next(decoded.length - start + 1);
    const [first = "nothing", ...others] = outcomesOf(encoded, decoded.length, start, end);
    for (const outcome of others) expectSame(outcome, first);
    return typeof first !== "string";
  }

  it("bytes changed anywhere", () => {
    let accepted = 0;
    for (let i = 0; i < 500; i++) {
      const chunk = randomChunk(200 + next(2500));
      for (let damage = next(3); damage >= 0; damage--) {
        // The header is not what this is about.
        chunk.encoded[16 + next(chunk.encoded.length - 16)] = next(4) === 0 ? 255 : next(256);
      }
      accepted += expectSameOutcomes(chunk) ? 1 : 0;
    }
    expect(accepted).toBeGreaterThan(30);
    expect(accepted).toBeLessThan(470);
  });

  it("distances of nothing", () => {
    for (let i = 0; i < 600; i++) {
      const chunk = randomChunk(200 + next(2500), () => (next(2) === 0 ? SHORTEST : mannerOf()));
      const { length } = chunk.encoded;
      chunk.encoded.fill(0, 40 + next(length - 40), length - next(length - 40));
      expectSameOutcomes(chunk);
      const pair = makeChunk([0, 1].map(() => makeBlock(SHORTEST, 500, next)));
      // Behind the offsets, a length, a literal and the first sequences, all of three bytes.
      const at = 24 + 4 + 5 + 3 * next(2 * Math.floor((pair.encoded.length - 60) / 6));
      pair.encoded.fill(0, at, at + 2);
      expectSameOutcomes(pair);
    }
  });

  it("streams that make more than there is room for", () => {
    for (const first of [SHORTEST, LONGEST]) {
      for (const second of [SHORTEST, LONGEST]) {
        for (let i = 0; i < 50; i++) {
          const { encoded } = makeChunk([first, second].map((manner) => makeBlock(manner, 3000, next)));
          const byteLength = 3001 + next(2999);
          new DataView(encoded.buffer).setUint32(4, byteLength, true);
          const outcomes = outcomesOf(encoded, byteLength, 0, byteLength);
          expect(outcomes[0]).toMatch(/the data decode to more bytes than the chunk has/);
          expect(new Set(outcomes).size).toBe(1);
        }
      }
    }
  });

  it("lengths and places of streams", () => {
    for (let i = 0; i < 600; i++) {
      const chunk = randomChunk(200 + next(2500));
      const view = new DataView(chunk.encoded.buffer);
      const place = 16 + 4 * next(view.getUint32(16, true) / 4 - 4);
      const values = [next(chunk.encoded.length + 9), 16, 2 ** 32 - 1 - next(9), view.getUint32(16, true)];
      const at = next(2) === 0 ? place : Math.min(view.getUint32(place, true), chunk.encoded.length - 4);
      view.setUint32(at, values[next(values.length)] ?? 0, true);
      expectSameOutcomes(chunk);
    }
  });

  it("blocks that overlap", () => {
    const block = makeBlock(mannerOf(), 3000, next);
    const { encoded, decoded } = makeChunk(Array.from({ length: 6 }, () => block));
    const view = new DataView(encoded.buffer);
    // Two streams are there, and six blocks that are one of them.
    const short = encoded.slice(0, 40 + 2 * (4 + Math.min(block.encoded.length, 3000)));
    const shortView = new DataView(short.buffer);
    shortView.setUint32(12, short.length, true);
    for (let i = 0; i < 6; i++) shortView.setUint32(16 + 4 * i, view.getUint32(16 + 4 * (i & 1), true), true);
    const outcomes = outcomesOf(short, decoded.length, 0, decoded.length);
    expect(outcomes[0]).toMatch(/expected blocks that do not overlap, got block 2, which overlaps another/);
    expect(new Set(outcomes).size).toBe(1);
  });
});

describe("what loads it", () => {
  const codecOf = async (configuration: JsonObject, dataType = "uint8") =>
    (await loadEntry("blosc")).fromConfig(configuration, {
      shape: [1],
      dataType: dataTypeFromV3(dataType),
      fillValue: 0,
    });

  it("codecs of LZ4 and of bytes that are not shuffled", async () => {
    for (const cname of ["lz4", "lz4hc"]) {
      expect(await codecOf({ cname, shuffle: "noshuffle", typesize: 4 })).toHaveProperty("loadPairs");
      expect(await codecOf({ cname, shuffle: 0 }, "float32")).toHaveProperty("loadPairs");
      expect(await codecOf({ cname, shuffle: 1 })).toHaveProperty("loadPairs");
      expect(await codecOf({ cname, shuffle: 1 }, "uint16")).not.toHaveProperty("loadPairs");
      expect(await codecOf({ cname, shuffle: 2 }, "uint16")).not.toHaveProperty("loadPairs");
    }
    for (const cname of ["blosclz", "snappy", "zlib", "zstd"]) {
      expect(await codecOf({ cname, shuffle: 0 })).not.toHaveProperty("loadPairs");
    }
  });

  it("not without WebAssembly, and not without room in its memory", async () => {
    const decoders: BlockDecoders = { findCodec };
    await loadBlockPairs(javascript, decoders);
    expect(decoders.decodePair).toBeUndefined();
    const { encoded, decoded } = makeChunk([0, 1].map(() => makeBlock(mannerOf(), 3000, next)));
    await loadBlockPairs(wasm, decoders);
    wasm.begin(0);
    const target = new Uint8Array(decoded.length);
    const header = {
      format: "lz4",
      copied: false,
      filter: "none",
      splitAllowed: false,
      typesize: 1,
      byteLength: decoded.length,
      blocksize: 3000,
    } as const;
    expect(decoders.decodePair?.(encoded, header, 0, target, target.length, wasm)).toBeUndefined();
  });
});
