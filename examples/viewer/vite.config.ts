/**
 * `npm run build` puts the viewer into dist/viewer, where `wazarr serve` has it: with the package's own files beside it, not a copy of them.
 * `vite build examples/viewer` makes a folder for any static host, in examples/viewer/dist.
 */
import { defineConfig } from "vite";

const PACKAGE = `${import.meta.dirname}/../../dist`;
const ENTRIES = ["stores/http", "stores/zip", "workers/pool"];

/** Browsers look names up there: what is imported as "wazarr/stores/http" is the file lib/stores/http.js. */
const importMap = {
  name: "import-map",
  transformIndexHtml: () => {
    const entries = ENTRIES.map((entry) => [`wazarr/${entry}`, `./lib/${entry}.js`]);
    const imports = { wazarr: "./lib/index.js", ...Object.fromEntries(entries) };
    const children = JSON.stringify({ imports });
    return [{ tag: "script", attrs: { type: "importmap" }, children, injectTo: "head-prepend" as const }];
  },
};

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: "./",
  // The public entries alone, as an application has them.
  resolve: {
    alias: [
      { find: /^wazarr$/, replacement: `${PACKAGE}/index.js` },
      { find: /^wazarr\/(.+)$/, replacement: `${PACKAGE}/$1.js` },
    ],
  },
  worker: { format: "es" },
  build: { target: "es2022", reportCompressedSize: false },
  ...(mode === "package" && {
    plugins: [importMap],
    resolve: {},
    build: {
      target: "es2022",
      reportCompressedSize: false,
      outDir: `${PACKAGE}/viewer`,
      emptyOutDir: true,
      rolldownOptions: { external: [/^wazarr/] },
    },
  }),
}));
