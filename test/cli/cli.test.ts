/** The command line as a user and other programs see it: outputs, files, exit statuses. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import known from "../../examples/data/known-values.json?raw";
import { create, get, open, root, set } from "../../src/index.js";
import { FileSystemStore } from "../../src/stores/file-system.js";
import numpy from "../fixtures/npy.json?raw";
import { bytesFromBase64 } from "../interop/elements.js";
import { buildCommandLine, type CommandLineProgram, type Finished, runHere } from "../setup/command-line.js";

const DATA = "examples/data/jacksboro.zarr";
const folder = mkdtempSync(join(tmpdir(), "wazarr-cli-test-"));
const at = (name: string): string => join(folder, name);
let program: CommandLineProgram;
let server: Server;
let url = "";

beforeAll(async () => {
  program = await buildCommandLine();
  server = createServer((request, response) => {
    const file = join("examples/data", decodeURIComponent(new URL(request.url ?? "", "http://x").pathname));
    if (!existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(() => {
  program?.remove();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Runs it and expects it to do well. */
async function wazarr(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await program.run(...args);
  expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** The same in this process. */
async function here(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runHere(...args);
  expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
  return stdout;
}

function lines({ stderr }: Finished): string[] {
  return stderr.split("\n").filter((line) => line !== "");
}

describe("info and tree", () => {
  test("info --json", async () => {
    expect(JSON.parse(await wazarr("info", DATA, "/elevation", "--json"))).toEqual({
      path: "/elevation",
      node_type: "array",
      zarr_format: 3,
      shape: [344, 403],
      data_type: "int16",
      chunk_shape: [128, 128],
      shard_shape: null,
      dimension_names: ["latitude", "longitude"],
      chunk_grid_shape: [3, 4],
      chunk_key_encoding: { name: "default", separator: "/" },
      codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "gzip", configuration: { level: 9 } },
      ],
      endian: "little",
      fill_value: 0,
      byte_length: 277264,
      attributes: { long_name: "elevation above sea level", units: "m" },
    });
    const group = JSON.parse(await wazarr("info", DATA, "--json"));
    expect(group).toMatchObject({ path: "/", node_type: "group", zarr_format: 3 });
    expect(Object.keys(group)).toEqual(["path", "node_type", "zarr_format", "attributes"]);
  });

  test("info for reading", async () => {
    const text = await wazarr("info", DATA, "elevation");
    expect(text).toMatch(/^\/elevation: array, Zarr v3\nshape +344, 403\ndata type +int16\n/);
    expect(text).toContain("277,264 bytes");
    expect(text).toContain('units: "m"');
  });

  test("tree", async () => {
    expect(await wazarr("tree", DATA)).toBe(
      "/\n├── elevation [344, 403] int16\n├── latitude [344] float64\n└── longitude [403] float64\n",
    );
    const json = JSON.parse(await wazarr("tree", DATA, "--json"));
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
    expect(JSON.parse(await wazarr("tree", DATA, "/latitude", "--json"))).toMatchObject({ shape: [344] });
  });

  test("help", async () => {
    expect(await wazarr("--help")).toMatch(/wazarr verify STORE \[PATH\]/);
    expect(await wazarr("copy", "--help")).toMatch(/--overwrite/);
  });
});

