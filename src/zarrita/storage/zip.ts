/**
 * `@zarrita/storage/zip`, where wazarr stands in for that package: docs/from-zarrita.md.
 * @module
 */
export { ZipStore as default } from "../../stores/zip/zip.js";
