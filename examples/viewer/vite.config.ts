/**
 * `npm run build` puts the viewer into dist/viewer, where `wazarr serve` has it: with the package's own files
 * beside it, not a copy of them. `vite build examples/viewer` makes a folder for any static host, in
 * examples/viewer/dist.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "vite";

const PACKAGE = `${import.meta.dirname}/../../dist`;
/** What every page needs at once, and what is loaded for some data. */
const ENTRIES = ["caches", "stores/http", "stores/open-store", "tiles", "workers/pool", "xarray"];
const LATER = ["ome-zarr", "stores/zip", "virtual"];
/** Chunks that the first picture loads. */
const FIRST = /^drawing-/;
/** Entries that are another file in browsers, as package.json says. */
const IN_BROWSERS = /^stores\/open-store$/;
const fileOf = (entry: string): string => `${entry.replace(IN_BROWSERS, "$&-browser")}.js`;

/** Those of what is bundled with the viewer. */
const LICENSES = { fileName: "licenses.md" };

/**
 * Files that the entries import statically, themselves among them: asked for at once, not one behind another.
 */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const code = readFileSync(join(PACKAGE, file), "utf8");
  // Also of code that is minified.
  for (const [, name = ""] of code.matchAll(/(?:^|;)(?:import|export)\b[^;]*?["'](\.[^"']+)["'](?=;)/gm))
    filesOf(join(dirname(file), name), found);
  return found;
}

/** Browsers look names up there: what is imported as "wazarr/stores/http" is the file lib/stores/http.js. */
const importMap = {
  name: "import-map",
  transformIndexHtml: () => {
    const entries = ["index", ...ENTRIES].map(fileOf);
    const named = [...ENTRIES, ...LATER].map((entry) => [`wazarr/${entry}`, `./lib/${fileOf(entry)}`]);
    const children = JSON.stringify({
      imports: {
        wazarr: "./lib/index.js",
        hyparquet: "./lib/hyparquet/index.js",
        ...Object.fromEntries(named),
      },
    });
    const chunks = readdirSync(join(PACKAGE, "chunks")).filter((name) => FIRST.test(name));
    const first = [...entries, ...chunks.map((name) => `chunks/${name}`)];
    const files = new Set(first.flatMap((entry) => [...filesOf(entry)]));
    const preload = [...files].map((file) => ({
      tag: "link",
      attrs: { rel: "modulepreload", href: `./lib/${file}` },
      injectTo: "head" as const,
    }));
    return [
      { tag: "script", attrs: { type: "importmap" }, children, injectTo: "head-prepend" as const },
      ...preload,
    ];
  },
};

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: "./",
  // The public entries alone, as an application has them.
  resolve: {
    alias: [
      { find: /^wazarr$/, replacement: `${PACKAGE}/index.js` },
      { find: "wazarr/stores/open-store", replacement: `${PACKAGE}/${fileOf("stores/open-store")}` },
      { find: /^wazarr\/(.+)$/, replacement: `${PACKAGE}/$1.js` },
    ],
  },
  worker: { format: "es" },
  build: { target: "es2022", reportCompressedSize: false, license: LICENSES },
  ...(mode === "package" && {
    plugins: [importMap],
    resolve: {},
    build: {
      target: "es2022",
      reportCompressedSize: false,
      license: LICENSES,
      outDir: `${PACKAGE}/viewer`,
      emptyOutDir: true,
      rolldownOptions: { external: [/^wazarr/] },
    },
  }),
}));
