/**
 * `@zarrita/storage/ref`, where wazarr stands in for that package: docs/from-zarrita.md.
 * @module
 */
export { ReferenceStore as default } from "../../stores/references/reference.js";
