/** What a page downloads, besides the core, when it meets data of a codec: the codec's modules and its WebAssembly. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

/** Gzipped bytes, minified: what is loaded to read. What makes one grow has to be worth it to those who read. */
const LIMITS: readonly (readonly [title: string, limit: number, modules: readonly string[]])[] = [
  ["inflate", 3_900, ["src/codecs/deflate/inflate.ts"]],
  ["zlib", 6_400, ["src/codecs/zlib.ts"]],
  ["gzip", 6_800, ["src/codecs/gzip.ts"]],
  ["lz4 and blosc", 9_120, ["src/codecs/lz4.ts", "src/codecs/blosc/blosc.ts"]],
  ["zstd", 7_650, ["src/codecs/zstd/zstd.ts"]],
  ["bz2 and lzma", 9_500, ["src/codecs/bz2/bz2.ts", "src/codecs/lzma/lzma.ts"]],
];
/** Compressors, checksums and filters together; numcodecs.js has five of them in 465 kB. */
const COMPRESSORS_AND_FILTERS = 46_220;
/** The same with all that arranges chunks, or elements of variable length. */
const EVERYTHING = 61_000;
/** What codecs use and is no codec: data types, exact JSON, the names of codecs, what is said of those that are none. */
const BESIDES = ["data-types/extra", "metadata/json-parser", "codecs/rare-codecs", "codecs/unusable-codec"];
/** Codecs that arrange chunks, or elements of variable length. */
const ARRANGEMENTS = /\/(variable|sharding|conditional|n5-default)[./]/;

const CORE = `
  export { get, open, set } from "./src/index.js";
  export { HttpStore } from "./src/stores/http.js";
`;

let core: ReadonlySet<string>;
beforeAll(async () => {
  core = new Set((await bundle(CORE, new Set())).modules);
});

/** Bundles what `contents` imports, but neither what is `known` nor what is imported lazily: kernels apart, that is for others to ask for. */
async function bundle(contents: string, known: ReadonlySet<string>) {
  const lazy = new Set<string>();
  const plugin: Plugin = {
    name: "what is there, and what comes later",
    setup(building) {
      building.onResolve({ filter: /.*/ }, async ({ kind, path, resolveDir, importer, pluginData }) => {
        if (pluginData === plugin) return undefined;
        const { path: file } = await building.resolve(path, {
          kind,
          resolveDir,
          importer,
          pluginData: plugin,
        });
        const module = file.slice(process.cwd().length + 1);
        const later = kind === "dynamic-import";
        if (later) lazy.add(module);
        return later || known.has(module) ? { path, external: true } : undefined;
      });
    },
  };
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    plugins: [plugin],
    metafile: true,
    write: false,
  });
  const size = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  return { size, lazy, modules: Object.keys(metafile.inputs) };
}

/** With the kernels of `modules`, which are imported lazily because there may be no WebAssembly. */
async function downloadOf(modules: Iterable<string>, known = core) {
  const contents = (list: Iterable<string>) =>
    Array.from(list, (module, i) => `export * as m${i} from "./${module.replace(/ts$/, "js")}";`).join("\n");
  const { lazy } = await bundle(contents(modules), known);
  // Sorted, because in which order they are met differs from run to run, and the size by some bytes with it.
  const kernels = [...lazy].filter((module) => module.endsWith(".generated.ts")).sort();
  return bundle(contents([...modules, ...kernels]), known);
}

/** The modules of all codecs but those that only say why there is none, as the registries have them. */
function builtIn(): string[] {
  const registries = ["registry", "rare-codecs"].map((name) => readFileSync(`src/codecs/${name}.ts`, "utf8"));
  const imports = registries.join("").matchAll(/^ {2}.*import\("\.\/(.+)\.js"\)/gm);
  const modules = new Set(Array.from(imports, ([, module]) => `src/codecs/${module}.ts`));
  return [...modules].filter((module) => !/\/(unsupported|rare-codecs)\.ts$/.test(module));
}

describe("codecs stay small", () => {
  test.each(LIMITS)("%s: %i bytes", async (_, limit, modules) => {
    const { size } = await downloadOf(modules);
    expect(size).toBeLessThanOrEqual(limit);
    expect(size).toBeGreaterThan(limit / 2);
  });

  test("all compressors, checksums and filters that are built in together", async () => {
    const codecs = builtIn().filter((module) => !ARRANGEMENTS.test(module));
    expect(codecs.length).toBeGreaterThan(25);
    expect((await downloadOf(codecs)).size).toBeLessThanOrEqual(COMPRESSORS_AND_FILTERS);
  });

  test("the decoders of every codec that is built in together", async () => {
    const codecs = builtIn();
    expect(codecs.length).toBeGreaterThan(35);
    const besides = await bundle(BESIDES.map((name) => `export * from "./src/${name}.js";`).join("\n"), core);
    const { size, modules } = await downloadOf(codecs, new Set([...core, ...besides.modules]));
    expect(size).toBeLessThanOrEqual(EVERYTHING);
    expect(modules.filter((module) => module.endsWith(".generated.ts")).sort()).toEqual(
      ["blosc", "checksums", "filters", "inflate", "shards", "strings", "zstd"].map(
        (name) => `src/kernels/modules/${name}.generated.ts`,
      ),
    );
  });
});

describe("a page downloads what its data need", () => {
  const others = /\/(zstd|blosc|bz2|lzma|lz4|inflate|filters|checksums|strings)[./]/;

  test("the core has no codec but bytes and transpose", () => {
    expect([...core].filter((module) => module.startsWith("src/codecs/") && others.test(module))).toEqual([]);
    expect([...core].filter((module) => module.endsWith(".generated.ts"))).toEqual([]);
  });

  test("gzip: inflate and checksums", async () => {
    const { modules } = await downloadOf(["src/codecs/gzip.ts"]);
    const kernels = modules.filter((module) => module.endsWith(".generated.ts"));
    expect(kernels.map((module) => module.replace(/.*\//, "")).sort()).toEqual([
      "checksums.generated.ts",
      "inflate.generated.ts",
    ]);
    expect(modules.filter((module) => /\/(zstd|blosc|bz2|lzma|lz4|fflate)[./]/.test(module))).toEqual([]);
  });

  test("blosc with lz4: neither zstd nor inflate", async () => {
    const { modules } = await downloadOf(["src/codecs/blosc/blosc.ts"]);
    expect(
      modules.filter((module) =>
        /\/zstd\/(zstd|kernels|twins)|\/(zlib|gzip|inflate|fflate)[./]/.test(module),
      ),
    ).toEqual([]);
  });
});
