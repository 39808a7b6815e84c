/** Imports point one way, as docs/architecture.md says. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

/** Who imports what stands behind it, and its neighbours; files of src itself belong to what everybody uses, or stand in front of all. */
const ROOMS: readonly (readonly string[])[] = [
  [
    "arrow.ts",
    "cli.ts",
    "index.ts",
    "ndarray.ts",
    "ome-zarr.ts",
    "geozarr.ts",
    "jobs.ts",
    "xarray.ts",
    "zarrita-names.ts",
    "cli",
    "ome-zarr",
    "geozarr",
    "jobs",
    "xarray",
  ],
  ["array", "workers"],
  ["engine"],
  ["grid", "codecs", "stores", "npy"],
  ["data-types", "metadata"],
  ["kernels"],
  ["abort.ts", "errors.ts", "fflate.ts", "garbage.ts", "loading.ts", "shape.ts"],
];
const rankOf = (file: string): number => ROOMS.findIndex((rooms) => rooms.includes(file.split(sep)[1] ?? ""));

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".generated.ts"))
  .map((file) => join("src", file));

test("every file is in a room", () => {
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => rankOf(file) < 0)).toEqual([]);
});

test("no file imports from a room in front of its own, types and what is loaded lazily included", () => {
  const wrong = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g)]
      .map(([, path = ""]) => normalize(join(dirname(file), `${path}.ts`)))
      .filter((imported) => rankOf(imported) < rankOf(file))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(wrong).toEqual([]);
});

test("no file of engine/ imports itself by way of others, types included", () => {
  const imports = new Map(
    files
      .filter((file) => file.startsWith(join("src", "engine")))
      .map((file) => [
        file,
        [...readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.js"/g)].map(([, path = ""]) =>
          normalize(join(dirname(file), `${path}.ts`)),
        ),
      ]),
  );
  expect(imports.size).toBeGreaterThan(30);
  // Files whose imports are all gone are on no circle; what is left at the end is.
  for (let before = -1; before !== imports.size; ) {
    before = imports.size;
    for (const [file, imported] of imports)
      if (!imported.some((other) => imports.has(other))) imports.delete(file);
  }
  expect([...imports.keys()]).toEqual([]);
});

test("what the benchmark's page imports needs no module of Node", async () => {
  // Built near the end of a report of half an hour, which would fail there.
  const { outputFiles } = await build({
    entryPoints: ["bench/sections/browser-page.ts"],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  expect(outputFiles[0]?.contents.length).toBeGreaterThan(10_000);
});