describe("get", () => {
  const { region } = JSON.parse(known);

  test("a region to standard output and to a file", async () => {
    const text = await wazarr("get", DATA, "/elevation", "--select", region.select, "--out", "-");
    expect(JSON.parse(text)).toEqual({ shape: [4, 5], data_type: "int16", data: region.data });
    await wazarr("get", DATA, "/elevation", "--select", region.select, "--out", at("region.json"));
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
      await wazarr("get", DATA, "elevation", "--select", select, "--out", "-"),
    );
    expect(got).toEqual(shape);
    expect(data.length).toBe(count);
  });

  test("over HTTP", async () => {
    const args = ["elevation", "--select", region.select, "--out", "-"];
    expect(await wazarr("get", `${url}/jacksboro.zarr`, ...args)).toBe(await wazarr("get", DATA, ...args));
    const missing = await program.run("get", `${url}/jacksboro.zarr`, "/nothing", "--out", "-");
    expect(missing.status).toBe(1);
    expect(lines(missing)).toHaveLength(1);
    const tree = await program.run("tree", `${url}/jacksboro.zarr`);
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
    const data = async (name: string) =>
      JSON.parse(await wazarr("get", at("kinds.zarr"), name, "--out", "-")).data;
    expect(await data("float32")).toEqual([0.5, -0, "NaN", "Infinity", "-Infinity"]);
    expect(await data("int64")).toEqual(["-9223372036854775808", "5"]);
    expect(await data("bool")).toEqual([true, false]);
    expect(await data("complex64")).toEqual([[1, "NaN"]]);
    expect(await data("text")).toEqual(["äöü", ""]);
    expect(await data("bytes")).toEqual(["aGk="]);
    expect(await data("time")).toEqual(["7", "-9223372036854775808"]);
    expect(await data("struct")).toEqual([{ re: 1, im: "2" }]);
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
    const finished = await program.run("get", at("damaged.zarr"), "--out", at("damaged.json"));
    expect(finished.status).toBe(1);
    expect(lines(finished)).toHaveLength(1);
    expect(finished.stderr).toContain("/c/1");
    expect(existsSync(at("damaged.json"))).toBe(false);
  });
});

describe("put and get", () => {
  const { cases }: { cases: readonly { name: string; npy: string; shape: number[]; elements: unknown[] }[] } =
    JSON.parse(numpy);

  test("npy files of numpy, by way of every format", async () => {
    for (const [i, { name, npy, shape, elements }] of cases.entries()) {
      if (/^[<>](i4|f2|U4|struct)$|order F|aligned|no dim|no elem|version 2|S3|b1/.exec(name) === null)
        continue;
      writeFileSync(at("in.npy"), bytesFromBase64(npy));
      // v3 has no subarrays.
      const format = name.includes("struct") || i % 2 === 0 ? "2" : "3";
      const layout = format === "2" ? ["--order", "F", "--endian", "big"] : ["--codecs", '["crc32c"]'];
      await here("put", at("in.npy"), at("put.zarr"), `/n${i}`, "--zarr-format", format, ...layout);
      const text = await here("get", at("put.zarr"), `/n${i}`, "--out", "-");
      expect(JSON.parse(text), name).toMatchObject({ shape, data: elements });
      await here("get", at("put.zarr"), `/n${i}`, "--out", at("out.npy"));
      await here("put", at("out.npy"), at("put.zarr"), `/again${i}`, "--zarr-format", "2");
      expect(await here("get", at("put.zarr"), `/again${i}`, "--out", "-"), name).toBe(text);
    }
  });

  test("every layout option", async () => {
    writeFileSync(at("in.npy"), bytesFromBase64(cases.find(({ name }) => name === "<i4")?.npy ?? ""));
    await wazarr(
      ...[
        "put",
        at("in.npy"),
        at("layout.zarr"),
        "/a",
        "--zarr-format",
        "3",
        "--chunks",
        "2,3",
        "--order",
        "F",
      ],
      ...[
        "--endian",
        "big",
        "--codecs",
        '[{"name": "gzip", "configuration": {"level": 1}}, "crc32c"]',
        "--fill-value",
        "-7",
      ],
      ...["--dimension-names", "y,x", "--attributes", '{"big": 12345678901234567890}', "--concurrency", "2"],
    );
    const info = await wazarr("info", at("layout.zarr"), "/a", "--json");
    expect(info).toContain("12345678901234567890");
    expect(JSON.parse(info)).toMatchObject({
      zarr_format: 3,
      chunk_shape: [2, 3],
      dimension_names: ["y", "x"],
      fill_value: -7,
      endian: "big",
      codecs: [
        { name: "transpose", configuration: { order: [1, 0] } },
        { name: "bytes", configuration: { endian: "big" } },
        { name: "gzip", configuration: { level: 1 } },
        { name: "crc32c" },
      ],
    });
    const again = await program.run("put", at("in.npy"), at("layout.zarr"), "/a");
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(/already/);
    await wazarr(
      "put",
      at("in.npy"),
      at("layout.zarr"),
      "/a",
      "--overwrite",
      "--zarr-format",
      "2",
      "--codecs",
      '{"compressor": {"id": "zlib", "level": 2}}',
    );
    expect(JSON.parse(await wazarr("info", at("layout.zarr"), "a", "--json"))).toMatchObject({
      zarr_format: 2,
      codecs: [{ name: "numcodecs.zlib", configuration: { level: 2 } }],
    });
  });

  test("a file that is no npy file, or cut off, or not there", async () => {
    writeFileSync(at("no.npy"), "hello, this is text");
    const whole = bytesFromBase64(cases.find(({ name }) => name === "<i4")?.npy ?? "");
    writeFileSync(at("cut.npy"), whole.subarray(0, whole.length - 1));
    for (const file of ["no.npy", "cut.npy", "absent.npy"]) {
      const finished = await program.run("put", at(file), at("none.zarr"));
      expect(finished.status, file).toBe(1);
      expect(lines(finished)).toHaveLength(1);
      expect(finished.stderr).toContain(file);
    }
    expect(existsSync(at("none.zarr"))).toBe(false);
  });
});

