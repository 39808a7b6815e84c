/**
 * The entry `wazarr/copy`: copies and converts arrays and hierarchies, and verifies them.
 * @module
 */

export type { Conversion } from "../array/convert/convert.js";
export { DifferenceError } from "../base/errors.js";
export type { CopyNote, CopyOptions, CopyResult } from "../work/copy.js";
export type { VerifyOptions, VerifyReport } from "../work/verify.js";
export { copyNode, verify } from "./nodes.js";
