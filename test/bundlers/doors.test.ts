/**
 * What an application downloads: how many files a bundler emits, what a page needs before its first read, and
 * what each codec adds.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build as esbuild } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CODE } from "../interop/codec-code.js";
import { type Installed, installPackage } from "./install.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-doors-"));
let installed: Installed;

/**
 * Gzipped bytes, minified by esbuild: what an application downloads before it can read a raw array of v2 or
 * v3 without shards. The limit leaves some room: the order of imports alone changes the core by 150 bytes.
 */
const LIMIT_CORE = 52_900;
/** With what an array of each codec adds, and what shards add. */
const LIMITS_PAGE = [
  ["zstd", 60_100],
  ["gzip", 61_900],
  ["blosc", 65_200],
  ["shards", 58_600],
] as const;
const MOST_FILES = 33;
/**
 * What `wazarr/jobs` shares with the command line, with `wazarr/xarray` and with `wazarr/ome-zarr`, what the
 * stores of buckets share, buckets by address, what `openStore` of Node and of pages share, names that
 * entries have for what doors share, where an array lies for `wazarr/geozarr` and `wazarr/tiles`, what an
 * address says for `openStore` and `wazarr/extend`, references in Parquet, documents of STAC, what files of HDF5,
 * NetCDF, TIFF and GRIB share, and the functions of `wazarr` and `wazarr/extend` that come to nodes: no page of the
 * core loads them.
 */
const SHARED_BY_ENTRIES = 18;

const PAGE = `
  import { open, get, root, slice, FetchStore } from "wazarr";
  const array = await open(root(new FetchStore(location.href)), { kind: "array" });
  globalThis.tile = await get(array, [slice(0, 256), slice(0, 256)]);
`;

interface Emitted {
  readonly gzipped: number;
  /** Other files that this one imports statically. */
  readonly needs: readonly string[];
}

/** By file name, the application's own file first. */
let emitted: ReadonlyMap<string, Emitted>;

