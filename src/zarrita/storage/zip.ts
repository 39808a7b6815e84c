/**
 * Is `@zarrita/storage/zip` where wazarr stands in for that package.
 *
 * ```ts
 * import ZipFileStore from "@zarrita/storage/zip"; // installed as wazarr
 *
 * const store = ZipFileStore.fromUrl("https://example.com/climate.zip");
 * ```
 *
 * docs/from-zarrita.md
 * @module
 */
export { ZipStore as default } from "../../stores/zip/zip.js";
