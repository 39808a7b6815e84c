/** Files that are damaged, or that wazarr does not read: typed errors, within bounds. */
import { expect, test } from "vitest";
import { get, isZarrError, open, root } from "../../../../src/index.js";
import { openVirtual } from "../../../../src/stores/virtual/index.js";

type Entry = readonly [tag: number, type: number, count: number, value: number];

/** A little-endian file of one directory per list of entries; the last one is followed by `next`. */
function fileOf(directories: readonly (readonly Entry[])[], next = 0): Uint8Array {
  const lengths = directories.map((entries) => 2 + 12 * entries.length + 4);
  const view = new DataView(new ArrayBuffer(8 + lengths.reduce((sum, length) => sum + length, 0) + 64));
  view.setUint32(0, 0x002a4949, true);
  view.setUint32(4, 8, true);
  let at = 8;
  for (const [i, entries] of directories.entries()) {
    view.setUint16(at, entries.length, true);
    for (const [k, [tag, type, count, value]] of entries.entries()) {
      const place = at + 2 + 12 * k;
      view.setUint16(place, tag, true);
      view.setUint16(place + 2, type, true);
      view.setUint32(place + 4, count, true);
      view.setUint32(place + 8, value, true);
    }
    const length = lengths[i] ?? 0;
    view.setUint32(at + length - 4, i < directories.length - 1 ? at + length : next, true);
    at += length;
  }
  return new Uint8Array(view.buffer);
}

const SHORT = 3;
const LONG = 4;
const image = (...more: readonly Entry[]): readonly Entry[] => {
  const entries: Entry[] = [
    ...([
      [256, LONG, 1, 4],
      [257, LONG, 1, 4],
      [258, SHORT, 1, 8],
      [259, SHORT, 1, 1],
    ] as const),
    ...([
      [273, LONG, 1, 8],
      [277, SHORT, 1, 1],
      [278, LONG, 1, 4],
      [279, LONG, 1, 16],
    ] as const),
  ];
  return [...entries.filter(([tag]) => !more.some(([other]) => other === tag)), ...more];
};

const openFile = (bytes: Uint8Array) => openVirtual({ store: new Map([["/file", bytes]]), key: "/file" });

async function readImage(bytes: Uint8Array, path = "image"): Promise<unknown> {
  const array = await open(root(await openFile(bytes)).resolve(path), { kind: "array" });
  return (await get(array)).data;
}

test("an image of four strips' bytes is read", async () => {
  expect(await readImage(fileOf([image()]))).toHaveLength(16);
});

test.each([
  ["a cycle of directories", fileOf([image()], 8), /cycle/],
  ["a directory past the end", fileOf([image()], 1 << 30), /truncated or damaged/],
  ["a width of 0", fileOf([image([256, LONG, 1, 0])]), /tag 256: expected an integer from 1/],
  [
    "a strip past the end",
    fileOf([image([273, LONG, 1, 1 << 20])]),
    /expected 16 bytes of tile 0 at byte 1048576/,
  ],
  ["a strip that is too short", fileOf([image([279, LONG, 1, 3])]), /strip 0: expected 16 bytes, got 3/],
  ["a list of 4 billion offsets", fileOf([image([273, LONG, 0xffffffff, 8])]), /truncated or damaged/],
  [
    "4 billion bits per sample",
    fileOf([image([258, SHORT, 0xffffffff, 8])]),
    /expected at most 65536 values/,
  ],
  ["rows per strip of 0", fileOf([image([278, LONG, 1, 0])]), /tag 278/],
])("%s is refused", async (_, bytes, message) => {
  await expect(readImage(bytes)).rejects.toThrow(message);
  await expect(readImage(bytes)).rejects.toSatisfy((error) => isZarrError(error, "StoreError"));
});

test.each([
  ["CCITT", [259, SHORT, 1, 4], /compression 4/],
  ["13 bits with a predictor", [317, SHORT, 1, 3], /predictor 3 of uint8/],
  ["floats of 24 bits", [339, SHORT, 1, 5], /samples of format 5/],
  ["volumes", [32997, LONG, 1, 2], /volumes/],
] as const)("%s is refused with the path", async (_, entry, message) => {
  const bytes = fileOf([image(entry)]);
  await expect(readImage(bytes)).rejects.toThrow(message);
  await expect(readImage(bytes)).rejects.toMatchObject({ tag: "UnsupportedError", path: "/image" });
});

test("a page that is refused is not listed, and says why when it is opened", async () => {
  const bytes = fileOf([image(), image([259, SHORT, 1, 4])]);
  const store = await openFile(bytes);
  expect(await store.rootGroup.names()).toEqual(["image"]);
  await expect(readImage(bytes, "image_1")).rejects.toThrow(/compression 4/);
});
