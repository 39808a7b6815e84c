/** The command line as a user and other programs see it: info, tree, get. */
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import known from "../../examples/data/known-values.json?raw";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { dataTypeFromV2, withAllDataTypes } from "../../src/data-types/registry.js";
import { create, get, type JsonObject, open, root, set } from "../../src/index.js";
import icechunk from "../fixtures/icechunk.json" with { type: "json" };
import fixtures from "../fixtures/references.json" with { type: "json" };
import { LITTLE } from "../setup/codecs.js";
import { DATA, lines, useCommandLine } from "./use-command-line.js";

const { at, here, run, url, wazarr } = useCommandLine();

describe("info and tree", () => {
  test("info --json", async () => {
    expect(JSON.parse(await here("info", DATA, "/elevation", "--json"))).toEqual({
      path: "/elevation",
      node_type: "array",
      zarr_format: 3,
      shape: [344, 403],
      data_type: "int16",
      chunk_shape: [128, 128],
      shard_shape: null,
      dimension_names: ["latitude", "longitude"],
      chunk_grid_shape: [3, 4],
      stored: { unit: "chunk", count: 12, of: 12 },
      chunk_key_encoding: { name: "default", separator: "/" },
      codecs: [LITTLE, { name: "gzip", configuration: { level: 9 } }],
      endian: "little",
      fill_value: 0,
      byte_length: 277264,
      attributes: { long_name: "elevation above sea level", units: "m" },
    });
    const group = JSON.parse(await here("info", DATA, "--json"));
    expect(group).toMatchObject({ path: "/", node_type: "group", zarr_format: 3 });
    expect(Object.keys(group)).toEqual(["path", "node_type", "zarr_format", "attributes"]);
  });

  test("info for reading", async () => {
    const text = await here("info", DATA, "elevation");
    expect(text).toMatch(/^\/elevation: array, Zarr v3\nshape +344, 403\ndata type +int16\n/);
    expect(text).toContain("277,264 bytes");
    expect(text).toContain('units: "m"');
  });

  test("STORE|zarr:PATH names a node in every command that takes STORE [PATH]", async () => {
    const name = `${DATA}|zarr:elevation`;
    expect(await here("info", name)).toBe(await here("info", DATA, "elevation"));
    expect(await here("tree", `${DATA}|zarr:elevation`)).toBe("/elevation [344, 403] int16\n");
    expect(await here("tree", `${DATA}|zarr:`)).toBe(await here("tree", DATA));
    const select = ["--select", "0:2,0:2", "--out", "-"];
    expect(await here("get", name, ...select)).toBe(await here("get", DATA, "elevation", ...select));
    expect(await here("verify", name)).toContain("0 groups, 1 array, 12 of 12 chunks stored, 0 problems");
    expect(await here("doctor", name)).toContain("first tile");
    const file = at("corner.npy");
    await here("get", name, "--select", "0:2,0:2", "--out", file);
    await here("put", file, `${at("corner.zarr")}|zarr:corner`);
    expect(await here("info", at("corner.zarr"), "corner")).toMatch(/^\/corner: array/);
    // A PATH of its own: the store may have "::" in its name.
    await here("put", file, at("a::b.zarr"), "corner");
    expect(await here("info", at("a::b.zarr"), "corner")).toMatch(/^\/corner: array/);
  });

  test("a reference document beside its file", async () => {
    const document = JSON.stringify(fixtures.documents.netcdf3).replaceAll("http://files.test/", "");
    writeFileSync(at("classic.nc"), Buffer.from(fixtures.files["classic.nc"], "base64"));
    writeFileSync(at("classic.json"), document);
    expect(await here("tree", at("classic.json"))).toContain("depth [4, 6] float32");
    const { data }: { data: number[] } = JSON.parse(
      await here("get", at("classic.json"), "depth", "--out", "-"),
    );
    expect(data).toEqual(fixtures.arrays.netcdf3.depth.data);
    writeFileSync(at("broken.json"), "{");
    expect((await run("tree", at("broken.json"))).stderr).toMatch(
      /reference document at \/\S+\/broken\.json: expected JSON/,
    );
  });

  test("an Icechunk repository", async () => {
    const { values, after } = icechunk.repositories[1];
    for (const [key, base64] of Object.entries(values)) {
      const file = at(`repository${key}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, Buffer.from(base64, "base64"));
    }
    expect(await here("tree", at("repository"))).toContain("field [5, 12, 9] float32");
    const { data }: { data: number[] } = JSON.parse(
      await here("get", `${at("repository")}|icechunk:`, "deep/small", "--out", "-"),
    );
    expect(data).toEqual(after["deep/small"].data);
  });

  test("a hierarchy with groups of the names of a repository's folders is a hierarchy", async () => {
    const store = new FileSystemStore(at("not-icechunk.zarr"));
    for (const name of ["snapshots", "refs"])
      await create(root(store).resolve(`${name}/a`), { shape: [1], dtype: "int8" });
    expect(await here("tree", at("not-icechunk.zarr"))).toMatch(/refs[\s\S]*snapshots/);
  });

  test("chunks of different shapes", async () => {
    const lengths = { shape: [6, 10], dtype: "int16" } as const;
    const store = new FileSystemStore(at("rectilinear.zarr"));
    await create(root(store).resolve("a"), { ...lengths, chunkShape: [[1, 2, 3], 4] });
    await create(root(store).resolve("b"), {
      ...lengths,
      chunkShape: [1, 2],
      shards: [
        [2, 4],
        [4, 6],
      ],
    });
    expect(JSON.parse(await here("info", at("rectilinear.zarr"), "a", "--json"))).toMatchObject({
      chunk_shape: null,
      shard_shape: null,
      chunk_shapes: [[1, 2, 3], 4],
      chunk_grid_shape: [3, 3],
    });
    expect(await here("info", at("rectilinear.zarr"), "a")).toContain(
      "chunk shapes     [[1,2,3],4] (9 chunks)",
    );
    expect(JSON.parse(await here("info", at("rectilinear.zarr"), "b", "--json"))).toMatchObject({
      chunk_shape: [1, 2],
      shard_shape: null,
      shard_shapes: [
        [2, 4],
        [4, 6],
      ],
      chunk_grid_shape: [6, 5],
    });
    const text = await here("info", at("rectilinear.zarr"), "b");
    expect(text).toMatch(/chunk shape +1, 2 \(30 chunks\)\nshard shapes +\[\[2,4\],\[4,6\]\] \(4 shards\)/);
  });

  test("tree of a hierarchy with a damaged document", async () => {
    const store = new FileSystemStore(at("torn.zarr"));
    await create(store);
    for (const name of ["a", "b", "c"])
      await create(root(store).resolve(name), { shape: [2], dtype: "int8" });
    truncateSync(join(store.root, "b", "zarr.json"), 40);
    const text = await run("tree", store.root);
    expect(text.status).toBe(1);
    expect(text.stdout).toMatch(/^\/\n├── a \[2\] int8\n├── b \(unreadable: .+\)\n└── c \[2\] int8\n$/);
    expect(text.stderr).toContain("/b/zarr.json");
    const json = await run("tree", store.root, "--json");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout).children).toMatchObject([
      { path: "/a" },
      { path: "/c" },
      { path: "/b", error: expect.stringContaining("JSON") },
    ]);
  });

  test("tree", async () => {
    expect(await here("tree", DATA)).toBe(
      "/\n├── elevation [344, 403] int16\n├── latitude [344] float64\n└── longitude [403] float64\n",
    );
    const json = JSON.parse(await here("tree", DATA, "--json"));
    expect(json).toMatchObject({ path: "/", node_type: "group", zarr_format: 3 });
    expect(json.children[0]).toEqual({
      path: "/elevation",
      node_type: "array",
      zarr_format: 3,
      shape: [344, 403],
      data_type: "int16",
      chunk_shape: [128, 128],
      shard_shape: null,
      dimension_names: ["latitude", "longitude"],
    });
    expect(JSON.parse(await here("tree", DATA, "/latitude", "--json"))).toMatchObject({ shape: [344] });
  });

  test("help", async () => {
    expect(await wazarr("--help")).toMatch(/\n {2}verify +decodes every chunk/);
    const ofCopy = await here("copy", "--help");
    expect(ofCopy).toMatch(/wazarr copy SRC DST [\s\S]*--overwrite/);
    expect(ofCopy).not.toMatch(/--port/);
    expect(await here("help", "copy")).toBe(ofCopy);
    expect(await here("--help", "copy")).toBe(ofCopy);
    expect(await here("help")).toBe(await here("-h"));
  });

  test.each(["--version", "-V", "-v"])("%s", async (flag) => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await here(flag)).toBe(`${version}\n`);
  });
});

describe("get", () => {
  const { region } = JSON.parse(known);

  test("a region to standard output and to a file", async () => {
    const text = await here("get", DATA, "/elevation", "--select", region.select, "--out", "-");
    expect(JSON.parse(text)).toEqual({ shape: [4, 5], data_type: "int16", units: "m", data: region.data });
    await here("get", DATA, "/elevation", "--select", region.select, "--out", at("region.json"));
    expect(readFileSync(at("region.json"), "utf8")).toBe(text);
  });

  test.each([
    ["0,0", [], 1],
    ["-1", [403], 403],
    ["::100", [4, 403], 1612],
    ["5:1:-2,3", [2], 2],
    ["...,3", [344], 344],
    ["10:10", [0, 403], 0],
    ["::-1,::-1", [344, 403], 138632],
    ["0:99999, -1", [344], 344],
  ])("--select %s", async (select, shape, count) => {
    const { shape: got, data } = JSON.parse(
      await here("get", DATA, "elevation", "--select", select, "--out", "-"),
    );
    expect(got).toEqual(shape);
    expect(data.length).toBe(count);
  });

  test("over HTTP", async () => {
    const args = ["elevation", "--select", region.select, "--out", "-"];
    expect(await here("get", `${url()}/jacksboro.zarr`, ...args)).toBe(await here("get", DATA, ...args));
    const missing = await run("get", `${url()}/jacksboro.zarr`, "/nothing", "--out", "-");
    expect(missing.status).toBe(1);
    expect(lines(missing)).toHaveLength(1);
    const tree = await run("tree", `${url()}/jacksboro.zarr`);
    expect(tree.status).toBe(1);
    expect(tree.stderr).toMatch(/cannot be listed/);
  });

  test("every kind of element in JSON", async () => {
    const store = new FileSystemStore(at("kinds.zarr"));
    const put = async (name: string, dtype: string | object, data: readonly unknown[]) => {
      const array = await create(root(store).resolve(name), {
        shape: [data.length],
        dtype: JSON.parse(JSON.stringify(dtype)),
      });
      await set(array, ["..."], { data, shape: [data.length] });
    };
    await put("float32", "float32", [
      0.5,
      -0,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
    await put("int64", "int64", [-(2n ** 63n), 5n]);
    await put("bool", "bool", [true, false]);
    await put("complex64", "complex64", [{ re: 1, im: Number.NaN }]);
    await put("text", { name: "fixed_length_utf32", configuration: { length_bytes: 16 } }, ["äöü", ""]);
    await put("bytes", { name: "null_terminated_bytes", configuration: { length_bytes: 3 } }, ["hi"]);
    await put("time", { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } }, [
      7n,
      "NaT",
    ]);
    const fields = [
      { name: "re", data_type: "float32" },
      { name: "im", data_type: "int64" },
    ];
    await put("struct", { name: "struct", configuration: { fields } }, [{ re: 1, im: 2n }]);
    const data = async (name: string, ...options: readonly string[]) =>
      JSON.parse(await here("get", at("kinds.zarr"), name, "--out", "-", ...options)).data;
    expect(await data("float32")).toEqual([0.5, -0, "NaN", "Infinity", "-Infinity"]);
    expect(await data("int64")).toEqual(["-9223372036854775808", "5"]);
    expect(await data("bool")).toEqual([true, false]);
    expect(await data("complex64")).toEqual([[1, "NaN"]]);
    expect(await data("text")).toEqual(["äöü", ""]);
    expect(await data("bytes")).toEqual(["aGk="]);
    expect(await data("time")).toEqual(["1970-01-01T00:00:07", "NaT"]);
    expect(await data("time", "--raw")).toEqual(["7", "-9223372036854775808"]);
    expect(await data("struct")).toEqual([{ re: 1, im: "2" }]);
  });

  test("arrays without dimensions, of every kind", async () => {
    const store = new FileSystemStore(at("scalars.zarr"));
    const scalars: readonly (readonly [string, string, unknown, unknown])[] = [
      ["float", "float32", 0.5, 0.5],
      ["text", "string", "höhe", "höhe"],
      ["bytes", "bytes", Uint8Array.of(1, 2, 255), "AQL/"],
      ["none", "string", "", ""],
    ];
    for (const [name, dtype, value, expected] of scalars) {
      const array = await create(root(store).resolve(name), {
        shape: [],
        dtype: JSON.parse(JSON.stringify(dtype)),
      });
      await set(array, [], Object({ data: [value], shape: [] }));
      const text = await here("get", at("scalars.zarr"), name, "--out", "-");
      expect(JSON.parse(text)).toEqual({ shape: [], data_type: dtype, data: [expected] });
    }
  });

  test("objects of v2: what JSON has", async () => {
    const store = new FileSystemStore(at("objects.zarr"));
    const values = [{ a: [1, null, { b: "é" }] }, [Number.NaN, 2n ** 60n], "text", null, { re: 1, im: 2 }];
    const put = async (name: string, codec: JsonObject & { readonly id: string }, data: unknown[]) => {
      const dtype = await withAllDataTypes(() => dataTypeFromV2("|O", codec.id).dataType);
      const options = { dtype, zarrFormat: 2, codecs: { filters: [codec] }, fillValue: null } as const;
      const array = await create(root(store).resolve(name), { shape: [data.length], ...options });
      await set(array, null, data);
      const scalar = await create(root(store).resolve(`${name}-0`), { shape: [], ...options });
      await set(scalar, [], Object({ data: data.slice(0, 1), shape: [] }));
    };
    const data = async (name: string) => {
      const scalar = JSON.parse(await here("get", at("objects.zarr"), `${name}-0`, "--out", "-"));
      const { data, data_type } = JSON.parse(await here("get", at("objects.zarr"), name, "--out", "-"));
      expect(scalar).toEqual({ shape: [], data_type, data: [data[0]] });
      return data;
    };
    await put("json", { id: "json2" }, values);
    expect(await data("json")).toEqual([
      { a: [1, null, { b: "é" }] },
      ["NaN", "1152921504606846976"],
      "text",
      null,
      { re: 1, im: 2 },
    ]);
    await put("msgpack", { id: "msgpack2" }, [Uint8Array.of(1, 2, 255), { a: Uint8Array.of(7) }]);
    expect(await data("msgpack")).toEqual(["AQL/", { a: "Bw==" }]);
    await put("arrays", { id: "vlen-array", dtype: "<i4" }, [Int32Array.of(1, -2), Int32Array.of()]);
    expect(await data("arrays")).toEqual([[1, -2], []]);
    await put("octets", { id: "vlen-array", dtype: "|u1" }, [Uint8Array.of(1, 2)]);
    expect(await data("octets")).toEqual([[1, 2]]);
  });

  test("nothing is printed of what turns out to be damaged, however late", async () => {
    const store = new FileSystemStore(at("late.zarr"));
    const array = await create(store, {
      shape: [12, 250_000],
      chunkShape: [1, 250_000],
      dtype: "uint8",
      fillValue: 1,
    });
    await set(array, null, 7);
    const whole = await run("get", at("late.zarr"), "--out", "-");
    expect(whole.stdout.length).toBeGreaterThan(2 ** 22);
    expect(JSON.parse(whole.stdout).data.length).toBe(3_000_000);
    truncateSync(at("late.zarr/c/11/0"), 3);
    const { status, stdout, stderr } = await run("get", at("late.zarr"), "--out", "-");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^wazarr: .*\/c\/11\/0/);
  });

  test("a large array passes in slabs", async () => {
    const store = new FileSystemStore(at("large.zarr"));
    const array = await create(store, {
      shape: [5000, 2000],
      chunkShape: [700, 700],
      dtype: "uint32",
      fillValue: 3,
    });
    await set(array, [4999, 1999], 9);
    await wazarr("get", at("large.zarr"), "--out", at("large.npy"));
    const file = readFileSync(at("large.npy"));
    expect(file.length).toBe(128 + 40_000_000);
    expect(file.readUInt32LE(file.length - 4)).toBe(9);
    expect(file.readUInt32LE(file.length - 8)).toBe(3);
    await wazarr("put", at("large.npy"), at("large-again.zarr"), "--chunks", "999,1001", "--fill-value", "3");
    const again = await open(new FileSystemStore(at("large-again.zarr")), { kind: "array" });
    expect(await get(again, [4999, 1999])).toBe(9);
    expect(
      readdirSync(at("large-again.zarr"), { recursive: true }).filter((name) =>
        /^c.\d+.\d+$/.test(String(name)),
      ),
    ).toHaveLength(1);
  });

  test("an output that could not be finished is not left behind", async () => {
    const store = new FileSystemStore(at("damaged.zarr"));
    const array = await create(store, { shape: [4], chunkShape: [2], dtype: "int16" });
    await set(array, ["..."], 1);
    truncateSync(at("damaged.zarr/c/1"), 1);
    const finished = await run("get", at("damaged.zarr"), "--out", at("damaged.json"));
    expect(finished.status).toBe(1);
    expect(lines(finished)).toHaveLength(1);
    expect(finished.stderr).toContain("/c/1");
    expect(existsSync(at("damaged.json"))).toBe(false);
  });
});

describe("labels", () => {
  test("of named dimensions, both ends included, in either direction", async () => {
    const byIndex = await here("get", DATA, "latitude", "--out", "-");
    const latitudes: number[] = JSON.parse(byIndex).data;
    const [north, south] = [latitudes[10], latitudes[13]];
    for (const ends of [`${south}:${north}`, `${north}:${south}`]) {
      const args = ["get", DATA, "elevation", "--select", `latitude=${ends}`, "--out", "-"];
      expect(JSON.parse(await here(...args))).toEqual(
        JSON.parse(await here("get", DATA, "elevation", "--select", "10:14", "--out", "-")),
      );
    }
    const one = await here("get", DATA, "elevation", "--select", `latitude=${north}`, "--out", "-");
    expect(JSON.parse(one)).toEqual(
      JSON.parse(await here("get", DATA, "elevation", "--select", "10", "--out", "-")),
    );
  });

  test.each([
    [["elevation", "--select", "latitude=1"], 2, /latitude/],
    [["elevation", "--select", "height=1"], 2, /no dimension "height".*latitude, longitude/],
    [["elevation", "--select", "latitude=36:37,5"], 2, /NAME=LABEL/],
    [["/", "--select", "latitude=36"], 2, /beside an array/],
  ])("%j is told", async (args, status, problem) => {
    const finished = await run("get", DATA, ...args, "--out", "-");
    expect(finished.stderr).toMatch(problem);
    expect(finished.status).toBe(status);
  });
});
