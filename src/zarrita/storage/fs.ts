/**
 * `@zarrita/storage/fs`, where wazarr stands in for that package: docs/from-zarrita.md.
 * @module
 */
export { FileSystemStore as default } from "../../core/stores/files/file-system.js";
