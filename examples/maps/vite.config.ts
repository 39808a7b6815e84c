/**
 * `npm run build && npx vite examples/maps` shows the maps at /maplibre/, /openlayers/ and /deckgl/.
 */
import { defineConfig } from "vite";

const home = `${import.meta.dirname}/../..`;

export default defineConfig({
  // The data of the examples: ?url=/jacksboro.zarr&variable=elevation&range=250,1000
  publicDir: `${home}/examples/data`,
  resolve: {
    alias: [
      { find: /^@wazarr\/(.*)$/, replacement: `${home}/packages/$1/src/index.ts` },
      { find: /^wazarr$/, replacement: `${home}/dist/index.js` },
      { find: "wazarr/stores/open-store", replacement: `${home}/dist/stores/open-store-browser.js` },
      { find: /^wazarr\/(.*)$/, replacement: `${home}/dist/$1.js` },
    ],
  },
  // MapLibre looks for its worker beside itself.
  optimizeDeps: { exclude: ["maplibre-gl"] },
  build: { target: "es2022" },
});
