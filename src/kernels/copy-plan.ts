import { at, numberAt } from "../base/at.js";
import { InvalidArgumentError } from "../base/errors.js";
import type { CopyKind, CopyPlan, CopyRequest } from "./kernels.js";

/** Strides up to this many bytes put at least two elements into one cache line. */
const SHARED_LINE = 32;

/** One dimension during planning; after normalisation its target stride is positive. */
interface Dimension {
  readonly extent: number;
  readonly target: number;
  readonly source: number;
}

/**
 * Prepares a strided copy: drops dimensions of size 1, orders the others by target stride (so that writes
 * ascend in memory), merges neighbours that are contiguous, and chooses the kernel.
 *
 * @throws InvalidArgumentError for invalid shapes, strides, widths or swap units, and for a target stride of
 * zero, with which several elements would be written to one place
 */
export function planCopy(request: CopyRequest): CopyPlan {
  validate(request);
  const { shape, targetStrides, sourceStrides, width } = request;
  const extents = { targetBefore: 0, targetAfter: width, sourceBefore: 0, sourceAfter: width };
  let targetStart = 0;
  let sourceStart = 0;
  const dimensions: Dimension[] = [];
  for (let i = 0; i < shape.length; i++) {
    const extent = at(shape, i);
    const target = at(targetStrides, i);
    const source = at(sourceStrides, i);
    if (extent < 2) continue;
    const targetReach = (extent - 1) * target;
    const sourceReach = (extent - 1) * source;
    if (source < 0) extents.sourceBefore -= sourceReach;
    else extents.sourceAfter += sourceReach;
    if (target < 0) {
      extents.targetBefore -= targetReach;
      // Starts at the far end, so that writes ascend and a dimension reversed on both sides can merge.
      targetStart += targetReach;
      sourceStart += sourceReach;
      dimensions.push({ extent, target: -target, source: -source });
    } else {
      extents.targetAfter += targetReach;
      dimensions.push({ extent, target, source });
    }
  }
  dimensions.sort((a, b) => b.target - a.target);
  const run = mergeRun(dimensions, width);
  const merged = mergeNeighbours(dimensions);
  const kind = shape.includes(0) ? "empty" : classify(merged, run);
  if (kind === "transpose") {
    const reversed = moveTransposed(merged);
    if (reversed !== undefined) {
      targetStart += (reversed.extent - 1) * reversed.target;
      sourceStart += (reversed.extent - 1) * reversed.source;
    }
  }
  const numbers: number[] = [];
  for (const { extent, target, source } of merged) numbers.push(extent, target, source);
  return { request, kind, ...extents, targetStart, sourceStart, run, dimensions: numbers };
}

/** In one loop without lists: edges of chunks make a plan for nearly every chunk of a small read. */
function validate(request: CopyRequest): void {
  const { shape, targetStrides, sourceStrides, width, swapUnit } = request;
  const rank = shape.length;
  let elements = 1;
  let isValid =
    targetStrides.length === rank &&
    sourceStrides.length === rank &&
    Number.isSafeInteger(width) &&
    width > 0 &&
    width % swapUnit === 0;
  let isStill = false;
  for (let i = 0; isValid && i < rank; i++) {
    const extent = at(shape, i);
    const target = at(targetStrides, i);
    const source = at(sourceStrides, i);
    elements *= extent;
    isValid = Number.isSafeInteger(extent) && extent >= 0;
    // The stride of a dimension with a single element is never used, so it may be of any length.
    if (extent < 2) continue;
    isValid &&= Number.isSafeInteger(target * extent) && Number.isSafeInteger(source * extent);
    isStill ||= target === 0;
  }
  // C order strides of an empty array are zero, which is allowed.
  if (isValid && Number.isSafeInteger(elements) && (elements === 0 || !isStill)) return;
  throw new InvalidArgumentError(`internal error: cannot copy ${JSON.stringify(request)}`);
}

