/**
 * Is `@zarrita/storage/ref` where wazarr stands in for that package.
 *
 * ```ts
 * import ReferenceStore from "@zarrita/storage/ref"; // installed as wazarr
 *
 * const store = await ReferenceStore.fromUrl("https://example.com/reanalysis.json");
 * ```
 *
 * docs/from-zarrita.md
 * @module
 */
export { ReferenceStore as default } from "../../stores/references/reference.js";
