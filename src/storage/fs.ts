/** `@zarrita/storage/fs`, where wazarr stands in for that package: docs/from-zarrita.md. */
export { FileSystemStore as default } from "../stores/file-system.js";
