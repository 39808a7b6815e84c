/** Reading chosen elements of variable length. */
import type { BasicSelection } from "../../indexing/selection.js";
import type { BandPlan } from "../bands.js";
import type { PreparedArray } from "../prepared.js";
import { readValues, type VariableReadOptions } from "../variable/read.js";
import { forEachArray } from "./arrays.js";

/** @param result what its dimensions are, in `data` */
export async function readChosenValues(
  array: PreparedArray,
  plan: BandPlan,
  result: BasicSelection,
  data: unknown[],
  options: VariableReadOptions,
): Promise<void> {
  await forEachArray(array, plan, options, async (part, own) => {
    await readValues(part, result, data, own);
  });
}
