/** Where messages are: by an index, in several files, and in damaged ones. */
import { expect, test } from "vitest";
import { openDataset } from "../../../../src/formats/xarray.js";
import { openVirtual } from "../../../../src/stores/virtual/index.js";
import { fromBase64 } from "../../../core/codecs/harness.js";
import fixtures from "../../../fixtures/virtual/grib.json" with { type: "json" };

function fileNamed(name: string): Uint8Array {
  const found = fixtures.cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return fromBase64(found.file);
}

const sourceOf = (bytes: Uint8Array) => ({ store: new Map([["/file", bytes]]), key: "/file" }) as const;
const textSource = (text: string) => sourceOf(new TextEncoder().encode(text));

/** Offsets of the messages of edition 2. */
function offsetsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: number[] = [];
  for (let at = 0; at < bytes.length; at += Number(view.getBigUint64(at + 8))) found.push(at);
  return found;
}

const surfaces = fileNamed("surfaces");
const offsets = offsetsOf(surfaces);

test.each([
  ["NOAA", offsets.map((at, i) => `${i + 1}:${at}:d=2026030500:TMP:2 m above ground:anl:`).join("\n")],
  ["ECMWF", offsets.map((at) => JSON.stringify({ param: "2t", _offset: at, _length: 10 })).join("\n")],
  [
    "kerchunk",
    JSON.stringify({
      version: 1,
      refs: Object.fromEntries(offsets.map((at, i) => [`v/${i}`, ["u", at, 9]])),
    }),
  ],
])("an index of %s finds the messages that a scan finds", async (_, index) => {
  const scanned = await openVirtual(sourceOf(surfaces));
  const listed = await openVirtual(sourceOf(surfaces), { index: textSource(index) });
  expect(await listed.rootGroup.names()).toEqual(await scanned.rootGroup.names());
});

test("an index of another file is refused", async () => {
  const wrong = textSource("1:0:d=2026030500:TMP\n2:77:d=2026030500:TMP");
  await expect(openVirtual(sourceOf(surfaces), { index: wrong })).rejects.toThrow(
    /damaged GRIB message at byte 77/,
  );
  await expect(openVirtual(sourceOf(surfaces), { index: textSource("hello") })).rejects.toThrow(
    /expected lines of NOAA/,
  );
});

test("two steps in two files are one data set", async () => {
  const bytes = fileNamed("accumulated");
  const [, second = 0] = offsetsOf(bytes);
  const files = [bytes.slice(0, second), bytes.slice(second)].map(sourceOf);
  const { variables } = await openDataset(await openVirtual(files, { concat: "step" }));
  const { tp, step } = variables;
  expect([tp?.dims[0], tp?.shape[0]]).toEqual(["step", 2]);
  const whole = (await openDataset(await openVirtual(sourceOf(bytes)))).variables;
  expect((await tp?.get())?.data).toEqual((await whole.tp?.get())?.data);
  expect((await step?.get())?.data).toEqual((await whole.step?.get())?.data);
});

test.each([
  ["a length past the end", (bytes: Uint8Array) => bytes.fill(0xff, 10, 16)],
  ["a section of no length", (bytes: Uint8Array) => bytes.fill(0, 16, 20)],
  ["a section of 4 GB", (bytes: Uint8Array) => bytes.fill(0xff, 16, 20)],
  ["edition 3", (bytes: Uint8Array) => bytes.fill(3, 7, 8)],
])("%s is refused", async (_, damage) => {
  const bytes = surfaces.slice();
  damage(bytes);
  await expect(openVirtual(sourceOf(bytes))).rejects.toMatchObject({ tag: "StoreError" });
});
