// The libraries that pages of examples/live import from a CDN, as files for the site: the layers of packages/, bundled,
// and those of others, copied.
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** Files of others, by the folder on the CDN. */
export const COPIED = {
  "maplibre-gl@6/dist/": {
    folder: "maplibre-gl",
    from: "maplibre-gl/dist",
    files: ["maplibre-gl.css", "maplibre-gl.mjs", "maplibre-gl-shared.mjs", "maplibre-gl-worker.mjs"],
  },
  "uplot@1.6.32/dist/": { folder: "uplot", from: "uplot/dist", files: ["uPlot.esm.js", "uPlot.min.css"] },
  "world-atlas@2/": { folder: "world-atlas", from: "world-atlas", files: ["land-110m.json"] },
};

/** What pages import as one module, `PACKAGE/+esm` on the CDN. */
const BUNDLED = {
  colors: "packages/colors/src/index.ts",
  maplibre: "packages/maplibre/src/index.ts",
  "topojson-client": "node_modules/topojson-client",
  "wazarr-react": "packages/react/src/index.ts",
  react: "commonjs:react",
  "react-dom-client": "commonjs:react-dom/client",
};
const COMMONJS = /^commonjs:/;
const require = createRequire(import.meta.url);

/** A module of a package in CommonJS with its names, which its file does not export one by one. */
function namedExports({ path }) {
  const names = Object.keys(require(path)).filter((name) => name !== "default");
  return { contents: `export { ${names.join(", ")} } from "${path}";`, resolveDir: import.meta.dirname };
}

/** @param {string} into the folder; the files of wazarr are in ../viewer/lib beside it */
export async function buildPackages(repository, into) {
  for (const { folder, from, files } of Object.values(COPIED))
    for (const file of files) cpSync(join(repository, "node_modules", from, file), join(into, folder, file));
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(BUNDLED).map(([name, source]) => [
        name,
        COMMONJS.test(source) ? source : resolve(repository, source),
      ]),
    ),
    outdir: into,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [
      {
        name: "site",
        setup(bundler) {
          bundler.onResolve({ filter: /^(wazarr|maplibre-gl)(\/|$)/ }, besides);
          bundler.onResolve({ filter: COMMONJS }, ({ path }) => ({
            path: path.replace(COMMONJS, ""),
            namespace: "commonjs",
          }));
          bundler.onLoad({ filter: /./, namespace: "commonjs" }, namedExports);
        },
      },
    ],
  });
}

/** Where an import leads that is not bundled. */
function besides({ path }) {
  if (path === "maplibre-gl") return { path: "./maplibre-gl/maplibre-gl.mjs", external: true };
  // As package.json says for browsers.
  const entry = path === "wazarr/stores/open-store" ? `${path}-browser` : path;
  const file = entry === "wazarr" ? "index" : entry.slice("wazarr/".length);
  return { path: `../viewer/lib/${file}.js`, external: true };
}
