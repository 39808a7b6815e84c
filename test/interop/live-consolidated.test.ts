/** Consolidated metadata, both ways with zarr-python. */
import { describe, expect, it } from "vitest";
import {
  consolidateMetadata,
  create,
  get,
  open,
  root,
  set,
  tree,
  withConsolidatedMetadata,
} from "../../src/index.js";
import { ask, zarrPythonConsolidated } from "../setup/python.js";
import { readOnly, SlowStore } from "../setup/stores.js";
import { RICH, RICH_AS_PYTHON_WRITES_IT } from "./attributes.js";
import { decodeStore, encodeStore } from "./wazarr.js";

const implementation = zarrPythonConsolidated();
const isThere = implementation.executable !== undefined;

describe.each([2, 3] as const)("v%i", (zarr_format) => {
  it.skipIf(!isThere)("zarr-python's: one request opens and lists everything", async () => {
    const { write } = await ask(implementation, {
      write: [{ zarr_format, attributes: RICH_AS_PYTHON_WRITES_IT }],
      read: [],
    });
    const [answer] = write;
    if (answer === undefined || "error" in answer) throw new Error(answer?.error);
    const remote = new SlowStore(decodeStore(answer.store));
    const store = await withConsolidatedMetadata(readOnly(remote), { format: `v${zarr_format}` });
    expect(await tree(store)).toBe("/\n└── a\n    └── array [2, 3] int16");
    expect((await open(store, { kind: "group" })).attrs).toEqual({});
    expect((await open(root(store).resolve("a"))).attrs).toEqual(RICH);
    const array = await open(root(store).resolve("a/array"), { kind: "array" });
    expect(remote.requests).toEqual([zarr_format === 2 ? "/.zmetadata" : "/zarr.json"]);
    expect((await get(array)).data).toEqual(Int16Array.of(1, 2, 3, 4, 5, 6));
  });

  it.skipIf(!isThere)("wazarr's is what zarr-python opens", async () => {
    const values = new Map<string, Uint8Array>();
    await create(values, { zarrFormat: zarr_format });
    await create(root(values).resolve("a"), { zarrFormat: zarr_format, attributes: RICH });
    const array = await create(root(values).resolve("a/array"), {
      zarrFormat: zarr_format,
      shape: [2, 3],
      chunkShape: [2, 2],
      dtype: "int16",
    });
    await set(array, null, { data: Int16Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });
    expect(await consolidateMetadata(values)).toBe(3);
    const { read } = await ask(implementation, {
      write: [],
      read: [{ store: encodeStore(values), path: "/", zarr_format }],
    });
    expect(read).toEqual([
      {
        members: ["a", "a/array"],
        attributes: RICH_AS_PYTHON_WRITES_IT,
        data: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    ]);
  });
});
