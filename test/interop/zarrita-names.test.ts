/**
 * Switching from zarrita is changing an import: what it exports is here, or docs/from-zarrita.md says what is
 * instead.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as zarrita from "zarrita";
import * as wazarr from "../../src/index.js";

const page = readFileSync(new URL("../../docs/from-zarrita.md", import.meta.url), "utf8");
const section = (title: string): string => page.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].flatMap(([, name]) => name ?? []);

test("the same names are exported", () => {
  const same = Object.keys(zarrita).filter((name) => name in wazarr);
  expect(namesIn(section("The same names")).sort()).toEqual(same.sort());
});

test("every other name has a line that says what to use", () => {
  const lines = section("Other names").split("\n").slice(3);
  const other = lines.flatMap((line) => namesIn(line.split("|")[1] ?? ""));
  expect(other.sort()).toEqual(
    Object.keys(zarrita)
      .filter((name) => !(name in wazarr))
      .sort(),
  );
});

test("zarrita's stores with its extensions are stores here", async () => {
  const values = new Map<string, Uint8Array>();
  await wazarr.create(values);
  const made = await wazarr.create(wazarr.root(values).resolve("a"), {
    shape: [3],
    dtype: "int16",
    fillValue: 7,
  });
  expect(made.path).toBe("/a");
  await wazarr.consolidateMetadata(values);
  const inner = { get: async (key: wazarr.AbsolutePath) => values.get(key) };
  const store = zarrita.withByteCaching(await zarrita.withConsolidatedMetadata(inner));
  expect(await wazarr.tree(store)).toBe("/\n└── a [3] int16");
  const array = await wazarr.open(wazarr.root(store).resolve("a"), { kind: "array" });
  expect((await wazarr.get(array)).data).toEqual(Int16Array.of(7, 7, 7));
});

test("`create` takes the names of zarrita 0.6", async () => {
  const early = { data_type: "int16", chunk_shape: [2, 3], fill_value: 7, chunk_separator: "." } as const;
  const store = new Map<string, Uint8Array>();
  // As compiled libraries pass them: the types have only the names of now.
  const options: object = { shape: [4, 6], ...early };
  await wazarr.create(store, options);
  const array = await wazarr.open(store, { kind: "array" });
  expect([array.dtype, array.chunks, array.fillValue]).toEqual(["int16", [2, 3], 7]);
  await wazarr.set(array, null, 1);
  expect(store.has("/c.1.1")).toBe(true);
  const unknown: object = { shape: [4], data_types: "int16" };
  await expect(wazarr.create(new Map<string, Uint8Array>(), unknown)).rejects.toThrow(
    'no option "data_types"',
  );
});
