/** Copies between the 2020 draft and the final formats. */
import { describe, expect, test } from "vitest";
import { create, get, members, open, root, set } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import { GZIP } from "../../setup/codecs.js";
import { arrayStore, chunkObjects, copied, documentOf } from "./copies.js";
import { arrayDocument, encode, failure, hierarchy, keysOf, numbers, RecordingStore } from "./hierarchy.js";

const FORMATS = [2, 3, "draft"] as const;

describe.each(FORMATS)("from %s", (source) => {
  describe.each(FORMATS)("to %s", (target) => {
    test("a hierarchy: groups, attributes, fill values, dimension names, elements", async () => {
      const from = new RecordingStore();
      await create(from, { zarrFormat: source, attributes: { title: "α", big: 2n ** 60n + 1n } });
      const array = await create(root(from).resolve("g/x"), {
        zarrFormat: source,
        shape: [3, 2],
        chunkShape: [2, 2],
        dtype: "float64",
        fillValue: Number.NEGATIVE_INFINITY,
        dimensionNames: ["y", "x"],
        attributes: { units: "m" },
        order: "F",
        endian: "big",
        codecs: source === 3 ? ["gzip"] : [GZIP],
      });
      const values = Float64Array.of(1, 2, 3, 4, 5, Number.NaN);
      await set(array, null, values);
      const to = new RecordingStore();
      await copyNode(from, to, { zarrFormat: target });
      const top = await open(to, { kind: "group" });
      expect(top.metadata.zarrFormat).toBe(target);
      expect(top.attrs).toEqual({ title: "α", big: 2n ** 60n + 1n });
      const paths: string[] = [];
      for await (const node of members(top))
        paths.push(`${node.kind} ${node.path} ${node.metadata.zarrFormat}`);
      expect(paths).toEqual([`group /g ${target}`, `array /g/x ${target}`]);
      const copy = await open(top.resolve("g/x"), { kind: "array" });
      // In v2 a fill value of named dimensions stands for missing elements; elsewhere an attribute does.
      const [wasMissing, isMissing] = [source === 2, target === 2];
      expect(copy.fillValue).toBe(isMissing && !wasMissing ? null : Number.NEGATIVE_INFINITY);
      expect(copy.dimensionNames).toEqual(["y", "x"]);
      expect(copy.attrs).toEqual({
        units: "m",
        ...(wasMissing && !isMissing ? { _FillValue: "AAAAAAAA8P8=" } : {}),
        ...(target === 3 ? {} : { _ARRAY_DIMENSIONS: ["y", "x"] }),
      });
      expect((await get(copy)).data).toEqual(values);
    });

    test("chunks that stay valid are copied as they are, absent ones stay absent", async () => {
      const compressor = [GZIP];
      const from = await arrayStore({ zarrFormat: source, endian: "big", codecs: compressor });
      const to = await copied(from, { zarrFormat: target });
      const [chunk, ...others] = chunkObjects(to);
      expect(others).toEqual([]);
      // The same object: nobody decoded and encoded it again.
      expect(chunk).toBe(chunkObjects(from)[0]);
      const array = await open(root(to).resolve("a"), { kind: "array" });
      expect(numbers(await get(array))).toEqual([1, 2, 9, 9]);
    });
  });
});

