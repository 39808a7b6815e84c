/** What getOrthogonal reads, against zarr-python's `oindex` on the same stores. */
import { describe, expect, it } from "vitest";
import { create, getOrthogonal, type OrthogonalEntry, set, slice } from "../../src/index.js";
import { ask, zarrPythonOrthogonal } from "../setup/python.js";
import { encodeStore } from "./wazarr.js";

const SHAPE = [13, 9, 11];
const SELECTIONS = 60;

function random(): (below: number) => number {
  let state = 2024;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Everything that zarr-python takes: it has no negative steps. */
function selections(): OrthogonalEntry[][] {
  const below = random();
  const entry = (length: number): OrthogonalEntry => {
    switch (below(5)) {
      case 0:
        return null;
      case 1:
        return below(2 * length) - length;
      case 2:
        return slice(below(length), below(length + 1), 1 + below(3));
      case 3:
        return Array.from({ length }, () => below(2) === 1);
      default:
        return Array.from({ length: 1 + below(12) }, () => below(2 * length) - length);
    }
  };
  return Array.from({ length: SELECTIONS }, () => SHAPE.map(entry));
}

const layouts = {
  "v3, zstd": { chunkShape: [4, 5, 3], codecs: ["zstd"] },
  "v3, shards": { chunkShape: [2, 5, 3], shards: [8, 5, 9] },
  "v2, F order": { chunkShape: [4, 4, 4], zarrFormat: 2, order: "F" },
} as const;

const implementation = zarrPythonOrthogonal();

describe.each(Object.entries(layouts))("%s", (_, layout) => {
  it.skipIf(implementation.executable === undefined)(
    "lists, masks, slices and integers select what they do in zarr-python",
    async () => {
      const store = new Map<string, Uint8Array>();
      const wanted = selections();
      const attributes = JSON.parse(JSON.stringify({ selections: wanted }));
      const options = { shape: SHAPE, dtype: "int32", attributes, ...layout } as const;
      const array = await create(store, options);
      await set(
        array,
        null,
        Int32Array.from({ length: 13 * 9 * 11 }, (_, i) => i),
      );
      const zarr_format = "zarrFormat" in layout ? layout.zarrFormat : 3;
      const { read } = await ask(implementation, {
        write: [],
        read: [{ store: encodeStore(store), path: "/", zarr_format }],
      });
      const [answer] = read;
      if (answer === undefined || "error" in answer) throw new Error(answer?.error);
      const expected: { shape: number[]; data: number[] }[] = JSON.parse(answer.data);
      expect(expected).toHaveLength(SELECTIONS);
      for (const [i, selection] of wanted.entries()) {
        const { shape, data } = await getOrthogonal(array, selection);
        expect({ shape, data: Array.from(data) }, JSON.stringify(selection)).toEqual(expected[i]);
      }
    },
  );
});
