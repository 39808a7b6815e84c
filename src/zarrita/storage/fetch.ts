/**
 * `@zarrita/storage/fetch`, where wazarr stands in for that package: docs/from-zarrita.md.
 * @module
 */
export { HttpStore as default } from "../../core/stores/http/http.js";
