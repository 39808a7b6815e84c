/** Dictionaries of zstd (test/fixtures/codecs/zstd-dictionary.json): what libzstd makes with them. */
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import { loadZstdKernels } from "../../../src/core/codecs/zstd/zstd.js";
import { decompressWith } from "../../../src/stores/icechunk/dictionary.js";
import fixtures from "../../fixtures/codecs/zstd-dictionary.json" with { type: "json" };
import { bothKernels, expectSame, fromBase64 } from "./harness.js";

const [wasm, javascript] = await bothKernels();
for (const kernels of [wasm, javascript]) await loadZstdKernels(kernels);

const DICTIONARIES = new Map(
  Object.entries(fixtures.dictionaries).map(([name, base64]) => [name, fromBase64(base64)]),
);
const CASES = fixtures.cases.map(({ dictionary, frame, data }) => ({
  name: dictionary,
  dictionary: dictionaryNamed(dictionary),
  frame: fromBase64(frame),
  data: fromBase64(data),
}));

function dictionaryNamed(name: string): Uint8Array {
  const found = DICTIONARIES.get(name);
  if (found === undefined) throw new Error(`no dictionary ${name}`);
  return found;
}

describe.each([wasm, javascript])("$name", (kernels) => {
  const decode = (dictionary: Uint8Array, frame: Uint8Array, most: number): Uint8Array | string => {
    kernels.begin(0);
    try {
      return decompressWith(dictionary, frame, most, kernels);
    } catch (error) {
      if (isZarrError(error, "CodecError")) return error.message;
      throw error;
    }
  };

  it("reads all that libzstd makes, and nothing longer than asked for", () => {
    expect(CASES.length).toBeGreaterThan(60);
    for (const { dictionary, frame, data } of CASES) {
      expectSame(decode(dictionary, frame, data.length), data);
      expectSame(decode(dictionary, frame, data.length + 1000), data);
      if (data.length > 0)
        expect(decode(dictionary, frame, data.length - 1)).toMatch(/more bytes than the chunk has/);
    }
  });

  it("refuses another dictionary than a frame asks for, and none", () => {
    const [trained, words] = ["trained", "trained on words"].map(dictionaryNamed);
    const asking = CASES.filter(({ name, frame }) => name === "trained" && ((frame[4] ?? 0) & 3) !== 0);
    expect(asking.length).toBeGreaterThan(5);
    for (const { frame } of asking) {
      for (const other of [words, new Uint8Array(), trained?.subarray(8)])
        expect(decode(other ?? new Uint8Array(), frame, 5000)).toMatch(/have another format/);
    }
  });

  it("refuses a second frame, whose dictionary would be elsewhere", () => {
    const { dictionary, frame } = CASES.find(({ data }) => data.length === 100) ?? {
      frame: new Uint8Array(),
    };
    expect(decode(dictionary ?? frame, Uint8Array.from([...frame, ...frame]), 5000)).toMatch(
      /have another format/,
    );
  });

  it("a dictionary that is cut anywhere never gives other data", () => {
    const { dictionary, frame, data } = CASES.find(
      ({ name, data }) => name === "trained" && data.length === 1000,
    ) ??
      CASES[0] ?? { data: new Uint8Array() };
    if (dictionary === undefined || frame === undefined) throw new Error("no case");
    let refused = 0;
    for (let length = 0; length < dictionary.length; length++) {
      const outcome = decode(dictionary.subarray(0, length), frame, data.length);
      if (typeof outcome === "string") refused++;
    }
    // Content is counted from its end: without that end matches are elsewhere, which no format can see.
    expect(refused).toBeGreaterThan(100);
  });

  it("refuses repeated offsets of 0 and beyond the content", () => {
    const dictionary = dictionaryNamed("trained").slice();
    const frame = CASES.find(({ name }) => name === "trained")?.frame ?? dictionary;
    const view = new DataView(dictionary.buffer);
    let position = -1;
    for (let i = 8; i < dictionary.length - 12; i++)
      if ([1, 4, 8].every((offset, j) => view.getUint32(i + 4 * j, true) === offset)) position = i;
    expect(position).toBeGreaterThan(8);
    for (const offset of [0, dictionary.length - position - 12 + 1, 2 ** 32 - 1]) {
      view.setUint32(position + 4, offset, true);
      expect(decode(dictionary, frame, 5000)).toMatch(/a match begins before the data/);
    }
    view.setUint32(position + 4, dictionary.length - position - 12, true);
    expect(decode(dictionary, frame, 5000)).toBeInstanceOf(Uint8Array);
  });

  it("refuses a dictionary of more than 1 MiB before any of it is copied", () => {
    expect(decode(new Uint8Array((1 << 20) + 1), new Uint8Array(9), 100)).toMatch(/at most 1048576 bytes/);
  });
});
