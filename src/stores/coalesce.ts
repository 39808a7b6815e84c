/** Merging byte ranges of one value into fewer requests. */
import { InvalidArgumentError } from "../errors.js";

export interface Extent {
  readonly offset: number;
  readonly length: number;
}

export interface CoalesceOptions {
  /** Ranges at most this many bytes apart become one request; the bytes between are read for nothing. */
  readonly maximumGap: number;
  /** A request grows to at most this many bytes; a single range may be longer. */
  readonly maximumSize: number;
}

/**
 * 32 KiB: less than a round trip costs on any network, and small against inner chunks, so that little is read for nothing.
 * 5 MiB: long enough that its own latency is hidden, short enough that a few are under way at once and take little memory; and a band of
 * 4 MiB fits, even if encoding made it longer.
 */
export const DEFAULT_COALESCING: CoalesceOptions = { maximumGap: 32 << 10, maximumSize: 5 << 20 };

/** With defaults for what is not given. @throws InvalidArgumentError for what is no size */
export function coalescing(given: Partial<CoalesceOptions> | undefined): CoalesceOptions {
  const { maximumGap, maximumSize } = { ...DEFAULT_COALESCING, ...given };
  if (maximumGap >= 0 && maximumSize >= 0) return { maximumGap, maximumSize };
  throw new InvalidArgumentError(
    `coalesce: expected sizes of 0 or more, got ${maximumGap} and ${maximumSize}`,
  );
}

export interface MergedExtents {
  /** Requests in ascending order. */
  readonly merged: readonly Extent[];
  /** For each extent given: which request it is in, and where it starts there. */
  readonly place: readonly { readonly request: number; readonly start: number }[];
}

export function mergeExtents(
  extents: readonly Extent[],
  { maximumGap, maximumSize }: CoalesceOptions,
): MergedExtents {
  const order = extents
    .map((_, i) => i)
    .sort((a, b) => (extents[a]?.offset ?? 0) - (extents[b]?.offset ?? 0));
  const merged: { offset: number; length: number }[] = [];
  const place = new Array<{ request: number; start: number }>(extents.length);
  for (const i of order) {
    const { offset, length } = extents[i] ?? { offset: 0, length: 0 };
    let last = merged.at(-1);
    const end = offset + length;
    const fits =
      last !== undefined &&
      offset - (last.offset + last.length) <= maximumGap &&
      Math.max(end, last.offset + last.length) - last.offset <= Math.max(maximumSize, last.length);
    if (last === undefined || !fits) {
      last = { offset, length };
      merged.push(last);
    } else {
      last.length = Math.max(last.length, end - last.offset);
    }
    place[i] = { request: merged.length - 1, start: offset - last.offset };
  }
  return { merged, place };
}
