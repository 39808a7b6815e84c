/** Pages in JavaScript: assembly/pcodec.ts with the same bits. */
import { at, BAD_DISTANCE, BAD_LENGTH, BAD_TABLE, failure, TRUNCATED } from "../../../../core/for-codecs.js";
import { BATCH, DELTA, MODE, STATE_LENGTH, STORED, VARIABLE_LENGTH, VARIABLES, WIDTH } from "../plan.js";
import { joinFloatMult } from "./float-multiples.js";
import {
  addConsecutive,
  addConvolution,
  addLookback,
  type Latents,
  latents,
  readLatents,
  windowOf,
} from "./latents.js";
import { joinDictionary, joinFloatQuant, joinIntMult, storeNumbers } from "./modes.js";

const INT_MULT = 1;
const FLOAT_MULT = 2;
const FLOAT_QUANT = 3;
const DICT = 4;
const CONSECUTIVE = 1;
const LOOKBACK = 2;

/** Lookbacks, primary, secondary. */
const ORDER = [0, 1, 2];

/**
 * Decodes the page that begins at byte `start` of `source`.
 * @param plan which planOf made; states and sums in it change
 * @returns the byte after the page, or a failure
 */
export function page(
  target: Uint8Array,
  source: Uint8Array,
  start: number,
  count: number,
  plan: Uint32Array,
): number {
  const mode = plan[MODE];
  const delta = plan[DELTA];
  const stateLength = at(plan, STATE_LENGTH);
  const variables = ORDER.map((v) => VARIABLES + v * VARIABLE_LENGTH);
  const batches = [latents(BATCH), latents(BATCH), latents(BATCH)] as const;
  const [lookbacks, primary, secondary] = batches;
  const windows = variables.map((place) => (delta === LOOKBACK ? windowOf(plan, place, count) : undefined));
  let bit = 8 * start;
  const reached = (): number => Math.ceil(bit / 8);
  for (let done = 0; done < count; done += BATCH) {
    const numbers = Math.min(count - done, BATCH);
    const deltas = Math.min(Math.max(count - done - stateLength, 0), BATCH);
    for (const [v, variable] of variables.entries()) {
      if (plan[variable] === 0) continue;
      const batch: Latents = batches[v] ?? primary;
      const startBit = reached();
      const hasDeltas = plan[variable + STORED] !== 0;
      bit = readLatents(batch, v === 0 || hasDeltas ? deltas : numbers, source, bit, plan, variable);
      if (bit > 8 * source.length) return failure(TRUNCATED, startBit);
      if (!hasDeltas) continue;
      const window = windows[v];
      if (delta === CONSECUTIVE) addConsecutive(batch, numbers, plan, variable);
      else if (window === undefined) addConvolution(batch, numbers, deltas, plan, variable);
      else if (!addLookback(batch, numbers, deltas, lookbacks, window, done, plan)) {
        return failure(BAD_DISTANCE, startBit);
      }
    }
    if (mode === INT_MULT) joinIntMult(primary, secondary, numbers, plan);
    else if (mode === FLOAT_MULT) joinFloatMult(primary, secondary, numbers, plan);
    else if (mode === FLOAT_QUANT) joinFloatQuant(primary, secondary, numbers, plan);
    else if (mode === DICT && !joinDictionary(primary, numbers, source, plan))
      return failure(BAD_TABLE, reached());
    storeNumbers(target, (done * at(plan, WIDTH)) / 8, primary, numbers, plan);
  }
  const used = bit % 8;
  const hasRest = used !== 0 && at(source, Math.floor(bit / 8)) >>> used !== 0;
  return hasRest ? failure(BAD_LENGTH, reached()) : reached();
}
