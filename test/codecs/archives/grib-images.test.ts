/** GRIB fields whose values are images (JPEG 2000, PNG); test/codecs/archives/grib.test.ts has their values. */
import { describe, expect, it, vi } from "vitest";
import { get, isZarrError, open, registry } from "../../../src/index.js";
import { fromBase64 } from "../../core/codecs/harness.js";
import fixtures from "../../fixtures/codecs/grib.json" with { type: "json" };

function caseOf(wanted: string) {
  const found = fixtures.cases.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no message ${wanted}`);
  const values = new Float64Array(fromBase64(found.values).slice().buffer);
  return { message: fromBase64(found.message), values };
}

function arrayOf(message: Uint8Array, points: number) {
  const document = {
    ...{ zarr_format: 3, node_type: "array", shape: [points], data_type: "float64", fill_value: 0 },
    chunk_grid: { name: "regular", configuration: { chunk_shape: [points] } },
    ...{ chunk_key_encoding: { name: "default" }, codecs: [{ name: "gribberish" }] },
  };
  return new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(document))],
    ["/c/0", message],
  ]);
}

const read = async (message: Uint8Array, points: number): Promise<number[]> =>
  Array.from((await get(await open(arrayOf(message, points), { kind: "array" }))).data, Number);

async function errorOf(message: Uint8Array, points: number): Promise<string> {
  try {
    await read(message, points);
  } catch (error) {
    if (isZarrError(error)) return `${error.tag}: ${error.message}`;
    throw error;
  }
  return "no error";
}

it.each(["jpeg 12 bits", "png 16 bits"])("%s: an array loads what decodes it", async (name) => {
  const { message, values } = caseOf(name);
  expect(await read(message, values.length)).toEqual(Array.from(values));
});

describe("what is refused", () => {
  /** Where the image begins. */
  const imageOf = (message: Uint8Array, first: number): number =>
    message.findIndex((byte, i) => byte === first && message[i - 1] === 7);

  it.each([
    ["jpeg 12 bits", 0xff, 10, 99, "JPEG 2000 image of 45 samples"],
    ["jpeg 12 bits", 0xff, 42, 30, "unsigned samples of up to 28 bits, got 31 bits"],
    ["wide jpeg 20 bits", 0xff, 42, 30, "unsigned samples of up to 28 bits, got 31 bits"],
    ["wide jpeg 20 bits", 0xff, 42, 147, "unsigned samples of up to 28 bits"],
    ["wide jpeg 20 bits", 0xff, 58, 0, "no loss, got a wavelet with loss"],
    ["wide jpeg 20 bits", 0xff, 57, 4, "code-blocks without options, got options 4"],
    ["wide jpeg 20 bits", 0xff, 49, 1, "the greatest precincts, got others"],
    ["wide jpeg 20 bits", 0xff, 63, 1, "no loss, got quantization"],
    ["wide jpeg 20 bits", 0xff, 41, 3, "one component, got others"],
    ["wide jpeg 20 bits", 0xff, 20, 1, "one tile that begins at [0, 0]"],
    ["wide jpeg 20 bits", 0xff, 60, 0x66, "the marker 0xff66"],
    ["jpeg 12 bits", 0xff, 0, 200, "expected a JPEG 2000 codestream"],
    ["png 16 bits", 0x89, 18, 99, "PNG image of 45 samples"],
    ["png 16 bits", 0x89, 24, 4, "checksum"],
    ["png 24 bits", 0x89, 50, 1, "checksum"],
  ])("%s, changed at byte %i + %i", async (name, first, at, byte, expected) => {
    const { message, values } = caseOf(name);
    const copy = message.slice();
    const start = imageOf(copy, first);
    expect(start).toBeGreaterThan(100);
    copy[start + at] = byte;
    const text = await errorOf(copy, values.length);
    expect(text).toMatch(/^(CodecError|UnsupportedError): /);
    expect(text).toContain(expected);
    expect(text).toContain('key "/c/0"');
  });

  it("JPEG 2000 without its package: an error says what to install", async () => {
    vi.resetModules();
    vi.doMock("@cornerstonejs/codec-openjpeg/decodewasmjs", () => {
      throw new Error("Cannot find package");
    });
    try {
      const fresh = await import("../../../src/index.js");
      const { message, values } = caseOf("jpeg 12 bits");
      const array = await fresh.open(arrayOf(message, values.length), { kind: "array" });
      await expect(fresh.get(array)).rejects.toThrow(/npm install @cornerstonejs\/codec-openjpeg/);
    } finally {
      vi.doUnmock("@cornerstonejs/codec-openjpeg/decodewasmjs");
      vi.resetModules();
    }
  });
});

it("an application's own JPEG 2000 codec is the one that is used", async () => {
  vi.resetModules();
  const fresh = await import("../../../src/index.js");
  const { jpeg2000Codec } = await import("../../../src/codecs/images/jpeg2000.js");
  const { default: make } = await import("@cornerstonejs/codec-openjpeg/decodewasmjs");
  const load = vi.fn(async () => ({ make }));
  fresh.registry.set("imagecodecs_jpeg2k", () => jpeg2000Codec(load));
  const { message, values } = caseOf("jpeg 16 bits");
  const array = await fresh.open(arrayOf(message, values.length), { kind: "array" });
  expect(Array.from((await fresh.get(array)).data, Number)).toEqual(Array.from(values));
  expect(load).toHaveBeenCalledOnce();
  expect(registry).not.toBe(fresh.registry);
  vi.resetModules();
});