/** Removes innermost dimensions that only lengthen the contiguous run; returns the bytes of the run. */
function mergeRun(dimensions: Dimension[], width: number): number {
  let run = width;
  for (;;) {
    const inner = dimensions.at(-1);
    if (inner === undefined || inner.target !== run || inner.source !== run) return run;
    run *= inner.extent;
    dimensions.pop();
  }
}

function mergeNeighbours(dimensions: readonly Dimension[]): Dimension[] {
  const merged: Dimension[] = [];
  for (const inner of dimensions) {
    const outer = merged.at(-1);
    if (
      outer !== undefined &&
      outer.target === inner.target * inner.extent &&
      outer.source === inner.source * inner.extent
    ) {
      merged[merged.length - 1] = { ...inner, extent: outer.extent * inner.extent };
    } else {
      merged.push(inner);
    }
  }
  return merged;
}

function classify(dimensions: readonly Dimension[], run: number): CopyKind {
  const inner = dimensions.at(-1);
  // Kernels copy elements of 1, 2, 4, 8 and 16 bytes.
  if (inner === undefined || run > 16 || run & (run - 1)) return "rows";
  if (inner.target !== run) return "general";
  return findTransposed(dimensions) >= 0 ? "transpose" : "gather";
}

/**
 * The dimension to transpose with the innermost one: in the source it is contiguous, or nearly (a stepped
 * selection of F order), so that some of its elements share a cache line.
 */
function findTransposed(dimensions: readonly Dimension[]): number {
  const inner = Math.abs(dimensions.at(-1)?.source ?? 0);
  return dimensions.findIndex(
    ({ source }) => source && Math.abs(source) <= SHARED_LINE && Math.abs(source) < inner,
  );
}

/**
 * Moves the dimension of `findTransposed` next to the innermost one, in which the target is contiguous: the
 * pair is transposed by tiles. The source stride becomes positive; returns the former dimension if that
 * reversed it.
 */
function moveTransposed(dimensions: Dimension[]): Dimension | undefined {
  const [moved] = dimensions.splice(findTransposed(dimensions), 1);
  if (moved === undefined) return undefined;
  const { extent, target, source } = moved;
  const sign = Math.sign(source);
  dimensions.splice(-1, 0, { extent, target: target * sign, source: source * sign });
  return sign < 0 ? moved : undefined;
}

/**
 * Calls `visit` with both positions for every index of the first `rank` dimensions, in order.
 *
 * @param dimensions as in CopyPlan: extent, target stride and source stride of each, outermost first
 * @param target position of index [0, 0, ...], and likewise `source`
 */
export function forEachIndex(
  dimensions: readonly number[],
  rank: number,
  target: number,
  source: number,
  visit: (target: number, source: number) => void,
): void {
  const walk = (dimension: number, t: number, s: number): void => {
    if (dimension === rank) {
      visit(t, s);
      return;
    }
    const extent = numberAt(dimensions, dimension * 3);
    const targetStride = numberAt(dimensions, dimension * 3 + 1);
    const sourceStride = numberAt(dimensions, dimension * 3 + 2);
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) walk(dimension + 1, t, s);
  };
  walk(0, target, source);
}

/**
 * Checks bounds, because kernels trust their pointers.
 * @throws RangeError unless the plan stays inside both arrays
 */
export function checkBounds(
  plan: CopyPlan,
  targetLength: number,
  targetOffset: number,
  sourceLength: number,
  sourceOffset: number,
): void {
  const targetStart = targetOffset - plan.targetBefore;
  const targetEnd = targetOffset + plan.targetAfter;
  const sourceStart = sourceOffset - plan.sourceBefore;
  const sourceEnd = sourceOffset + plan.sourceAfter;
  // Written as a conjunction so that a NaN offset fails too.
  if (targetStart >= 0 && targetEnd <= targetLength && sourceStart >= 0 && sourceEnd <= sourceLength) return;
  throw new RangeError(
    `internal error: copy to bytes ${targetStart} to ${targetEnd} of ${targetLength} from ${sourceStart} to ${sourceEnd} of ${sourceLength}`,
  );
}
