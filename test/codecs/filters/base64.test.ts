import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { create, get, open, set } from "../../../src/index.js";
import { bothKernels, bytesCodec, decodeBoth } from "../../core/codecs/harness.js";

const [kernels] = await bothKernels();
const codec = await bytesCodec(kernels, "numcodecs.base64");
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

it("is the text that Node makes, at every length", async () => {
  for (let length = 0; length < 100; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 151 + length * 7) & 255);
    const text = ascii(Buffer.from(bytes).toString("base64"));
    expect(await codec.encode(bytes, { kernels })).toEqual(text);
    expect(codec.encodedByteLength?.(length)).toBe(text.length);
    expect(decodeBoth(kernels, codec, text, { byteLength: length })).toEqual(bytes);
  }
});

it.each([
  ["AAA", "multiple of 4"],
  ["AA-A", "byte 45"],
  ["AAA\n", "byte 10"],
  ["A===", "byte 61"],
  ["AA==AAAA", "byte 61"],
  ["====", "byte 61"],
  ["AAA\u00ff", "multiple of 4"],
])("refuses %j", (text, message) => {
  expect(decodeBoth(kernels, codec, ascii(text), { byteLength: 3 })).toContain(message);
});

it("has no configuration", async () => {
  await expect(bytesCodec(kernels, "base64", { level: 1 })).rejects.toMatchObject({
    tag: "InvalidMetadataError",
    codec: "base64",
  });
});

it("is a filter of v2", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    zarrFormat: 2,
    shape: [3],
    dtype: "int16",
    codecs: { filters: [{ id: "base64" }], compressor: null },
  });
  await set(array, null, Int16Array.of(1, -1, 256));
  expect(store.get("/0")).toEqual(ascii("AQD//wAB"));
  expect((await get(await open(store, { kind: "array" }))).data).toEqual(Int16Array.of(1, -1, 256));
});
