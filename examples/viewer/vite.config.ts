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
const ENTRIES = ["caches", "stores/http", "stores/open-store", "tiles", "workers", "xarray"];
const LATER = ["geozarr", "ome-zarr", "stores/zip", "virtual"];
/** Chunks that the first picture loads. */
const FIRST = /^drawing-/;
type Target = string | { readonly default: string; readonly browser?: string };
const MANIFEST: { readonly exports: Readonly<Record<string, Target>> } = JSON.parse(
  readFileSync(`${PACKAGE}/../package.json`, "utf8"),
);

/** The file of an entry in dist/, for browsers. */
function fileOf(entry: string): string {
  const target = MANIFEST.exports[entry === "index" ? "." : `./${entry}`];
  if (target === undefined) throw new Error(`package.json exports no "./${entry}"`);
  const file = typeof target === "string" ? target : (target.browser ?? target.default);
  return file.replace("./dist/", "");
}

/** The page, and the element that shows it in other pages, whose name stays. */
const PAGES = {
  input: { index: `${import.meta.dirname}/index.html`, element: `${import.meta.dirname}/src/element.ts` },
  output: {
    entryFileNames: ({ name }: { readonly name: string }) =>
      name === "element" ? "element.js" : "assets/[name]-[hash].js",
  },
};

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

/** Browsers look names up there: what is imported as "wazarr/stores/http" is the file stores/http.js of dist/. */
const importMap = {
  name: "import-map",
  transformIndexHtml: () => {
    const entries = ["index", ...ENTRIES].map(fileOf);
    const named = [...ENTRIES, ...LATER].map((entry) => [`wazarr/${entry}`, `../${fileOf(entry)}`]);
    const children = JSON.stringify({
      imports: {
        wazarr: "../index.js",
        hyparquet: "../hyparquet/index.js",
        ...Object.fromEntries(named),
      },
    });
    const chunks = readdirSync(join(PACKAGE, "chunks")).filter((name) => FIRST.test(name));
    const first = [...entries, ...chunks.map((name) => `chunks/${name}`)];
    const files = new Set(first.flatMap((entry) => [...filesOf(entry)]));
    const preload = [...files].map((file) => ({
      tag: "link",
      attrs: { rel: "modulepreload", href: `../${file}` },
      injectTo: "head" as const,
    }));
    return [
      { tag: "script", attrs: { type: "importmap" }, children, injectTo: "head-prepend" as const },
      ...preload,
    ];
  },
};

/**
 * uPlot 1.6.32 formats numbers in `navigator.language` as soon as it is loaded. WebKitGTK says "C" there in the C
 * locale, which is no language tag: the whole viewer would stop (leeoniya/uPlot#1053, mended after 1.6.32).
 */
const language = {
  name: "language-of-uplot",
  transform(code: string, id: string): string | undefined {
    if (!/uplot\/dist\/uPlot\.esm\.js/.test(id)) return undefined;
    const mended = code.replace("Intl.NumberFormat(domEnv ? nav.language : 'en-US')", "Intl.NumberFormat()");
    if (mended === code) throw new Error("uPlot no longer reads navigator.language: delete this plugin");
    return mended;
  },
};

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: "./",
  plugins: [language],
  // The public entries alone, as an application has them.
  resolve: {
    alias: [
      { find: /^wazarr$/, replacement: `${PACKAGE}/index.js` },
      ...Object.keys(MANIFEST.exports)
        .map((name) => name.slice("./".length))
        .filter((entry) => entry !== "")
        .map((entry) => ({ find: `wazarr/${entry}`, replacement: `${PACKAGE}/${fileOf(entry)}` })),
    ],
  },
  worker: { format: "es" },
  build: { target: "es2022", reportCompressedSize: false, license: LICENSES, rolldownOptions: PAGES },
  ...(mode === "package" && {
    plugins: [language, importMap],
    // Pages that load element.js have no import map.
    resolve: { alias: { "wazarr/viewer": `${PACKAGE}/viewer.js` } },
    build: {
      target: "es2022",
      reportCompressedSize: false,
      license: LICENSES,
      outDir: `${PACKAGE}/viewer`,
      emptyOutDir: true,
      // MapLibre is one module of 1 MB, which is loaded with the first map.
      chunkSizeWarningLimit: 1200,
      rolldownOptions: { ...PAGES, external: [/^wazarr(?!\/viewer$)/] },
    },
  }),
}));
