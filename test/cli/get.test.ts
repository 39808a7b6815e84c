/** `wazarr get` of data sets, decoded or as stored; its tables, lists and CSV; files that it writes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { decodingOf, writeDataset } from "../../src/formats/xarray.js";
import { create, get, open, root, set } from "../../src/index.js";
import cube from "../fixtures/xarray/cube-v3.json?raw";
import reanalysis from "../fixtures/xarray/reanalysis-v2.json?raw";
import { runHere } from "../setup/command-line.js";
import { DATA, useCommandLine } from "./use-command-line.js";

const { at, here, runUntil } = useCommandLine();

function unpack(text: string, name: string): string {
  const { store }: { store: Readonly<Record<string, string>> } = JSON.parse(text);
  for (const [key, value] of Object.entries(store)) {
    const file = at(`${name}${key}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(value, "base64"));
  }
  return at(name);
}

const filled = <Element>(data: readonly Element[]) => ({ data, shape: [data.length] });

let packed = "";
beforeAll(async () => {
  packed = unpack(reanalysis, "reanalysis.zarr");
  const longitudes = root(new FileSystemStore(at("globe.zarr")));
  await create(longitudes, {});
  const options = { shape: [8], dtype: "float64", dimensionNames: ["lon"] } as const;
  await set(
    await create(longitudes.resolve("lon"), options),
    null,
    filled([0, 45, 90, 135, 180, 225, 270, 315]),
  );
  await set(await create(longitudes.resolve("t"), options), null, filled([0, 1, 2, 3, 4, 5, 6, 7]));
});

describe("decoded", () => {
  test("packed numbers with their units, as info promises", async () => {
    const args = ["get", packed, "t2m", "--select", "0,0,:2", "--out", "-"];
    expect(JSON.parse(await here(...args))).toEqual({
      shape: [2],
      data_type: "float64",
      units: "K",
      data: [281.254573808, 280.777453323],
    });
    expect(JSON.parse(await here(...args, "--raw"))).toEqual({
      shape: [2],
      data_type: "int16",
      data: [-5152, -5562],
    });
  });

  test("times as dates, of other calendars too", async () => {
    const time = JSON.parse(await here("get", packed, "time", "--select", ":2", "--out", "-"));
    expect(time).toEqual({
      shape: [2],
      data_type: "datetime64[ns]",
      data: ["2026-07-31", "2026-07-31T06:00:00"],
    });
    const raw = JSON.parse(await here("get", packed, "time", "--select", ":2", "--out", "-", "--raw"));
    expect(raw).toMatchObject({
      units: expect.stringContaining("since"),
      data: expect.not.arrayContaining(time.data),
    });
    const noleap = unpack(cube, "cube.zarr");
    expect(JSON.parse(await here("get", noleap, "time", "--select", "0", "--out", "-"))).toEqual({
      shape: [],
      data_type: "cftime[noleap]",
      data: ["2049-12-16T12:00:00"],
    });
    const npy = await runHere("get", noleap, "time", "--out", at("noleap.npy"));
    expect(npy).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("npy cannot hold cftime[noleap]"),
    });
  });

  test("variables without dimensions, too", async () => {
    const where = root(new FileSystemStore(at("scalar.zarr")));
    await create(where, {});
    const attributes = { units: "hours since 2026-08-01" };
    for (const zarrFormat of [2, 3] as const) {
      const name = `run${zarrFormat}`;
      const options = { shape: [], dtype: "int64", zarrFormat, attributes } as const;
      await set(await create(where.resolve(name), options), null, 6n);
      expect(await here("get", at("scalar.zarr"), name)).toBe(
        `${name} () datetime64[ns]\n2026-08-01T06:00:00\n`,
      );
      expect(await here("get", at("scalar.zarr"), name, "--raw")).toMatch(/\(\) int64, hours since .*\n6\n/);
    }
  });

  test("an npy file has the decoded elements", async () => {
    await here("get", packed, "t2m", "--select", "0,0", "--out", at("t2m.npy"));
    const file = readFileSync(at("t2m.npy"));
    expect(file.toString("latin1")).toContain("'descr': '<f8', 'fortran_order': False, 'shape': (8,)");
    expect(file.readDoubleLE(128)).toBe(281.254573808);
  });

  test.each([
    [2, ["x"], [1.5, null, 2.5]],
    [2, undefined, [1.5, -0.5, 2.5]],
    [3, ["x"], [1.5, -0.5, null]],
    [3, undefined, [1.5, -0.5, null]],
  ] as const)(
    "an array of v%d with dimensions %j, as data sets and the viewer decode it",
    async (zarrFormat, dimensionNames, expected) => {
      const name = `rule-${zarrFormat}-${dimensionNames?.[0] ?? "none"}.zarr`;
      const where = root(new FileSystemStore(at(name)));
      await create(where, { zarrFormat });
      // The fill value, -1, masks in v2 alone; the attribute masks where the fill value does not.
      const attributes = { scale_factor: 0.5, ...(zarrFormat === 3 && { _FillValue: 5 }), units: "m" };
      const options = { shape: [3], dtype: "int16", fillValue: -1, attributes, zarrFormat } as const;
      for (const each of [where.resolve("v"), root(new FileSystemStore(at(`array-${name}`)))]) {
        await set(await create(each, { ...options, dimensionNames }), null, filled([3, -1, 5]));
        const array = await open(each, { kind: "array" });
        const decoded = await decodingOf(array).decode((await get(array)).data);
        expect(decoded).toEqual(Float64Array.from(expected, (value) => value ?? Number.NaN));
      }
      const values = expected.map((value) => value ?? "NaN");
      const shown = { shape: [3], data_type: "float64", units: "m", data: values };
      expect(JSON.parse(await here("get", at(name), "v", "--out", "-"))).toEqual(shown);
      expect(JSON.parse(await here("get", at(`array-${name}`), "--out", "-"))).toEqual(shown);
      expect(JSON.parse(await here("get", at(name), "v", "--raw", "--out", "-"))).toMatchObject({
        data: [3, -1, 5],
      });
    },
  );

  test("one variable, though another cannot be decoded or the store cannot be listed", async () => {
    const where = root(new FileSystemStore(at("part.zarr")));
    await create(where, {});
    const attributes = { scale_factor: 0.5, units: "m" };
    const options = { shape: [2], dtype: "int16", dimensionNames: ["x"] } as const;
    await set(await create(where.resolve("good"), { ...options, attributes }), null, filled([2, 4]));
    await create(where.resolve("bad"), { ...options, attributes: { scale_factor: 0 } });
    const expected = { shape: [2], data_type: "float64", units: "m", data: [1, 2] };
    expect(JSON.parse(await here("get", at("part.zarr"), "good", "--out", "-"))).toEqual(expected);
    const bad = await runHere("get", at("part.zarr"), "bad");
    expect(bad).toMatchObject({ status: 1, stderr: expect.stringContaining("--raw prints what is stored") });
    expect(await here("get", at("part.zarr"), "bad", "--raw")).toMatch(/^bad \(x: 2\) int16\n/);
    const server = createServer((request, response) => {
      const file = at(`part.zarr${request.url ?? ""}`);
      if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    expect(JSON.parse(await here("get", url, "good", "--out", "-"))).toEqual(expected);
    server.close();
  });
});

describe("formats", () => {
  test("a table of two dimensions, with labels", async () => {
    expect(await here("get", packed, "t2m", "--select", "0,:2,:3")).toMatchInlineSnapshot(`
      "t2m (latitude: 2, longitude: 3) float64, K
      latitude \\ longitude         0       2.5         5
      60                    281.2546  280.7775  280.9648
      57.5                  280.8135  279.9698  280.7809
      "
    `);
  });

  test("of long dimensions the first and the last elements, as wide as the terminal", async () => {
    const text = await here("get", DATA, "elevation");
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toBe("elevation (latitude: 344, longitude: 403) int16, m");
    expect(lines).toHaveLength(2 + 21);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines[12]).toMatch(/^\.\.\. +\.\.\./);
    const row = JSON.parse(await here("get", DATA, "elevation", "--select", "-1", "--out", "-")).data;
    expect(lines.at(-1)?.trim().split(/ +/).slice(-2).map(Number)).toEqual(row.slice(-2));
  });

  test("one table for each index of further dimensions, and one element", async () => {
    const text = await here("get", packed, "t2m");
    expect(text.match(/^time = .*/gm)).toEqual([
      "time = 2026-07-31",
      "time = 2026-07-31T06:00:00",
      "time = 2026-08-02T12:00:00",
      "time = 2026-08-02T18:00:00",
    ]);
    expect(await here("get", packed, "t2m", "--select", "0,0,0")).toBe("t2m () float64, K\n281.2546\n");
    expect(await here("get", packed, "t2m", "--select", ":0")).toMatch(/\nno elements\n$/);
  });

  test("nested lists", async () => {
    const lists = async (select: string) =>
      JSON.parse(await here("get", DATA, "elevation", "--select", select, "--format", "lists"));
    expect(await lists("0:2,0:3")).toEqual([
      [483, 487, 491],
      [475, 486, 489],
    ]);
    expect(await lists("0,0")).toBe(483);
    expect(await lists("0:2,0:0")).toEqual([[], []]);
    expect(await here("get", DATA, "elevation", "--select", "0:2,0:3", "--format", "lists")).toBe(
      "[[483, 487, 491],\n[475, 486, 489]]\n",
    );
  });

  test("CSV: a row for each element with its labels, or its indices", async () => {
    const select = ["--select", "1:3,0,:2"];
    expect(await here("get", packed, "t2m", ...select, "--format", "csv")).toBe(
      "time,longitude,t2m (K)\n" +
        `2026-07-31T06:00:00,0,${await one("1,0,0")}\n` +
        `2026-07-31T06:00:00,2.5,${await one("1,0,1")}\n` +
        `2026-07-31T12:00:00,0,${await one("2,0,0")}\n` +
        `2026-07-31T12:00:00,2.5,${await one("2,0,1")}\n`,
    );
    const store = new FileSystemStore(at("plain.zarr"));
    await set(await create(store, { shape: [2], dtype: "string" }), null, filled(['a "b", c', "d"]));
    await here("get", at("plain.zarr"), "--select", "::-1", "--out", at("plain.csv"));
    expect(readFileSync(at("plain.csv"), "utf8")).toBe('dim_0,value\n1,d\n0,"a ""b"", c"\n');

    async function one(index: string): Promise<number> {
      return JSON.parse(await here("get", packed, "t2m", "--select", index, "--out", "-")).data[0];
    }
  });

  test("a terminal gets no long output, no bytes, and colours unless NO_COLOR is set", async () => {
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    try {
      for (const format of ["json", "lists", "csv", "npy"]) {
        const { status, stdout, stderr } = await runHere("get", DATA, "elevation", "--format", format);
        expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
        expect(stderr).toMatch(/cannot print .* to a terminal; .*--out/);
      }
      expect(await here("get", DATA, "elevation", "--select", "0:2,0", "--format", "csv")).toContain("483");
      vi.stubEnv("NO_COLOR", "");
      vi.stubEnv("TERM", "xterm");
      expect(await here("get", DATA, "elevation")).toContain("\u001b[1melevation");
      expect(await here("info", DATA, "elevation")).toContain("\u001b[36mshape\u001b[39m");
      vi.stubEnv("NO_COLOR", "1");
      expect(await here("get", DATA, "elevation")).toMatch(/^elevation/);
    } finally {
      process.stdout.isTTY = isTTY;
      vi.unstubAllEnvs();
    }
  });
});

