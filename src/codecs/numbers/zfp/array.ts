/** An array of zfp: what both decoders have to know of it before its first block. */
import type { Limits } from "./limits.js";
import type { StoredType } from "./number-types.js";

export interface ZfpArray {
  readonly type: StoredType;
  /** One to four lengths, in C order. */
  readonly shape: readonly number[];
  readonly limits: Limits;
  /** Where the first block begins, in bits. */
  readonly start: number;
}