describe("copy", () => {
  test("a hierarchy to v2 and back, chunks and codecs changed", async () => {
    const before = await wazarr("get", DATA, "elevation", "--out", "-");
    await wazarr(
      "copy",
      DATA,
      at("v2.zarr"),
      "--zarr-format",
      "2",
      "--chunks",
      "100,100",
      "--order",
      "F",
      "--codecs",
      '{"compressor": {"id": "zlib", "level": 1}}',
    );
    expect(existsSync(at("v2.zarr/elevation/3.4"))).toBe(true);
    await wazarr("copy", at("v2.zarr"), `${at("back.zarr")}::/deep/er`, "--zarr-format", "3");
    expect(await wazarr("get", at("back.zarr"), "deep/er/elevation", "--out", "-")).toBe(before);
    expect(await wazarr("verify", at("back.zarr"))).toBe("3 groups, 3 arrays, 22 chunks, 0 problems\n");
    expect(JSON.parse(await wazarr("info", at("back.zarr"), "/deep/er/elevation", "--json"))).toMatchObject({
      chunk_shape: [100, 100],
      dimension_names: ["latitude", "longitude"],
      attributes: { units: "m" },
    });
  });

  test("one array into an archive, another beside it, and out again", async () => {
    await wazarr("copy", `${DATA}::/elevation`, `${at("a.zip")}::/one`);
    await wazarr("copy", `${DATA}::/latitude`, `${at("a.zip")}::/two`);
    expect(await wazarr("tree", at("a.zip"))).toBe("/\n├── one [344, 403] int16\n└── two [344] float64\n");
    expect(await wazarr("verify", at("a.zip"))).toMatch(/ 0 problems/);
    expect(await wazarr("get", at("a.zip"), "one", "--select", "0", "--out", "-")).toBe(
      await wazarr("get", DATA, "elevation", "--select", "0", "--out", "-"),
    );
    expect(readdirSync(folder).filter((name) => name.startsWith(".a.zip"))).toEqual([]);
    const refused = await program.run("copy", `${DATA}::/latitude`, `${at("a.zip")}::/one`);
    expect(refused.status).toBe(1);
    expect(await wazarr("tree", at("a.zip"))).toMatch(/one \[344, 403\]/);
  });

  test("into shards and out of them", async () => {
    const before = await wazarr("get", DATA, "elevation", "--out", "-");
    await wazarr("copy", DATA, at("sharded.zarr"), "--chunks", "50,50", "--shards", "200,100");
    expect(JSON.parse(await wazarr("info", at("sharded.zarr"), "elevation", "--json"))).toMatchObject({
      chunk_shape: [50, 50],
      shard_shape: [200, 100],
      endian: "little",
    });
    expect(readdirSync(at("sharded.zarr/elevation/c"))).toEqual(["0", "1"]);
    await wazarr("copy", at("sharded.zarr"), at("sharded-big.zarr"), "--endian", "big");
    expect(JSON.parse(await wazarr("info", at("sharded-big.zarr"), "elevation", "--json"))).toMatchObject({
      chunk_shape: [50, 50],
      shard_shape: [200, 100],
      endian: "big",
    });
    await wazarr("copy", at("sharded-big.zarr"), at("unsharded.zarr"), "--zarr-format", "2");
    expect(JSON.parse(await wazarr("info", at("unsharded.zarr"), "elevation", "--json"))).toMatchObject({
      chunk_shape: [50, 50],
      shard_shape: null,
      endian: "big",
    });
    for (const name of ["sharded.zarr", "sharded-big.zarr", "unsharded.zarr"]) {
      expect(await wazarr("get", at(name), "elevation", "--out", "-")).toBe(before);
      expect(await wazarr("verify", at(name))).toMatch(/ 0 problems/);
    }
    expect(
      (await program.run("copy", DATA, at("x.zarr"), "--chunks", "50,50", "--shards", "70,70")).status,
    ).toBe(2);
    await wazarr("get", DATA, "elevation", "--out", at("e.npy"));
    await wazarr("put", at("e.npy"), at("put-sharded.zarr"), "--chunks", "50,50", "--shards", "200,100");
    expect(await wazarr("get", at("put-sharded.zarr"), "--out", "-")).toBe(before);
  });

  test("into the draft and out of it", async () => {
    const before = await wazarr("get", DATA, "elevation", "--out", "-");
    const gzip = { codec: "https://purl.org/zarr/spec/codec/gzip/1.0", configuration: { level: 1 } };
    await wazarr("copy", DATA, at("draft.zr3"), "--zarr-format", "draft", "--codecs", JSON.stringify(gzip));
    expect(existsSync(at("draft.zr3/meta/root/elevation.array.json"))).toBe(true);
    expect(JSON.parse(await wazarr("info", at("draft.zr3"), "elevation", "--json"))).toMatchObject({
      zarr_format: "draft",
    });
    expect(await wazarr("tree", at("draft.zr3"))).toBe(await wazarr("tree", DATA));
    expect(await wazarr("get", at("draft.zr3"), "elevation", "--out", "-")).toBe(before);
    expect(await wazarr("verify", at("draft.zr3"))).toMatch(/ 0 problems/);
    await wazarr("copy", `${at("draft.zr3")}::/elevation`, at("from-draft.zarr"), "--zarr-format", "3");
    expect(await wazarr("get", at("from-draft.zarr"), "--out", "-")).toBe(before);
    await wazarr("get", DATA, "latitude", "--out", at("latitude.npy"));
    await wazarr("put", at("latitude.npy"), at("draft.zr3"), "/new/latitude", "--zarr-format", "draft");
    expect(await wazarr("tree", at("draft.zr3"), "/new/latitude")).toBe("/new/latitude [344] float64\n");
  });

  test("from HTTP", async () => {
    await wazarr("copy", `${url}/jacksboro.zarr::/elevation`, at("from-http.zarr"));
    expect(readFileSync(at("from-http.zarr/c/2/3"))).toEqual(readFileSync(`${DATA}/elevation/c/2/3`));
    expect((await program.run("copy", DATA, `${url}/new.zarr`)).status).toBe(2);
  });

  test("not onto itself, into itself, or over what is around it", async () => {
    cpSync(DATA, at("self.zarr"), { recursive: true });
    const before = readdirSync(at("self.zarr"), { recursive: true }).sort();
    for (const [from, to] of [
      ["self.zarr", "self.zarr"],
      ["self.zarr", "self.zarr::/copy"],
      ["self.zarr/elevation", "self.zarr"],
      ["self.zarr::/elevation", "./self.zarr/"],
    ]) {
      const finished = await program.run("copy", at(from ?? ""), at(to ?? ""), "--overwrite");
      expect(finished.status, `${from} ${to}`).toBe(2);
    }
    expect(readdirSync(at("self.zarr"), { recursive: true }).sort()).toEqual(before);
    await wazarr("copy", `${at("self.zarr")}::/latitude`, `${at("self.zarr")}::/latitude2`);
  });
});

