/** The options of `get` of a Variable, and its reads with `as`: numbers of another type, ready to draw. */
import { checkNames, type NamesOf } from "../../extend.js";
import {
  type GetOptions,
  get,
  getChunk,
  InvalidArgumentError,
  InvalidSelectionError,
  type Array as ZarrArray,
} from "../../index.js";
import type { DrawAsOptions, DrawnType, DrawOptions, Statistics } from "../../main/reading.js";
import { isBox, sliceOf } from "./choices.js";
import type { Decoding } from "./decode.js";
import type { Chosen } from "./select.js";

/** Options of any read of a Variable. */
type Reading = Pick<GetOptions, "signal" | "priority" | "concurrency" | "workers" | "onProgress" | "cache">;

/** Options of a read that gives decoded elements. */
export interface PlainOptions extends Reading {
  /** Not given: elements are decoded. */
  readonly as?: undefined;
}

/** Options that belong to `as`, but for those that the encoding says. */
type WithAs = "missingAs" | "window" | "statistics" | "out";

/**
 * Options of a read that gives numbers of another type, ready to draw; coordinates are decoded as usual. Of
 * times, these are the numbers that `units` count. `out` is memory for the variable alone.
 */
export type DrawnOptions<As extends DrawnType = DrawnType> = As extends DrawnType
  ? Reading & Pick<DrawAsOptions<As>, "as" | WithAs>
  : never;

/** The part of the encoding of a variable that a read with `as` applies to its numbers. */
export type Unpacking = Pick<DrawAsOptions<DrawnType>, "missing" | "scale" | "offset">;

/** Undefined for elements that are not numbers or have `_Unsigned`: a read sees numbers of the other sign. */
export function unpackingOf({ packing, encoding }: Partial<Decoding> = {}): Unpacking | undefined {
  if (packing === undefined || encoding?._Unsigned !== undefined) return undefined;
  const { fills: missing, scale, offset } = packing;
  return { missing, scale, offset };
}

const WITH_AS: NamesOf<Pick<DrawAsOptions<DrawnType>, WithAs>> = {
  missingAs: true,
  window: "list",
  statistics: true,
  out: true,
};

const READ: NamesOf<DrawnOptions> = {
  as: true,
  ...WITH_AS,
  signal: true,
  priority: true,
  concurrency: true,
  workers: true,
  onProgress: "function",
  cache: true,
};

/** The options for the variable, if it is to be drawn, and those for all that is decoded. */
export function splitOptions(options: PlainOptions | DrawnOptions): {
  readonly drawn: DrawnOptions | undefined;
  readonly plain: PlainOptions;
} {
  checkNames(options, "get", READ);
  if (options.as !== undefined) {
    const { as, missingAs, window, statistics, out, ...plain } = options;
    return { drawn: options, plain };
  }
  for (const option of Object.keys(WITH_AS)) {
    if (Reflect.get(options, option) === undefined) continue;
    throw new InvalidArgumentError(
      `get: ${option} needs the option as, the type of the result: { as: "float32", ${option}: ... }`,
    );
  }
  return { drawn: undefined, plain: options };
}

/**
 * Reads elements as the caller and the encoding say. An index is read as a slice of length 1, so that one
 * element has `data` and statistics, too.
 */
export async function readDrawn(
  array: ZarrArray,
  choices: readonly (Chosen | null)[],
  options: DrawnOptions,
  unpacking: Unpacking | undefined,
): Promise<{ readonly data: unknown; readonly statistics?: Statistics | undefined }> {
  const all: DrawOptions = { ...options, ...unpacking };
  // Without dimensions, the only chunk is the only element.
  if (choices.length === 0) return getChunk(array, [], all);
  if (!isBox(choices)) {
    throw new InvalidSelectionError(
      "as: expected indices, slices and ranges of dimensions, got a list; read without as",
      { path: array.path },
    );
  }
  return get(array, choices.map(sliceOf), withAllStrides(all, choices));
}

/** Strides in `out` count the dimensions of the result, which has none of an index: its slice needs one. */
function withAllStrides<Options extends DrawOptions>(
  options: Options,
  choices: readonly (Chosen | null)[],
): Options;
function withAllStrides(options: DrawOptions, choices: readonly (Chosen | null)[]): object {
  const { out } = options;
  if (out === undefined || !("stride" in out) || !Array.isArray(out.stride)) return options;
  const strides: number[] = [...out.stride];
  // `get` refuses NaN, and strides that are left.
  const stride = choices.map((choice) => (choice?.kind === "index" ? 0 : (strides.shift() ?? Number.NaN)));
  return { ...options, out: { ...out, stride: [...stride, ...strides] } };
}
