/**
 * Is `@zarrita/storage/fetch` where wazarr stands in for that package.
 *
 * ```ts
 * import FetchStore from "@zarrita/storage/fetch"; // installed as wazarr
 *
 * const store = new FetchStore("https://example.com/climate.zarr");
 * ```
 *
 * docs/from-zarrita.md
 * @module
 */
export { HttpStore as default } from "../../core/stores/http/http.js";
