// src/ to dist/: one entry for each JavaScript entry of package.json's `exports` and `bin`. What entries
// share becomes a chunk, and what the library imports lazily (codecs, rarer data types, the kernels'
// JavaScript fallback, kernel modules) stays a chunk of its own.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { doorOf } from "./scripts/doors.mjs";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const require = createRequire(import.meta.url);

/**
 * dist/NAME.js by its source: package.json names the declarations of an entry, which lie as the sources do. An
 * entry that is another file in browsers has its source beside it.
 */
function entries() {
  const found = Object.values(manifest.exports).flatMap((target) => {
    if (typeof target === "string") return [];
    const source = target.types.replace(/^\.\/dist\/types\/(.+)\.d\.ts$/, "src/$1.ts");
    const browser = target.browser && [nameOf(target.browser), source.replace(/\.ts$/, "-browser.ts")];
    return [[nameOf(target.default), source], browser].filter(Boolean);
  });
  return { ...Object.fromEntries(found), cli: "src/cli/index.ts" };
}
const nameOf = (file) => file.replace(/^\.\/dist\/(.+)\.js$/, "$1");

/** TypeScript, and ".js" in relative imports, which stands for the ".ts" beside it. */
const typescript = {
  name: "typescript",
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith(".") || !source.endsWith(".js")) return null;
    const file = resolve(dirname(importer), source.replace(/\.js$/, ".ts"));
    return existsSync(file) ? file : null;
  },
  async transform(code, id) {
    if (!id.endsWith(".ts")) return null;
    const { code: output } = await transform(code, {
      loader: "ts",
      target: "es2022",
      sourcefile: id,
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    });
    return { code: output, map: null };
  },
};

/**
 * Dependencies are bundled, in the form they have for browsers: a page that loads dist/ without a bundler
 * could not resolve their names.
 */
const dependencies = {
  name: "dependencies",
  resolveId(source) {
    const names = Object.keys(manifest.dependencies ?? {});
    if (names.some((name) => source.startsWith(`${name}/`)))
      return fileURLToPath(import.meta.resolve(source));
    if (!names.includes(source)) return null;
    const file = require.resolve(`${source}/package.json`);
    return join(dirname(file), require(file).module);
  },
};

const ALIAS = "\0alias:";

/**
 * esbuild loads a file that an entry and a door import together with the entry, whether or not the
 * application uses what the entry imports from it. A constant that is another name of an export it leaves out:
 * entries export what doors share under such names, and a page loads it with the first door that needs it.
 */
const aliases = {
  name: "aliases",
  async resolveId(source, importer = "") {
    if (!/\/src\/(index|extend)\.ts$/.test(importer)) return null;
    const { id } = await this.resolve(source, importer, { skipSelf: true });
    return doorOf(id) === "support" ? `${ALIAS}${id}` : null;
  },
  async load(id) {
    if (!id.startsWith(ALIAS)) return null;
    const path = id.slice(ALIAS.length);
    const { exports } = await this.load({ id: path });
    return exports
      .map((name) => `import { ${name} as ${name}$ } from "${path}"; export const ${name} = ${name}$;`)
      .join("\n");
  },
};

/** The licences of the dependencies that a chunk holds. */
function licences({ moduleIds }) {
  return Object.keys(manifest.dependencies ?? {})
    .filter((name) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)))
    .map((name) => {
      const licence = join("node_modules", name, "LICENSE");
      return `/*! ${name}: ${readFileSync(licence, "utf8").trim()} */`;
    })
    .join("\n");
}

/** Chunks have hashes in their names: what earlier builds left would be published, too. */
const clean = {
  name: "clean",
  generateBundle: ({ dir }) => rmSync(dir, { recursive: true, force: true }),
};

/**
 * Minified: what hardly anybody debugs in an application, and the larger entries. The core can be read as it
 * is, and so can what reads and writes over HTTP.
 */
const MINIFIED = new Set([
  ...[
    "cli",
    "tools",
    "shards",
    "drawing",
    "geozarr",
    "healpix",
    "anndata",
    "tiles",
    "ome-zarr",
    "workers/pool",
  ],
  ...[
    "stores/icechunk",
    "stores/file-system",
    "stores/lmdb",
    "stores/directory-handle",
    "stores/zip",
    "stores/reference",
  ],
  ...[
    "stores/azure",
    "stores/gcs",
    "stores/s3",
    "stores/persistent-cache",
    "stores/open-store",
    "stores/open-store-browser",
  ],
  ...["open-store-arguments", "fs", "file-ranges", "addresses", "stac-documents"],
  ...["virtual", "hdf5", "hdf5-filters", "netcdf3", "tiff-files", "grib-files"],
  // The inside of data sets, images, jobs and buckets, what reads Parquet, and what doors share.
  ...[
    "data-sets",
    "downsample",
    "run-local",
    "buckets",
    "parquet",
    "held-locks",
    "plan-levels",
    "write-coarser",
    "grid",
    "transposition",
    "support",
  ],
  // Codecs and data types: on typed arrays, and with errors that say what is wrong with which bytes.
  ...["javascript", "fflate", "zstd", "blosc", "gzip", "gdeflate", "bz2-lzma", "filters", "variable-length"],
  ...[
    "grib",
    "images",
    "pcodec",
    "tiff",
    "zfp",
    "writing",
    "writing-zstd",
    "writing-blosc",
    "data-types",
    "draft",
    "chunk-keys",
    "rectilinear",
  ],
]);
const minifySome = {
  name: "minify-some",
  async renderChunk(code, { name }) {
    if (!MINIFIED.has(name)) return null;
    // Node prints the line of code in which an error that nobody catches was made, before the error itself.
    const options = { minify: true, lineLimit: 2000, format: "esm", target: "es2022" };
    const minified = await transform(namedClasses(code), options);
    return { code: minified.code, map: null };
  },
};

/**
 * Consoles and debuggers show the name of an object's class, so classes keep theirs. A static block would keep
 * the class in every bundle.
 */
function namedClasses(code) {
  return code.replace(/^((?:export )?class (\w+)(?: extends [\w.]+)? \{)$/gm, '$1\n  static name = "$2";');
}

/**
 * Modules that import each other run in an order that nobody sees, and so do files of the package: a file of
 * the core that imports a door is to be in a door itself (scripts/doors.mjs).
 */
function refuseCycles(level, log, handle) {
  const isCycle =
    ["CIRCULAR_DEPENDENCY", "CIRCULAR_CHUNK"].includes(log.code) && !log.message.includes("node_modules");
  handle(isCycle ? "error" : level, log);
}

export default {
  input: entries(),
  onLog: refuseCycles,
  // As package.json says to other bundlers: a file is loaded for what it exports, so an entry that imports
  // `wazarr/extend` loads what it uses.
  treeshake: { moduleSideEffects: false },
  external: [
    /^node:/,
    ...Object.keys(manifest.peerDependencies ?? {}).map((name) => new RegExp(`^${name}(/|$)`)),
  ],
  plugins: [aliases, typescript, dependencies, clean, minifySome],
  output: {
    dir: "dist",
    format: "es",
    manualChunks: (id) => (id.startsWith(ALIAS) ? "names" : doorOf(id)),
    onlyExplicitManualChunks: true,
    // A hoisted import would make bundlers take a door for a part of what every page needs.
    hoistTransitiveImports: false,
    // Without a call: bundlers leave out a namespace that nothing uses, and the `import()` of doors with it.
    freeze: false,
    // Without source maps: dist/ can be read as it is, and maps with the sources in them are more than all
    // the rest of the package.
    chunkFileNames: "chunks/[name]-[hash].js",
    banner: licences,
  },
};
