/** What the command line uses of formats besides the entries of the package: files of numpy. */
export { formatNpyHeader, type NpyFile, withNpyFile } from "./npy/file.js";
