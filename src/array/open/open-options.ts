/** The options of `open`, and the list of their names. */
import type { NamesOf } from "../../base/option-names.js";
import type { StoreOptions } from "../../core/stores/store.js";
import { STORE_OPTIONS } from "../../core/stores/store-option-names.js";
import type { DataTypeQuery } from "../nodes/data-type-query.js";

export type NodeKind = "array" | "group";

export type FormatChoice = "v3" | "v2" | "draft";

/** Options of `open`. */
export interface OpenOptions {
  /** The kind that the node must have; either kind unless given. */
  readonly kind?: NodeKind | undefined;
  /**
   * The data type that an array must have, as `array.is` takes it: "int16", or "number" for any type whose
   * scalars are numbers.
   */
  readonly dtype?: DataTypeQuery | undefined;
  /**
   * v2 only: false does not read `.zattrs`, which saves a request; the node then has no attributes and no
   * dimension names.
   */
  readonly attrs?: boolean | undefined;
  /**
   * Only for `open` itself: the formats to look for, in this order. The default is v3, v2, draft. At a
   * location resolved from an opened v2 node, v2 comes first.
   */
  readonly format?: FormatChoice | readonly FormatChoice[] | undefined;
  /** Aborts the requests; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export const OPEN: NamesOf<OpenOptions & StoreOptions> = {
  ...STORE_OPTIONS,
  kind: true,
  dtype: true,
  attrs: true,
  format: true,
};