beforeAll(async () => {
  installed = installPackage(folder);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "page.js"), PAGE);
  writeFileSync(join(folder, "index.html"), '<script type="module" src="./page.js"></script>');
  const { metafile, outputFiles } = await esbuild({
    absWorkingDir: folder,
    entryPoints: ["page.js"],
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  const entries = Object.entries(metafile.outputs).map(([path, { imports }], i): [string, Emitted] => {
    const needs = imports.filter(({ kind }) => kind === "import-statement").map((each) => each.path);
    return [path, { needs, gzipped: gzipSync(outputFiles[i]?.contents ?? "", { level: 9 }).length }];
  });
  emitted = new Map(entries);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file and all that it imports statically. */
function closure(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const each of emitted.get(path)?.needs ?? []) closure(each, found);
  return found;
}
const gzippedOf = (paths: Iterable<string>): number =>
  Array.from(paths).reduce((total, path) => total + (emitted.get(path)?.gzipped ?? 0), 0);

function doorFile(name: string): string {
  const found = [...emitted.keys()].find((path) => new RegExp(`/${name}-[^/]*$`).test(path));
  if (found === undefined) throw new Error(`no file of ${name}`);
  return found;
}

test("a page needs one file of the library besides its own before it can read", () => {
  const needed = closure("out/page.js");
  expect(needed.size).toBe(2);
  expect(gzippedOf(needed)).toBeLessThanOrEqual(LIMIT_CORE);
  // Not empty by mistake.
  expect(gzippedOf(needed)).toBeGreaterThan(20_000);
});

test.each(LIMITS_PAGE)("%s is one more file: at most %i bytes", (codec, limit) => {
  const page = closure("out/page.js");
  const all = new Set([...page, ...closure(doorFile(codec))]);
  expect(all.size).toBe(3);
  expect(gzippedOf(all)).toBeLessThanOrEqual(limit);
});

test.each(CODE)("docs/codecs.md says what $codecs.0 loads", ({ doors, kilobytes }) => {
  const page = closure("out/page.js");
  const files = new Set(doors.flatMap((door) => [...closure(doorFile(door))]));
  const bytes = gzippedOf([...files].filter((path) => !page.has(path)));
  // Of the whole kB that stands there.
  expect(Math.abs(bytes / 1000 - kilobytes), `${bytes} bytes`).toBeLessThan(1);
});

test("README.md says what a page loads, and what it loads with zarrita", async () => {
  const { outputFiles } = await esbuild({
    stdin: { contents: PAGE.replace('"wazarr"', '"zarrita"'), resolveDir: process.cwd() },
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  const zarrita = (name: RegExp) =>
    outputFiles
      .filter(({ path }) => name.test(path))
      .reduce((total, { contents }) => total + gzipSync(contents, { level: 9 }).length, 0);
  const page = closure("out/page.js");
  const measured = {
    raw: [gzippedOf(page), zarrita(/\/(stdin|chunk-\w+)\.js$/)],
    zstd: [
      gzippedOf(new Set([...page, ...closure(doorFile("zstd"))])),
      zarrita(/\/(stdin|chunk-\w+|zstd-\w+)\.js$/),
    ],
  };
  for (const [name, bytes] of Object.entries(measured)) {
    const row = new RegExp(`^\\| A page loads before it reads ${name}.*$`, "m");
    const [cells = ""] = row.exec(readFileSync("README.md", "utf8")) ?? [];
    const said = Array.from(cells.matchAll(/(?<=\| \**)\d+/g), ([kilobytes]) => Number(kilobytes));
    expect(said).toHaveLength(2);
    // Within 2 kB: the core changes with every commit.
    for (const [i, number] of said.entries())
      expect(Math.abs(number - (bytes[i] ?? 0) / 1000), `${name}: ${bytes}`).toBeLessThan(2);
  }
});

test.each(["slice", "isZarrError", "UnicodeStringArray"])(
  "%s alone brings no code that reads",
  async (name) => {
    const { rollup } = await import("rollup");
    const input = join(folder, `${name}.js`);
    writeFileSync(input, `export { ${name} } from "./node_modules/wazarr/dist/index.js";`);
    const bundle = await rollup({ input, treeshake: { moduleSideEffects: false }, external: /^node:/ });
    const { output } = await bundle.generate({ format: "es" });
    // A worker that Rollup bundles as one file cannot have a second one.
    expect(output).toHaveLength(1);
    expect(output[0].code.length).toBeLessThan(20_000);
    expect(output[0].code).toContain(name);
  },
);

test.each(["slice", "isZarrError", "UnicodeStringArray", "withRangeCoalescing"])(
  "%s alone brings no code that reads into one file of esbuild",
  async (name) => {
    const { outputFiles } = await esbuild({
      stdin: { contents: `export { ${name} } from "wazarr";`, resolveDir: folder },
      bundle: true,
      format: "iife",
      globalName: "bundle",
      write: false,
      logLevel: "silent",
    });
    const [text = ""] = outputFiles.map(({ text }) => text);
    expect(text).toContain(name);
    // A call at the top of a file that is not marked as pure would bring a door, and that all others.
    expect(text.length).toBeLessThan(50_000);
  },
);

test("codecs that are no compressors, and data types, bring what they share and nothing else", () => {
  const page = closure("out/page.js");
  for (const door of [
    "filters",
    "data-types",
    "variable-length",
    "rectilinear",
    "draft",
    "bz2-lzma",
    "grib",
    "pcodec",
    "zfp",
    "tiff",
    "images",
    "javascript",
  ]) {
    const more = [...closure(doorFile(door))].filter((path) => !page.has(path));
    expect(
      more.filter((path) => /zstd|blosc|gzip|writing/.test(path)),
      door,
    ).toEqual([]);
    expect(more.length, door).toBeLessThanOrEqual(4);
  }
});

test("a page that reads and writes a bucket of S3, with signatures and retries, is at most 10.2 kB more", async () => {
  const { outputFiles } = await esbuild({
    absWorkingDir: folder,
    stdin: {
      contents: 'export { S3Store } from "wazarr/stores/s3"; export { FetchStore, open, get } from "wazarr";',
      resolveDir: folder,
    },
    outdir: "out",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "silent",
    nodePaths: [join(import.meta.dirname, "../../node_modules")],
  });
  const sizes = outputFiles.map(({ path, contents }) => ({
    path,
    gzipped: gzipSync(contents, { level: 9 }).length,
  }));
  const own = sizes.filter(({ path }) => /stdin|aws4fetch/.test(path));
  expect(own.length).toBe(2);
  const more = own.reduce((total, { gzipped }) => total + gzipped, 0);
  expect(more).toBeLessThanOrEqual(10_200);
  expect(more).toBeGreaterThan(5_000);
});

describe("few files", () => {
  test("by esbuild", () => {
    expect(emitted.size).toBeLessThanOrEqual(MOST_FILES);
    expect(emitted.size).toBeGreaterThan(10);
  });

  test("by Vite", async () => {
    const { build } = await import("vite");
    await build({ root: folder, logLevel: "silent", build: { outDir: "site", target: "es2022" } });
    const files = readdirSync(join(folder, "site/assets")).filter((name) => name.endsWith(".js"));
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    // The page's file imports the core and nothing else of the library.
    const page = files.find((name) => name.startsWith("index-")) ?? "";
    const imported = readFileSync(join(folder, "site/assets", page), "utf8").matchAll(
      /from\s*"\.\/([^"]+)"/g,
    );
    expect(Array.from(imported, ([, name]) => name?.replace(/-.*/, ""))).toEqual(["core"]);
  });

  test("of the package", () => {
    const files = readdirSync(join(installed.package, "dist/chunks")).filter((name) => name.endsWith(".js"));
    expect(files.length).toBeLessThanOrEqual(MOST_FILES + SHARED_BY_ENTRIES);
  });
});

const COMES_TO_ARRAYS = Object.entries({
  wazarr: "open Array registry create children members tree exists deleteNode consolidateMetadata",
  "wazarr/copy": "copyNode verify",
}).flatMap(([entry, names]) => names.split(" ").map((name) => [name, entry]));

test.each(COMES_TO_ARRAYS)(
  "%s of %s alone brings the codecs and formats that documents name",
  async (name, entry) => {
    const { metafile } = await esbuild({
      absWorkingDir: folder,
      stdin: {
        contents: `import { ${name} } from "${entry}"; globalThis.used = ${name};`,
        resolveDir: folder,
      },
      outdir: "out",
      bundle: true,
      splitting: true,
      format: "esm",
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const emitted = Object.keys(metafile.outputs).join();
    for (const door of ["draft", "pcodec", "variable-length", "filters"])
      expect(emitted).toContain(`/${door}-`);
  },
);