describe("labels", () => {
  const data = async (...args: readonly string[]) =>
    JSON.parse(await here("get", at("globe.zarr"), "t", "--out", "-", ...args)).data;

  test("the nearest, and coordinates that wrap", async () => {
    expect(await data("--select", "lon=50", "--nearest")).toEqual([1]);
    expect(await data("--select", "lon=-45", "--wrap", "lon=360")).toEqual([7]);
    expect(await data("--select", "lon=-50", "--nearest", "--wrap", "lon=360")).toEqual([7]);
    expect(await data("--select", "lon=270:45", "--wrap", "lon=360")).toEqual([6, 7, 0, 1]);
  });

  test("years, and strings of digits", async () => {
    await writeDataset(new FileSystemStore(at("years.zarr")), {
      coords: {
        time: {
          dims: ["time"],
          data: ["2026-12-31", "2027-01-01", "2028-02-03"].map((day) => new Date(day)),
        },
        station: { dims: ["station"], data: ["007", "12"] },
      },
      dataVars: { t: { dims: ["time", "station"], shape: [3, 2], data: [0, 1, 2, 3, 4, 5] } },
    });
    const chosen = async (select: string) =>
      JSON.parse(await here("get", at("years.zarr"), "t", "--select", select, "--out", "-")).data;
    expect(await chosen("time=2027,station=007")).toEqual([2]);
    expect(await chosen("time=2027:2028,station=12")).toEqual([3, 5]);
    expect(await chosen("time=2026-12:2027,station=12")).toEqual([1, 3]);
  });

  test.each([
    [["--nearest"], /--nearest: expected labels in --select/],
    [["--select", "0", "--wrap", "lon=360"], /--wrap: expected labels in --select/],
    [["--select", "lon=0", "--wrap", "lat=360"], /--wrap lat: expected a label of lat/],
    [["--select", "lon=0", "--wrap", "lon=0"], /--wrap: expected NAME=PERIOD/],
    [["--select", "lon=50"], /no label 50.*nearest/],
  ])("%j is told", async (args, message) => {
    const { status, stderr } = await runHere("get", at("globe.zarr"), "t", ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe("files", () => {
  test("are not replaced without --overwrite, and not by half of the elements", async () => {
    const store = new FileSystemStore(at("half.zarr"));
    const array = await create(store, { shape: [4], chunkShape: [2], dtype: "int16" });
    await set(array, null, 1);
    writeFileSync(at("kept.json"), "mine");
    const get = ["get", at("half.zarr"), "--out", at("kept.json")];
    const refused = await runHere(...get);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("--overwrite replaces it") });
    truncateSync(at("half.zarr/c/1"), 1);
    expect((await runHere(...get, "--overwrite")).status).toBe(1);
    expect(readFileSync(at("kept.json"), "utf8")).toBe("mine");
    await set(array, null, 2);
    await here(...get, "--overwrite");
    expect(JSON.parse(readFileSync(at("kept.json"), "utf8")).data).toEqual([2, 2, 2, 2]);
    expect(readdirSync(at(".")).filter((name) => name.includes("partial"))).toEqual([]);
    const nowhere = await runHere("get", at("half.zarr"), "--out", at("no/such/folder.json"));
    expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining("no/such/folder.json") });
  });

  // There are no signals to listen to.
  test.skipIf(process.platform === "win32")("Ctrl-C leaves nothing behind", async () => {
    await create(new FileSystemStore(at("held.zarr")), { shape: [4], chunkShape: [2], dtype: "int16" });
    mkdirSync(at("stopped"));
    const document = readFileSync(at("held.zarr/zarr.json"));
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      // Chunks are never answered.
      const server = createServer();
      const asked = new Promise<readonly string[]>((resolve) => {
        server.on("request", ({ url = "" }, response) => {
          if (url.includes("/c/")) resolve(readdirSync(at("stopped")));
          else if (url === "/zarr.json") response.end(document);
          else response.writeHead(404).end();
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const { status } = await runUntil(asked, signal, "get", url, "--out", at("stopped/a.json"));
      server.closeAllConnections();
      server.close();
      expect(status).toBe(null);
      expect(await asked).toEqual([expect.stringContaining("partial")]);
      expect(readdirSync(at("stopped"))).toEqual([]);
    }
  });
});
