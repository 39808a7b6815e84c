/**
 * `npm run build && npx vite examples/maps/maplibre` shows the map; MapLibre looks for its worker beside
 * itself.
 */
import { defineConfig } from "vite";

const dist = `${import.meta.dirname}/../../../dist`;

export default defineConfig({
  // The data of the examples: ?url=/jacksboro.zarr&variable=elevation&range=250,1000#9.5/36.6/-84.25
  publicDir: `${import.meta.dirname}/../../data`,
  resolve: {
    alias: [
      { find: /^wazarr$/, replacement: `${dist}/index.js` },
      { find: /^wazarr\/(.*)$/, replacement: `${dist}/$1.js` },
    ],
  },
  optimizeDeps: { exclude: ["maplibre-gl"] },
  build: { target: "es2022" },
});
