import { afterEach, describe, expect, test } from "vitest";
import { InvalidMetadataError } from "../../../src/base/errors.js";
import {
  parseDraftArray,
  parseDraftGroup,
  writeDraftArray,
  writeDraftGroup,
} from "../../../src/formats/draft/documents.js";
import { draftExtensions } from "../../../src/formats/draft/extensions.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { TRANSPOSED } from "../../setup/codecs.js";
import { array, failure, gzip, KEY, parse, rewrite, without } from "./draft-document.js";

afterEach(() => draftExtensions.clear());

describe("arrays", () => {
  test("are read into the model", () => {
    const { dataType, ...rest } = parse();
    expect(dataType.name).toBe("int32");
    expect(rest).toEqual({
      nodeType: "array",
      zarrFormat: "draft",
      shape: [7, 5],
      chunkGrid: { name: "regular", chunkShape: [3, 2] },
      chunkKeyEncoding: { name: "draft", separator: "/" },
      codecs: [{ name: "numcodecs.gzip", configuration: { level: 1 } }],
      endian: "big",
      fillValue: -1,
      attributes: { units: "m" },
      dimensionNames: undefined,
      extra: { extensions: [] },
    });
  });

  test("are written with every name", () => {
    expect(rewrite()).toEqual(array);
    expect(writeDraftArray({ ...parse(), extra: {} })).toEqual(array);
    expect(rewrite({ compressor: null })).toEqual(without("compressor"));
  });

  test("layouts, separators and dimensions", () => {
    expect(parse({ chunk_memory_layout: "F" }).codecs[0]).toEqual(TRANSPOSED);
    expect(rewrite({ chunk_memory_layout: "F" })).toEqual({ ...array, chunk_memory_layout: "F" });
    for (const separator of ["/", ".", "-", "--", "_x", "./"]) {
      const chunk_grid = { type: "regular", chunk_shape: [3, 2], separator };
      expect(parse({ chunk_grid }).chunkKeyEncoding.separator).toBe(separator);
      expect(rewrite({ chunk_grid })).toMatchObject({ chunk_grid });
    }
    const scalar = { shape: [], chunk_grid: { type: "regular", chunk_shape: [] } };
    expect(parse(scalar)).toMatchObject({ shape: [], chunkKeyEncoding: { name: "draft", separator: "/" } });
    const empty = parse({ shape: [0, 5], chunk_grid: { type: "regular", chunk_shape: [0, 2] } });
    expect(empty.chunkGrid.chunkShape).toEqual([1, 2]);
  });

  test("names that writers leave out or that are null", () => {
    for (const [name, member, value] of [
      ["extensions", "extra", {}],
      ["attributes", "attributes", {}],
      ["fill_value", "fillValue", undefined],
      ["compressor", "codecs", []],
    ] as const) {
      expect(parseDraftArray(without(name))[member]).toEqual(value);
      expect(parse({ [name]: null })[member]).toEqual(name === "extensions" ? { extensions: null } : value);
    }
  });

  test("names that the draft does not define are ignored and kept", () => {
    const extra = { dimension_separator: "/", a_future_name: 1, storage_transformers: [] };
    expect(parse(extra).extra).toEqual({ extensions: [], ...extra });
    expect(rewrite(extra)).toEqual({ ...array, ...extra });
  });

  test("dimension names by GDAL's convention", () => {
    const attributes = { _ARRAY_DIMENSIONS: ["Y", "X"] };
    expect(parse({ attributes }).dimensionNames).toEqual(["Y", "X"]);
    expect(rewrite({ attributes })).toMatchObject({ attributes });
  });
});

