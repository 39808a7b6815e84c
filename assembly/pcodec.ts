// Decodes pages of the pcodec format (https://github.com/pcodec/pcodec, docs/format.md): batches of 256
// numbers, each with latents of up to three variables (lookbacks, primary, secondary). Those of a batch pass
// through four steps, in scratch memory that stays in the level-1 cache: bins and offsets (pcodec-bins.ts),
// deltas (pcodec-delta.ts), the mode (pcodec-mode.ts), numbers (pcodec-numbers.ts).
//
// Latents of numbers of 64 bits have 64 bits, all others 32, calculated modulo 2^32: what has 8 or 16 bits is
// cut where it is compared or stored. src/codecs/numbers/pcodec/plan.ts reads all that stands before the
// first batch; its fallback (src/codecs/numbers/pcodec/javascript) gives identical bits. Results as in
// result.ts.
import { isConstant, isPadded, reached, readLatents, seek } from "./pcodec-bins";
import { addConsecutive, addConvolution, addLookback, seenAfter } from "./pcodec-delta";
import { joinDictionary, joinFloatMult, joinFloatQuant, joinIntMult } from "./pcodec-mode";
import { storeNumbers } from "./pcodec-numbers";
import * as plan from "./pcodec-plan";
import { BAD_DISTANCE, BAD_LENGTH, BAD_TABLE, failure, TRUNCATED } from "./result";

const BATCH: u32 = 256;

/**
 * Decodes the next batch, of a page of which `left` numbers are left.
 * @param seen latents in the window of a lookback
 * @returns how many they are after the batch, or a failure
 */
@inline
function batch<T>(dst: usize, src: usize, length: usize, left: u32, isFirst: bool, seen: u32, table: usize): i32 {
  const mode = plan.head(table, plan.MODE), delta = plan.head(table, plan.DELTA), stateLength = plan.head(table, plan.STATE_LENGTH);
  const primary = plan.batch<T>(table, 1), secondary = plan.batch<T>(table, 2);
  const count = min(left, BATCH), deltas = left > stateLength ? min(left - stateLength, BATCH) : 0;
  for (let v: u32 = 0; v < 3; v++) {
    const variable = plan.variable(table, v);
    if (load<u32>(variable) == 0) continue;
    const began = reached() - src;
    const hasDeltas = load<u32>(variable, plan.STORED) > 0;
    // Without deltas, secondary latents stay as they are.
    if (v == 2 && !hasDeltas && !isFirst && isConstant<T>(table, variable)) continue;
    readLatents<T>(table, v, v == 0 || hasDeltas ? deltas : count);
    if (reached() > src + length) return failure(TRUNCATED, began);
    if (!hasDeltas) continue;
    if (delta == plan.CONSECUTIVE) addConsecutive<T>(table, v, count);
    else if (delta == plan.LOOKBACK) {
      if (!addLookback<T>(table, v, count, deltas, seen)) return failure(BAD_DISTANCE, began);
    } else addConvolution<T>(table, v, count, deltas);
  }
  if (mode == plan.INT_MULT) joinIntMult<T>(primary, secondary, count, table);
  else if (mode == plan.FLOAT_MULT) joinFloatMult<T>(primary, secondary, count, table);
  else if (mode == plan.FLOAT_QUANT) joinFloatQuant<T>(primary, secondary, count, table);
  else if (mode == plan.DICT && !joinDictionary<T>(primary, count, src, table)) return failure(BAD_TABLE, reached() - src);
  storeNumbers<T>(dst, primary, count, table);
  return delta == plan.LOOKBACK ? <i32>seenAfter(table, seen, count) : 0;
}

// Exported, so that they stay functions: engines compile a function well after some calls of it, and a page
// is one call.
export function batch32(dst: usize, src: usize, length: usize, left: u32, isFirst: bool, seen: u32, table: usize): i32 { return batch<u32>(dst, src, length, left, isFirst, seen, table); }
export function batch64(dst: usize, src: usize, length: usize, left: u32, isFirst: bool, seen: u32, table: usize): i32 { return batch<u64>(dst, src, length, left, isFirst, seen, table); }

/**
 * Decodes the page of `n` numbers that begins at byte `start` of a source, which has `length` bytes and some
 * more after them.
 * @returns the byte after the page, or a failure
 */
export function page(dst: usize, src: usize, length: usize, start: usize, n: u32, table: usize): i32 {
  const width = plan.head(table, plan.WIDTH);
  let seen = plan.head(table, plan.STATE_LENGTH);
  seek(src + start);
  for (let done: u32 = 0; done < n; done += BATCH) {
    const to = dst + <usize>done * (width >> 3);
    const result = width == 64 ? batch64(to, src, length, n - done, done == 0, seen, table) : batch32(to, src, length, n - done, done == 0, seen, table);
    if (result < 0) return result;
    seen = result;
  }
  return isPadded() ? <i32>(reached() - src) : failure(BAD_LENGTH, reached() - src);
}