describe("verify", () => {
  test("one line a problem, and status 1", async () => {
    cpSync(DATA, at("bad.zarr"), { recursive: true });
    truncateSync(at("bad.zarr/elevation/c/1/1"), 100);
    writeFileSync(at("bad.zarr/longitude/zarr.json"), "{\n");
    const finished = await program.run("verify", at("bad.zarr"));
    expect(finished.status).toBe(1);
    expect(finished.stdout).toBe("1 group, 2 arrays, 13 chunks, 2 problems\n");
    const problems = lines(finished);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^wazarr: .*"\/elevation\/c\/1\/1".*codec gzip.*chunk \[1, 1\]/);
    expect(problems[1]).toMatch(/^wazarr: .*"\/longitude\/zarr.json"/);
    const one = await program.run("verify", at("bad.zarr"), "/latitude");
    expect(one).toEqual({ status: 0, stdout: "0 groups, 1 array, 1 chunk, 0 problems\n", stderr: "" });
  });
});

describe("wrong usage has status 2", () => {
  const wrong = [
    [],
    ["frobnicate"],
    ["info"],
    ["info", DATA, "/", "more"],
    ["info", DATA, "--select", "0"],
    ["get", DATA, "elevation"],
    ["get", DATA, "elevation", "--out", "x.txt"],
    ["get", DATA, "elevation", "--out", "-", "--select", "1:2:3:4"],
    ["get", DATA, "elevation", "--out", "-", "--select", "a"],
    ["get", DATA, "elevation", "--out", "-", "--select", "::0"],
    ["get", DATA, "elevation", "--out", "-", "--select", "0,0,0"],
    ["get", DATA, "elevation", "--out", "-", "--select", "344"],
    ["copy", DATA],
    ["copy", DATA, "x.zarr", "--zarr-format", "4"],
    ["copy", DATA, "x.zarr", "--chunks", "0,1"],
    ["copy", DATA, "x.zarr", "--chunks", "1,2,3"],
    ["copy", DATA, "x.zarr", "--codecs", "{"],
    ["copy", DATA, "x.zarr", "--codecs", '[{"id": "gzip"}]'],
    ["copy", DATA, "x.zarr", "--codecs", '["nope"]'],
    ["copy", DATA, "x.zarr", "--fill-value", '"x"'],
    ["copy", DATA, "x.zarr", "--order", "A"],
    ["copy", DATA, "x.zarr", "--endian", "middle"],
    ["copy", DATA, "x.zarr", "--attributes", "[]"],
    ["copy", DATA, "x.zarr", "--dimension-names", "a,b,c"],
    ["copy", DATA, "x.zarr", "--concurrency", "0"],
    ["copy", DATA, "x.zarr", "--nothing"],
  ];
  test.each(wrong.map((args) => ({ args })))("$args", async ({ args }) => {
    const finished = await runHere(...args);
    expect(finished.status).toBe(2);
    expect(finished.stdout).toBe("");
    expect(finished.stderr).toMatch(/^wazarr: /);
    expect(existsSync("x.zarr")).toBe(false);
  });

  test("data that are not there have status 1", async () => {
    for (const args of [
      ["info", at("absent")],
      ["tree", at("absent")],
      ["get", DATA, "/absent", "--out", "-"],
      ["get", DATA, "/", "--out", "-"],
      ["verify", at("absent")],
      ["copy", at("absent"), at("x.zarr")],
      ["info", at("absent.zip")],
      ["info", "http://127.0.0.1:1/x.zarr"],
    ]) {
      const finished = await runHere(...args);
      expect(finished.status, args.join(" ")).toBe(1);
      expect(lines(finished), args.join(" ")).toHaveLength(1);
    }
  });
});
