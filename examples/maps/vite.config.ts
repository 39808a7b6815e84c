/**
 * `npm run build && npx vite examples/maps` shows the maps at /maplibre/, /openlayers/ and /deckgl/. The
 * packages of the last two are those of scripts/oracles/install.sh nightly.
 */
import { defineConfig } from "vite";

const home = `${import.meta.dirname}/../..`;

export default defineConfig({
  // The data of the examples: ?url=/jacksboro.zarr&variable=elevation&range=250,1000
  publicDir: `${home}/examples/data`,
  resolve: {
    alias: [
      { find: /^wazarr$/, replacement: `${home}/dist/index.js` },
      { find: /^wazarr\/(.*)$/, replacement: `${home}/dist/$1.js` },
      { find: /^(ol\/|@deck\.gl\/|@luma\.gl\/)/, replacement: `${home}/.oracles/maps/node_modules/$1` },
    ],
  },
  // MapLibre looks for its worker beside itself.
  optimizeDeps: { exclude: ["maplibre-gl"] },
  build: { target: "es2022" },
});
