/** The command line as a user and other programs see it: put and copy. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import numpy from "../fixtures/npy.json?raw";
import { bytesFromBase64 } from "../interop/elements.js";
import { BIG, GZIP, LITTLE, TRANSPOSED } from "../setup/codecs.js";
import { DATA, lines, useCommandLine } from "./use-command-line.js";

const { at, here, run, url, wazarr } = useCommandLine();

const { cases }: { cases: readonly { name: string; npy: string; shape: number[]; elements: unknown[] }[] } =
  JSON.parse(numpy);

describe("put and get", () => {
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
      await here("get", at("put.zarr"), `/n${i}`, "--out", at("out.npy"), "--overwrite");
      await here("put", at("out.npy"), at("put.zarr"), `/again${i}`, "--zarr-format", "2");
      expect(await here("get", at("put.zarr"), `/again${i}`, "--out", "-"), name).toBe(text);
    }
  });

  test("every layout option", async () => {
    writeFileSync(at("in.npy"), bytesFromBase64(cases.find(({ name }) => name === "<i4")?.npy ?? ""));
    await here(
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
    const info = await here("info", at("layout.zarr"), "/a", "--json");
    expect(info).toContain("12345678901234567890");
    expect(JSON.parse(info)).toMatchObject({
      zarr_format: 3,
      chunk_shape: [2, 3],
      dimension_names: ["y", "x"],
      fill_value: -7,
      endian: "big",
      codecs: [TRANSPOSED, BIG, GZIP, { name: "crc32c" }],
    });
    const again = await run("put", at("in.npy"), at("layout.zarr"), "/a");
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(/already exists; --overwrite replaces it/);
    await here(
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
    expect(JSON.parse(await here("info", at("layout.zarr"), "a", "--json"))).toMatchObject({
      zarr_format: 2,
      codecs: [{ name: "numcodecs.zlib", configuration: { level: 2 } }],
    });
  });

  test("a file that is no npy file, or cut off, or not there", async () => {
    writeFileSync(at("no.npy"), "hello, this is text");
    const whole = bytesFromBase64(cases.find(({ name }) => name === "<i4")?.npy ?? "");
    writeFileSync(at("cut.npy"), whole.subarray(0, whole.length - 1));
    for (const file of ["no.npy", "cut.npy", "absent.npy"]) {
      const finished = await run("put", at(file), at("none.zarr"));
      expect(finished.status, file).toBe(1);
      expect(lines(finished)).toHaveLength(1);
      expect(finished.stderr).toContain(file);
    }
    expect(existsSync(at("none.zarr"))).toBe(false);
  });
});

describe("copy", () => {
  test("says which arrays v2 stores in another order", async () => {
    writeFileSync(at("cube.npy"), bytesFromBase64(cases.find(({ name }) => name === "<f4")?.npy ?? ""));
    const put = ["put", at("cube.npy"), at("rotated.zarr"), "/a"];
    const rotated = [{ name: "transpose", configuration: { order: [2, 0, 1] } }, { name: "gzip" }];
    await here(...put, "--codecs", JSON.stringify(rotated));
    const finished = await run("copy", at("rotated.zarr"), at("straight.zarr"), "--zarr-format", "2");
    expect(finished).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^copied to .*straight.zarr: 2 tasks/),
    });
    expect(lines(finished)).toEqual([
      "wazarr: /a: stored in order C: v2 has no order [2, 0, 1] of dimensions",
    ]);
    await here("verify", at("straight.zarr"), "--against", at("rotated.zarr"));
  });

  test("a hierarchy to v2 and back, chunks and codecs changed", async () => {
    const before = await here("get", DATA, "elevation", "--out", "-");
    await here(
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
    await here("copy", at("v2.zarr"), `${at("back.zarr")}|zarr:deep/er`, "--zarr-format", "3");
    expect(await here("get", at("back.zarr"), "deep/er/elevation", "--out", "-")).toBe(before);
    expect(await here("verify", at("back.zarr"))).toBe(
      "3 groups, 3 arrays, 22 of 22 chunks stored, 0 problems\n",
    );
    expect(JSON.parse(await here("info", at("back.zarr"), "/deep/er/elevation", "--json"))).toMatchObject({
      chunk_shape: [100, 100],
      dimension_names: ["latitude", "longitude"],
      attributes: { units: "m" },
    });
  });

  test("codecs by their short names", async () => {
    const codecsOf = async (codecs: string): Promise<unknown> => {
      await here(
        "copy",
        `${DATA}|zarr:latitude`,
        at("short.zarr"),
        "--codecs",
        codecs,
        "--overwrite",
        "--quiet",
      );
      return JSON.parse(await here("info", at("short.zarr"), "--json")).codecs;
    };
    const zstd = { name: "zstd", configuration: { level: 5, checksum: false } };
    expect(await codecsOf("zstd:5")).toEqual([LITTLE, zstd]);
    expect(await codecsOf("gzip")).toEqual([LITTLE, { name: "gzip", configuration: { level: 5 } }]);
    const crc32c = expect.objectContaining({ name: "crc32c" });
    expect(await codecsOf("zstd:5, crc32c")).toEqual([LITTLE, zstd, crc32c]);
    for (const wrong of ["zstd:much", "crc32c:5", "constructor:1", "zstdd"]) {
      const finished = await run("copy", DATA, at("wrong.zarr"), "--codecs", wrong);
      expect(finished.status, wrong).toBe(2);
      expect(finished.stderr).toMatch(/--codecs: expected codec names|zstdd/);
    }
    for (const workers of ["0", "2,2", "many"]) {
      const finished = await run("copy", DATA, at("wrong.zarr"), "--workers", workers);
      expect(finished, workers).toMatchObject({ status: 2, stderr: expect.stringContaining("--workers") });
    }
    const shards = ["--zarr-format", "2", "--shards", "256,256"] as const;
    const sharded = await run("copy", `${DATA}|zarr:elevation`, at("wrong.zarr"), ...shards);
    expect(sharded.stderr).toContain("--shards: only v3 has shards; use --zarr-format 3");
    expect(existsSync(at("wrong.zarr"))).toBe(false);
  });

  test("one array into an archive, another beside it, and out again", async () => {
    await here("copy", `${DATA}|zarr:elevation`, `${at("a.zip")}|zarr:one`);
    await here("copy", `${DATA}|zarr:latitude`, `${at("a.zip")}|zarr:two`);
    expect(await here("tree", at("a.zip"))).toBe("/\n├── one [344, 403] int16\n└── two [344] float64\n");
    expect(await here("verify", at("a.zip"))).toMatch(/ 0 problems/);
    expect(await here("get", at("a.zip"), "one", "--select", "0", "--out", "-")).toBe(
      await here("get", DATA, "elevation", "--select", "0", "--out", "-"),
    );
    expect(readdirSync(at(".")).filter((name) => name.startsWith(".a.zip"))).toEqual([]);
    const refused = await run("copy", `${DATA}|zarr:latitude`, `${at("a.zip")}|zarr:one`);
    expect(refused.status).toBe(1);
    expect(await here("tree", at("a.zip"))).toMatch(/one \[344, 403\]/);
  });

  test("two into one archive at once, and what one that was killed left", async () => {
    const leftover = at(".both.zip.wazarr-abc123");
    mkdirSync(join(leftover, "store"), { recursive: true });
    await Promise.all(
      ["elevation", "latitude"].map((name) =>
        wazarr("copy", `${DATA}|zarr:${name}`, `${at("both.zip")}|zarr:${name}`),
      ),
    );
    expect(await here("tree", at("both.zip"))).toBe(
      "/\n├── elevation [344, 403] int16\n└── latitude [344] float64\n",
    );
    expect(readdirSync(at(".")).filter((name) => name.includes("both.zip"))).toEqual(["both.zip"]);
  });

  test("into shards and out of them", async () => {
    const before = await here("get", DATA, "elevation", "--out", "-");
    await here("copy", DATA, at("sharded.zarr"), "--chunks", "50,50", "--shards", "200,100");
    expect(JSON.parse(await here("info", at("sharded.zarr"), "elevation", "--json"))).toMatchObject({
      chunk_shape: [50, 50],
      shard_shape: [200, 100],
      endian: "little",
    });
    expect(readdirSync(at("sharded.zarr/elevation/c"))).toEqual(["0", "1"]);
    await here("copy", at("sharded.zarr"), at("sharded-big.zarr"), "--endian", "big");
    expect(JSON.parse(await here("info", at("sharded-big.zarr"), "elevation", "--json"))).toMatchObject({
      chunk_shape: [50, 50],
      shard_shape: [200, 100],
      endian: "big",
    });
    await here("copy", at("sharded-big.zarr"), at("unsharded.zarr"), "--zarr-format", "2");
    expect(JSON.parse(await here("info", at("unsharded.zarr"), "elevation", "--json"))).toMatchObject({
      chunk_shape: [50, 50],
      shard_shape: null,
      endian: "big",
    });
    for (const name of ["sharded.zarr", "sharded-big.zarr", "unsharded.zarr"]) {
      // In v2 the fill value masks elements, as in xarray.
      expect(await here("get", at(name), "elevation", "--out", "-", "--raw")).toBe(before);
      expect(await here("verify", at(name))).toMatch(/ 0 problems/);
    }
    expect((await run("copy", DATA, at("x.zarr"), "--chunks", "50,50", "--shards", "70,70")).status).toBe(2);
    await here("get", DATA, "elevation", "--out", at("e.npy"));
    await here("put", at("e.npy"), at("put-sharded.zarr"), "--chunks", "50,50", "--shards", "200,100");
    expect(await here("get", at("put-sharded.zarr"), "--out", "-")).toBe(
      before.replace('"units": "m", ', ""),
    );
  });

  test("into the draft and out of it", async () => {
    const before = await here("get", DATA, "elevation", "--out", "-");
    const gzip = { codec: "https://purl.org/zarr/spec/codec/gzip/1.0", configuration: { level: 1 } };
    await here("copy", DATA, at("draft.zr3"), "--zarr-format", "draft", "--codecs", JSON.stringify(gzip));
    expect(existsSync(at("draft.zr3/meta/root/elevation.array.json"))).toBe(true);
    expect(JSON.parse(await here("info", at("draft.zr3"), "elevation", "--json"))).toMatchObject({
      zarr_format: "draft",
    });
    expect(await here("tree", at("draft.zr3"))).toBe(await here("tree", DATA));
    expect(await here("get", at("draft.zr3"), "elevation", "--out", "-")).toBe(before);
    expect(await here("verify", at("draft.zr3"))).toMatch(/ 0 problems/);
    await here("copy", `${at("draft.zr3")}|zarr:elevation`, at("from-draft.zarr"), "--zarr-format", "3");
    expect(await here("get", at("from-draft.zarr"), "--out", "-")).toBe(before);
    await here("get", DATA, "latitude", "--out", at("latitude.npy"));
    await here("put", at("latitude.npy"), at("draft.zr3"), "/new/latitude", "--zarr-format", "draft");
    expect(await here("tree", at("draft.zr3"), "/new/latitude")).toBe("/new/latitude [344] float64\n");
  });

  test("from HTTP", async () => {
    await here("copy", `${url()}/jacksboro.zarr|zarr:elevation`, at("from-http.zarr"));
    expect(readFileSync(at("from-http.zarr/c/2/3"))).toEqual(readFileSync(`${DATA}/elevation/c/2/3`));
    for (const target of [`${url()}/new.zarr`, "ftp://example.com/new.zarr"]) {
      expect((await run("copy", DATA, target)).status).toBe(2);
    }
    expect(readdirSync(".")).not.toContain("ftp:");
  });

  test("not onto itself, into itself, or over what is around it", async () => {
    cpSync(DATA, at("self.zarr"), { recursive: true });
    const before = readdirSync(at("self.zarr"), { recursive: true }).sort();
    for (const [from, to] of [
      ["self.zarr", "self.zarr"],
      ["self.zarr", "self.zarr|zarr:copy"],
      ["self.zarr/elevation", "self.zarr"],
      ["self.zarr|zarr:elevation", "./self.zarr/"],
    ]) {
      const finished = await run("copy", at(from ?? ""), at(to ?? ""), "--overwrite");
      expect(finished.status, `${from} ${to}`).toBe(2);
    }
    expect(readdirSync(at("self.zarr"), { recursive: true }).sort()).toEqual(before);
    await here("copy", `${at("self.zarr")}|zarr:latitude`, `${at("self.zarr")}|zarr:latitude2`);
  });
});
