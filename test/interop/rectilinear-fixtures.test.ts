/**
 * Arrays with a rectilinear chunk grid that zarr-python and zarrs wrote into test/fixtures/rectilinear.json.
 */
import { expect, it } from "vitest";
import { create, get, getChunk, open, type Selection, set, slice } from "../../src/index.js";
import { copyNode, verify } from "../../src/main/copy.js";
import { positions } from "../engine/reference.js";
import text from "../fixtures/rectilinear.json?raw";
import { bytesFromHex } from "./elements.js";
import { decodeStore, encodeStore } from "./wazarr.js";

interface Fixture {
  readonly arrays: readonly {
    readonly writer: string;
    readonly name: string;
    readonly shape: readonly number[];
    readonly data: string;
    readonly store: Readonly<Record<string, string>>;
  }[];
}
const { arrays }: Fixture = JSON.parse(text);

it.each(arrays.map((each) => [`${each.writer}: ${each.name}`, each] as const))("%s", async (_, each) => {
  const { shape } = each;
  const store = decodeStore(each.store);
  const elements = new Int16Array(bytesFromHex(each.data).buffer);
  const array = await open(store, { kind: "array" });
  expect(array.metadata.chunkGrid.name).toBe("rectilinear");
  const selections: Selection[] = [
    null,
    shape.map(() => slice(null, null, -2)),
    shape.map((length) => slice(1, length - 1)),
    shape.map((length) => length - 1),
  ];
  for (const selection of selections) {
    const got = await get(array, selection);
    const wanted = positions(selection, shape).map((place) => elements[place]);
    expect(typeof got === "number" ? [got] : Reflect.get(Object(got), "data")).toEqual(
      typeof got === "number" ? wanted : Int16Array.from(wanted, Number),
    );
  }
  await getChunk(
    array,
    shape.map(() => 0),
  );
  const problems: unknown[] = [];
  const report = await verify(store, { onProblem: (problem) => problems.push(problem) });
  expect({ problems, chunks: report.chunks }).toEqual({ problems: [], chunks: store.size - 1 });
  expect(encodeStore(store)).toEqual(each.store);

  // Written anew with the same grid, and copied: the same values, under the same keys.
  const copy = new Map<string, Uint8Array>();
  await copyNode(store, copy);
  expect(new Map([...copy].filter(([key]) => key !== "/zarr.json"))).toEqual(
    new Map([...store].filter(([key]) => key !== "/zarr.json")),
  );
  const anew = new Map<string, Uint8Array>();
  const { chunkGrid, codecs } = array.metadata;
  if (chunkGrid.name !== "rectilinear" || codecs.length > 1) throw new Error("expected a rectilinear grid");
  const target = await create(anew, { shape, dtype: "int16", chunkShape: chunkGrid.chunkShapes, codecs });
  await set(target, null, elements);
  expect((await get(target)).data).toEqual(elements);
  // Shards have their inner chunks in any order, and zarr-python leaves there what an array loses that
  // shrinks.
  if (/shards|shrunk/.test(each.name)) return;
  // What holds nothing but the fill value is not written; others may have stored it.
  for (const [key, value] of anew) if (key !== "/zarr.json") expect(value, key).toEqual(store.get(key));
});
