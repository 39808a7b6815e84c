/**
 * Byte order of structs whose fields differ in size: no single unit can be reversed in the copy to the result, so that each run of
 * fields is a strided copy of its own, with its own unit reversed on the way.
 */
import { planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import type { ArrayToArrayCodec, ChunkSpec } from "./codec.js";

/** The pass that reverses the fields of big-endian elements; undefined for a type that one unit says it all for. */
export function fieldOrderPass(spec: ChunkSpec): ArrayToArrayCodec | undefined {
  const { itemSize, swapRuns } = spec.dataType;
  if (swapRuns === undefined) return undefined;
  const elements = spec.shape.reduce((product, extent) => product * extent, 1);
  const copies = swapRuns.map(([offset, unit, count]): { offset: number; plan: CopyPlan } => {
    const shape = unit === 1 ? [elements] : [elements, count];
    const strides = unit === 1 ? [itemSize] : [itemSize, unit];
    const width = unit === 1 ? count : unit;
    return {
      offset,
      plan: planCopy({ shape, targetStrides: strides, sourceStrides: strides, width, swapUnit: unit }),
    };
  });
  const reverse = (source: Uint8Array, { kernels }: { readonly kernels: Kernels }): Uint8Array => {
    const target = kernels.allocate(source.length);
    for (const { offset, plan } of copies) kernels.copy(plan, target, offset, source, offset);
    return target;
  };
  return { kind: "array_to_array", encoded: spec, decode: reverse, encode: reverse };
}