describe("what the draft has and others have not", () => {
  test("an undefined fill value is zero in v3, where absent chunks were read as that", async () => {
    const from = hierarchy({ "meta/root/a.array.json": arrayDocument({ fill_value: null }) });
    expect(documentOf(await copied(from, { zarrFormat: 3 }), 3)).toMatchObject({ fill_value: 0 });
    expect(documentOf(await copied(from, { zarrFormat: 2 }), 2)).toMatchObject({ fill_value: null });
    expect(documentOf(await copied(from, {}), "draft")).toMatchObject({ fill_value: null });
  });

  test("implicit groups stay implicit in the draft and have documents elsewhere", async () => {
    const from = hierarchy({ "meta/root/i/a.array.json": arrayDocument() });
    const draft = new RecordingStore();
    await copyNode(from, draft);
    expect(keysOf(draft)).toEqual(["/meta/root/i/a.array.json", "/zarr.json"]);
    const final = new RecordingStore();
    await copyNode(from, final, { zarrFormat: 3 });
    expect(keysOf(final)).toEqual(["/i/a/zarr.json", "/i/zarr.json", "/zarr.json"]);
    const named = new RecordingStore();
    await copyNode(from, named, { attributes: { a: 1 } });
    expect(keysOf(named)).toContain("/meta/root.group.json");
  });

  test("filters that zarr-python keeps among the attributes are filters in v2 and no attribute", async () => {
    const filters = [{ id: "shuffle", elementsize: 1 }];
    const from = hierarchy(
      { "meta/root/a.array.json": arrayDocument({ attributes: { filters, x: 1 } }) },
      { "data/root/a/c0": [1, 2] },
    );
    const to = await copied(from, { zarrFormat: 2 });
    expect(documentOf(to, 2)).toMatchObject({ filters });
    expect((await open(root(to).resolve("a"))).attrs).toEqual({ x: 1 });
    const same = await copied(from, {});
    expect(documentOf(same, "draft")).toMatchObject({ attributes: { filters, x: 1 } });
    expect(numbers(await get(await open(root(same).resolve("a"), { kind: "array" })))).toEqual([1, 2]);
  });

  test("extension objects stay within the draft unless the copy makes them untrue", async () => {
    const data_type = {
      extension: "https://purl.org/zarr/spec/protocol/extensions/complex-dtypes/1.0",
      type: "<c8",
      fallback: "r64",
    };
    const extensions = [{ extension: "http://example.org/x", must_understand: false }];
    const from = hierarchy(
      {
        "meta/root/a.array.json": arrayDocument({
          shape: [1],
          chunk_grid: { type: "regular", chunk_shape: [1] },
          data_type,
          fill_value: [0, 0],
          extensions,
          later: 1,
        }),
      },
      { "data/root/a/c0": [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40] },
    );
    expect(documentOf(await copied(from, {}), "draft")).toMatchObject({ data_type, extensions, later: 1 });
    const big = await copied(from, { endian: "big" });
    expect(documentOf(big, "draft")).toMatchObject({ data_type: { ...data_type, type: ">c8" }, extensions });
    expect(big.values.get("/data/root/a/c0")).toEqual(Uint8Array.of(0x3f, 0x80, 0, 0, 0x40, 0, 0, 0));
    expect([...(await get(await open(root(big).resolve("a"), { kind: "array" }))).data]).toEqual([
      { re: 1, im: 2 },
    ]);
  });
});

describe("what others have and the draft has not", () => {
  test("names outside its alphabet", async () => {
    const from = new RecordingStore();
    await create(root(from).resolve("a b"), {});
    const to = new RecordingStore();
    expect(await failure(copyNode(from, to, { zarrFormat: "draft" }))).toBe("InvalidArgumentError");
    expect(keysOf(to)).toEqual([]);
  });

  test("data types that NumPy has not, or of variable length", async () => {
    const float = new RecordingStore();
    await create(root(float).resolve("a"), { shape: [1], dtype: "bfloat16" });
    expect(await failure(copied(float, { zarrFormat: "draft" }))).toBe("UnsupportedError");
    const text = new RecordingStore();
    const document = {
      zarr_format: 2,
      shape: [1],
      chunks: [1],
      dtype: "|O",
      fill_value: null,
      order: "C",
      filters: [{ id: "vlen-utf8" }],
      compressor: null,
    };
    text.values.set("/a/.zarray", encode(document));
    expect(await failure(copied(text, { zarrFormat: "draft" }))).toBe("UnsupportedError");
  });
});

describe("into a store that is in use", () => {
  test("a hierarchy of another format is not mixed with one of the draft", async () => {
    for (const zarrFormat of [2, 3] as const) {
      const to = new RecordingStore();
      await create(to, { zarrFormat });
      const before = keysOf(to);
      const attempt = copyNode(hierarchy({}), root(to).resolve("x"), { zarrFormat: "draft" });
      expect(await failure(attempt)).toBe("AlreadyExistsError");
      expect(keysOf(to)).toEqual(before);
    }
    const to = hierarchy({});
    const from = new RecordingStore();
    await create(from, {});
    for (const zarrFormat of [2, 3] as const) {
      expect(await failure(copyNode(from, root(to).resolve("x"), { zarrFormat }))).toBe(
        "InvalidMetadataError",
      );
    }
    expect(keysOf(to)).toEqual(["/zarr.json"]);
  });

  test("overwrite at the root replaces what is there", async () => {
    const to = new RecordingStore();
    await create(root(to).resolve("old"), { shape: [1], dtype: "int8" });
    await copyNode(hierarchy({ "meta/root/a.array.json": arrayDocument() }), to, { overwrite: true });
    expect(keysOf(to)).toEqual(["/meta/root/a.array.json", "/zarr.json"]);
    const final = new RecordingStore();
    await create(final, {});
    await copyNode(final, to, { overwrite: true });
    expect(keysOf(to)).toEqual(["/zarr.json"]);
    expect((await open(to)).metadata.zarrFormat).toBe(3);
  });
});
