/**
 * Copies and converts arrays and hierarchies, and verifies them.
 *
 * ```ts
 * import { copyNode, verify } from "wazarr/copy";
 * import { FileSystemStore } from "wazarr/stores/file-system";
 *
 * const source = new FileSystemStore("old.zarr");
 * const target = new FileSystemStore("new.zarr");
 * await copyNode(source, target, { zarrFormat: 3, codecs: ["zstd"] });
 * const { problems } = await verify(target, { against: source });
 * ```
 * @module
 */

export type { Conversion } from "../array/convert/convert.js";
export { DifferenceError } from "../base/errors.js";
export type { CopyNote, CopyOptions, CopyResult } from "../work/copy.js";
export type { VerifyOptions, VerifyReport } from "../work/verify.js";
export { copyNode, verify } from "./nodes.js";
