/** Reading elements that are no box; what they are is the caller's plan. */

import type { BandPlan } from "../engine/bands.js";
import { forEachArray } from "../engine/chosen/arrays.js";
import { fewGap } from "../engine/chosen/few.js";
import { readChosen } from "../engine/chosen/read.js";
import { readBoxes } from "../engine/chosen/read-boxes.js";
import { type ChunkRuns, chunkRuns } from "../grid/chunk-grid.js";
import type { BasicSelection } from "../grid/selection.js";
import { cOrderStrides, product } from "../shape.js";
import { readOptions } from "./get.js";
import type { GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";
import { readRuns } from "./read-runs.js";
import { resultBytes } from "./result-bytes.js";

export type GetChosenOptions<D> = Omit<GetOptions<D>, "shared" | "useSharedArrayBuffer">;

/** @param result as many elements along each dimension of the result, those that are dropped included */
export async function getChosen(
  array: ZarrArray<unknown>,
  result: BasicSelection,
  plan: (runs: readonly ChunkRuns[], gap?: number) => BandPlan,
  { out, invalidText = "error", ...others }: GetChosenOptions<unknown>,
): Promise<Chunk<unknown>> {
  const { itemSize, variable } = array.dataType;
  const options = readOptions(others);
  const { shape } = result;
  const prepared = await array.prepare();
  const { metadata } = prepared;
  const runs = chunkRuns(metadata.chunkGrid);
  const place = { shape: [...shape], stride: cOrderStrides(shape, 1) };
  if (variable !== undefined) {
    const { checkOut, readValues } = await import("./get-variable.js");
    const data = checkOut(out, product(shape)) ?? new Array<unknown>(product(shape));
    const readOne = { ...options, workers: undefined, invalidText };
    await forEachArray(prepared, plan(runs), readOne, async (part, own) => {
      await readValues(part, result, data, own);
    });
    return { data, ...place };
  }
  const { bytes, fresh } = resultBytes(array, { out }, product(shape) * itemSize);
  const strides = cOrderStrides(
    result.dimensions.map(({ count }) => count),
    itemSize,
  );
  if (options.workers === undefined) {
    await readChosen(prepared, plan(runs, fewGap(prepared)), { bytes, strides, fresh }, options);
  } else {
    const inner = readRuns(metadata);
    await readBoxes(prepared, plan(inner), inner, { bytes, strides }, options);
  }
  return { data: out ?? array.dataType.view(bytes), ...place };
}
