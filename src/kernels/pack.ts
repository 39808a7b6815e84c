/**
 * Transpositions to or from sparse memory outside WASM: in two steps over a dense copy inside, in the order of that memory. In
 * one step, each of its cache lines would be fetched again for every few bytes of the other side.
 */
import { isDense, payloadOf, type Side, SOURCE, TARGET, wholeBox } from "./bounce.js";
import { planCopy } from "./copy-plan.js";
import type { CopyPlan } from "./kernels.js";
import { PACK_LENGTH, SOURCE_PACK, TARGET_PACK } from "./memory.js";

interface Steps {
  readonly first: CopyPlan;
  readonly second: CopyPlan;
}

/** Both steps of a plan, for each side: chunk after chunk it is the same plan. */
const stepsOfSource = new WeakMap<CopyPlan, Steps>();
const stepsOfTarget = new WeakMap<CopyPlan, Steps>();

/** Runs a plan in two steps and returns true, or returns false where one step does as well. */
export function copyInSteps(
  plan: CopyPlan,
  target: Side,
  source: Side,
  wasm: Uint8Array,
  run: (plan: CopyPlan, target: Side, source: Side) => void,
): boolean {
  if (plan.kind !== "transpose" || payloadOf(wholeBox(plan)) > PACK_LENGTH) return false;
  const fromOutside = source.pointer === undefined && !isDense(plan, SOURCE);
  if (!fromOutside && (target.pointer !== undefined || isDense(plan, TARGET))) return false;
  const steps = fromOutside ? stepsOfSource : stepsOfTarget;
  let step = steps.get(plan);
  if (step === undefined) {
    step = fromOutside ? packSource(plan) : packTarget(plan);
    steps.set(plan, step);
  }
  // A source whose elements overlap has no order in which it is dense.
  if ((fromOutside ? step.first : step.second).kind === "transpose") return false;
  const to = { ...target, offset: target.offset + plan.targetStart };
  const from = { ...source, offset: source.offset + plan.sourceStart };
  const pack: Side = { bytes: wasm, offset: fromOutside ? SOURCE_PACK : TARGET_PACK, pointer: 0 };
  run(step.first, pack, from);
  run(step.second, to, pack);
  return true;
}

function packSource(plan: CopyPlan): Steps {
  const { shape, targetStrides, sourceStrides, width } = stridesOf(plan);
  const dense = denseStrides(shape, sourceStrides, width);
  // What is broadcast is packed once.
  const packedShape = shape.map((extent, dimension) => (sourceStrides[dimension] === 0 ? 1 : extent));
  return {
    first: planCopy({ shape: packedShape, targetStrides: dense, sourceStrides, width, swapUnit: 1 }),
    second: planCopy({ shape, targetStrides, sourceStrides: dense, width, swapUnit: plan.request.swapUnit }),
  };
}

function packTarget(plan: CopyPlan): Steps {
  const { shape, targetStrides, sourceStrides, width } = stridesOf(plan);
  const dense = denseStrides(shape, targetStrides, width);
  return {
    first: planCopy({ shape, targetStrides: dense, sourceStrides, width, swapUnit: plan.request.swapUnit }),
    second: planCopy({ shape, targetStrides, sourceStrides: dense, width, swapUnit: 1 }),
  };
}

function stridesOf(plan: CopyPlan) {
  const part = (side: number) => plan.dimensions.filter((_, i) => i % 3 === side);
  return { shape: part(0), targetStrides: part(TARGET), sourceStrides: part(SOURCE), width: plan.run };
}

/** Strides without gaps, in the order of `strides`; 0 where they are 0. */
function denseStrides(shape: readonly number[], strides: readonly number[], width: number): number[] {
  const reach = (dimension: number) => Math.abs(strides[dimension] ?? 0);
  const dense = [...shape];
  let span = width;
  for (const dimension of [...shape.keys()].sort((a, b) => reach(a) - reach(b))) {
    dense[dimension] = reach(dimension) === 0 ? 0 : span;
    if (reach(dimension) > 0) span *= shape[dimension] ?? 1;
  }
  return dense;
}
