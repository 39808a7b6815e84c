/** Reads what Python shows through messages, with zarr-python, xarray and Icechunk at the other end. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AbsolutePath, get, open, root, slice } from "wazarr";
import { openDataset } from "wazarr/xarray";
import { readOracles } from "../../../test/setup/oracles.js";
import { CommStore } from "../src/comm-store.js";
import { Pipes } from "./pipes.js";

const python = readOracles().python?.executable ?? "";
const SHAPE = [3, 700, 600] as const;
const valueAt = (t: number, y: number, x: number) => ((t * SHAPE[1] + y) * SHAPE[2] + x) % 251;

describe.skipIf(python === "")("a viewer and Python", () => {
  let pipes: Pipes;
  beforeAll(() => {
    pipes = new Pipes(python);
  });
  afterAll(() => pipes?.close());

  const show = async (object: string) => {
    const shown = await pipes.open(object);
    return { ...shown, store: new CommStore(pipes) };
  };

  test.each(["v3", "v2", "shards", "array", "dataset", "variable", "reopened", "session"])(
    "read the same elements of %s",
    async (object) => {
      const { store, ...shown } = await show(object);
      expect(shown).toEqual({ path: "", variables: ["values"] });
      const array = await open(root(store).resolve("values"), { kind: "array" });
      expect(array.shape).toEqual(SHAPE);
      const { data, shape } = await get(array, [1, slice(490, 530), null], { as: "int32" });
      const wrong = Array.from(data).flatMap((value, i) => {
        const expected = valueAt(1, 490 + Math.floor(i / 600), i % 600);
        return value === expected ? [] : [{ i, value, expected }];
      });
      expect({ shape, length: data.length, wrong }).toEqual({ shape: [40, 600], length: 24_000, wrong: [] });
      const ranges = pipes.sent.filter((message) => "range" in message);
      expect(ranges.length > 0).toBe(object === "shards");
    },
  );

  test("read the dates and attributes of a data set of xarray", async () => {
    const { store } = await show("dataset");
    const time = await open(root(store).resolve("time"), { kind: "array" });
    const { attrs } = await open(root(store).resolve("values"), { kind: "array" });
    expect(attrs).toEqual({ units: "m", n: 3 });
    const contents = (): { path: AbsolutePath; kind: "array" | "group" }[] => [
      { path: "/", kind: "group" },
      { path: "/time", kind: "array" },
    ];
    const { variables } = await openDataset({ get: (key) => store.get(key), contents });
    expect(time.shape).toEqual([3]);
    expect((await variables.time?.get())?.strings().map((text) => text.slice(0, 10))).toEqual([
      "2026-03-05",
      "2026-03-06",
      "2026-03-07",
    ]);
  });

  test("send a value of many bytes in parts, the next when the last has arrived", async () => {
    const { store, ...shown } = await show("large");
    expect(shown).toEqual({ path: "", variables: [] });
    const { data } = await get(await open(store, { kind: "array" }), null, { as: "int32" });
    expect(data.length).toBe(10 << 18);
    expect(data.every((value, i) => value === i)).toBe(true);
    expect(pipes.sent.filter(({ kind }) => kind === "more").length).toBe(2);
  });

  test("say why a store cannot be read, and go on", async () => {
    const { store } = await show("failing");
    await expect(store.get("/values/c/0/0/0")).rejects.toThrow("OSError: the disk is gone");
    await expect(store.get("/values/../../secret")).rejects.toThrow("expected a key of a store");
    await expect(store.getRange("/values/zarr.json", { suffixLength: 3 })).resolves.toHaveLength(3);
    expect(await store.get("/nothing")).toBeUndefined();
  });

  test("abort what is not needed any more, and read on", async () => {
    const { store } = await show("v3");
    const controller = new AbortController();
    const { signal } = controller;
    const reads = Array.from({ length: 40 }, (_, i) => store.get(`/values/c/0/0/${i % 3}`, { signal }));
    controller.abort();
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(pipes.sent.filter(({ kind }) => kind === "get").length).toBe(16);
    expect(pipes.sent.filter(({ kind }) => kind === "abort").length).toBe(16);
    expect((await store.get("/values/c/0/0/0"))?.length).toBeGreaterThan(0);
  });
});