describe("codecs", () => {
  test.each([
    ["https://purl.org/zarr/spec/codec/blosc/1.0", "numcodecs.blosc"],
    ["https://purl.org/zarr/spec/codecs/gzip/1.0", "numcodecs.gzip"],
    ["https://purl.org/zarr/spec/codecs/gzip", "numcodecs.gzip"],
    ["http://purl.org/zarr/spec/codec/lz4/1.0", "numcodecs.lz4"],
    ["http://example.org/codec/foo", "http://example.org/codec/foo"],
    ["https://purl.org/zarr/spec/codec/", "https://purl.org/zarr/spec/codec/"],
  ])("%s is %s", (codec, name) => {
    const { codecs } = parse({ compressor: { codec } });
    expect(codecs).toEqual([{ name, configuration: {} }]);
    const written = name.startsWith("numcodecs.")
      ? `https://purl.org/zarr/spec/codec/${name.slice(10)}/1.0`
      : codec;
    expect(rewrite({ compressor: { codec } })).toMatchObject({
      compressor: { codec: written, configuration: {} },
    });
  });

  test("GDAL's options of lzma are numcodecs' filters", () => {
    const codec = "https://purl.org/zarr/spec/codec/lzma/1.0";
    const configured = (configuration: JsonObject) => parse({ compressor: { codec, configuration } }).codecs;
    expect(configured({ preset: 6, delta: 2 })).toEqual([
      {
        name: "numcodecs.lzma",
        configuration: {
          format: 1,
          check: -1,
          preset: null,
          filters: [
            { id: 3, dist: 2 },
            { id: 33, preset: 6 },
          ],
        },
      },
    ]);
    const own = { format: 1, check: -1, preset: 1, filters: null };
    expect(configured(own)).toEqual([{ name: "numcodecs.lzma", configuration: own }]);
  });

  test("filters that zarr-python keeps among the attributes are applied", () => {
    const attributes = { filters: [{ id: "delta", dtype: ">i4", astype: ">i4" }] };
    const delta = { name: "numcodecs.delta", configuration: { dtype: ">i4", astype: ">i4" } };
    expect(parse({ attributes }).codecs).toEqual([
      delta,
      { name: "numcodecs.gzip", configuration: { level: 1 } },
    ]);
    expect(rewrite({ attributes })).toEqual({ ...array, attributes });
    const big = { filters: [{ id: "fixedscaleoffset", offset: 18446744073709551615n }] };
    expect(rewrite({ attributes: big })).toEqual({ ...array, attributes: big });
  });

  test.each([
    [[]],
    [["delta"]],
    [[{ id: "my filter" }]],
    [[{ id: "delta" }, { name: "x" }]],
    ["delta"],
    [null],
  ])("the attribute filters %j is only an attribute", (filters) => {
    expect(parse({ attributes: { filters } }).codecs).toHaveLength(1);
    expect(rewrite({ attributes: { filters } })).toEqual({ ...array, attributes: { filters } });
  });

  test("what the draft does not have is not written", () => {
    const gzipped = { name: "numcodecs.gzip", configuration: {} };
    for (const codecs of [
      [{ name: "numcodecs.delta", configuration: {} }],
      [{ name: "numcodecs.delta", configuration: {} }, gzipped],
      [gzipped, gzipped],
      [{ name: "gzip", configuration: {} }],
      [{ name: "transpose", configuration: { order: [0, 1] } }],
    ]) {
      expect(failure(() => writeDraftArray({ ...parse(), codecs })).tag).toBe("UnsupportedError");
    }
    const filtered = parse({ attributes: { filters: [{ id: "delta" }] } });
    expect(failure(() => writeDraftArray({ ...filtered, codecs: [] })).tag).toBe("UnsupportedError");
    expect(failure(() => writeDraftArray({ ...parse(), zarrFormat: 2 })).tag).toBe("UnsupportedError");
  });
});

describe("extension points", () => {
  const uri = "http://example.org/zarr/z";
  const extension = { extension: uri, type: "z", configuration: { x: 1 } };

  test("that are not known are refused", () => {
    for (const [changes, member] of [
      [{ chunk_grid: extension }, "chunk_grid.extension"],
      [{ chunk_memory_layout: extension }, "chunk_memory_layout.extension"],
      [{ extensions: [{ extension: uri, must_understand: true }] }, "extensions[0].extension"],
    ] as const) {
      expect(failure(() => parse(changes))).toMatchObject({ tag: "InvalidMetadataError", ...KEY, member });
    }
    const ignorable = [{ extension: uri, must_understand: false, configuration: { a: 1 } }];
    expect(rewrite({ extensions: ignorable })).toEqual({ ...array, extensions: ignorable });
  });

  test("that the application adds are asked, and written as they stood", () => {
    draftExtensions.set(uri, {
      chunkGrid: (_, shape) => ({ name: "regular", chunkShape: shape }),
      memoryLayout: (_, rank) => Array.from({ length: rank }, (_, i) => (i + 1) % rank),
    });
    const changes = { chunk_grid: { ...extension, separator: "." }, chunk_memory_layout: extension };
    const metadata = parse(changes);
    expect(metadata.chunkGrid.chunkShape).toEqual([7, 5]);
    expect(metadata.codecs[0]).toEqual(TRANSPOSED);
    expect(writeDraftArray(metadata)).toEqual({ ...array, ...changes });
    expect(parse({ extensions: [{ extension: uri, must_understand: true }] }).shape).toEqual([7, 5]);
  });

  test("an extension that refuses is an error at its member", () => {
    draftExtensions.set(uri, {
      chunkGrid: () => {
        throw new InvalidMetadataError("expected x, got y");
      },
    });
    const error = failure(() => parse({ chunk_grid: extension }));
    expect(error.message).toBe('expected x, got y (key "/meta/root/a.array.json", member chunk_grid)');
  });
});

