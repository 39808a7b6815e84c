/**
 * Is `@zarrita/storage/fs` where wazarr stands in for that package.
 *
 * ```ts
 * import FileSystemStore from "@zarrita/storage/fs"; // installed as wazarr
 *
 * const store = new FileSystemStore("climate.zarr");
 * ```
 *
 * docs/from-zarrita.md
 * @module
 */
export { FileSystemStore as default } from "../../core/stores/files/file-system.js";
