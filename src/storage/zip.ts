/** `@zarrita/storage/zip`, where wazarr stands in for that package: docs/from-zarrita.md. */
export { ZipStore as default } from "../stores/zip.js";