describe("documents that are refused", () => {
  const grid = (changes: JsonObject): JsonObject => ({
    chunk_grid: { type: "regular", chunk_shape: [3, 2], separator: "/", ...changes },
  });
  test.each<[string, Json, string | undefined]>([
    ["a list", [array], undefined],
    ["no shape", without("shape"), "shape"],
    ["a negative shape", { ...array, shape: [-7, 5] }, "shape[0]"],
    ["a shape that is too large", { ...array, shape: [2 ** 50, 2 ** 50] }, "shape"],
    ["no data type", without("data_type"), "data_type"],
    ["no chunk grid", without("chunk_grid"), "chunk_grid"],
    ["an irregular grid", { ...array, ...grid({ type: "rectilinear" }) }, "chunk_grid.type"],
    ["a chunk shape of 0", { ...array, ...grid({ chunk_shape: [3, 0] }) }, "chunk_grid.chunk_shape[1]"],
    ["a chunk shape of another rank", { ...array, ...grid({ chunk_shape: [3] }) }, "chunk_grid.chunk_shape"],
    ["no separation", { ...array, ...grid({ separator: "" }) }, "chunk_grid.separator"],
    ["digits between indices", { ...array, ...grid({ separator: "0" }) }, "chunk_grid.separator"],
    [
      "a separator that leaves the folder",
      { ...array, ...grid({ separator: "/../" }) },
      "chunk_grid.separator",
    ],
    ["other characters", { ...array, ...grid({ separator: "ä" }) }, "chunk_grid.separator"],
    [
      "a long separator",
      { ...array, ...grid({ separator: `${"-".repeat(300_000)}!` }) },
      "chunk_grid.separator",
    ],
    ["no layout", without("chunk_memory_layout"), "chunk_memory_layout"],
    ["another layout", { ...array, chunk_memory_layout: "A" }, "chunk_memory_layout"],
    ["a compressor that is no object", { ...array, compressor: "gzip" }, "compressor"],
    ["a compressor of v2", { ...array, compressor: { id: "gzip", level: 1 } }, "compressor.codec"],
    [
      "a configuration of another type",
      { ...array, compressor: { ...gzip, configuration: 1 } },
      "compressor.configuration",
    ],
    ["attributes of another type", { ...array, attributes: [] }, "attributes"],
    ["extensions of another type", { ...array, extensions: "none" }, "extensions"],
    [
      "storage transformers",
      { ...array, storage_transformers: [{ type: "indexed" }] },
      "storage_transformers",
    ],
  ])("%s", (_, document, member) => {
    const error = failure(() => parseDraftArray(document, KEY));
    expect(error).toMatchObject({ tag: "InvalidMetadataError", ...KEY, member });
    expect(error.message.length).toBeLessThan(500);
  });
});

describe("groups", () => {
  test("have attributes, and what writers add", () => {
    const group = { attributes: { spam: "ham", eggs: 42 } };
    expect(parseDraftGroup(group)).toEqual({ nodeType: "group", zarrFormat: "draft", ...group, extra: {} });
    expect(writeDraftGroup(parseDraftGroup(group))).toEqual(group);
    expect(parseDraftGroup({ attributes: null, extensions: [] }).attributes).toEqual({});
    expect(parseDraftGroup({}).attributes).toEqual({});
  });

  test.each<[Json, string | undefined]>([
    [[], undefined],
    [{ attributes: 1 }, "attributes"],
    [
      { attributes: {}, extensions: [{ extension: "http://example.org/x", must_understand: true }] },
      "extensions[0].extension",
    ],
  ])("%j is refused", (document, member) => {
    expect(failure(() => parseDraftGroup(document))).toMatchObject({ tag: "InvalidMetadataError", member });
  });

  test("of another format are not written", () => {
    expect(failure(() => writeDraftGroup({ ...parseDraftGroup({}), zarrFormat: 3 })).tag).toBe(
      "UnsupportedError",
    );
  });
});
