// Turns the deltas of a batch into latents. A page states the first latents itself, so each batch gives
// latents that its predecessor has calculated, and keeps as many. A delta of zero is half of the range of
// latents: it is added to the bins of the plan.
import * as plan from "./pcodec-plan";

// Sums of four latents: only the last batch of a page may end between them, and no sum is used after it.

/** The sums of deltas, each stored before its delta is added. */
@inline
function addOnce<T>(at: usize, end: usize, kept: usize): void {
  let sum = load<T>(kept);
  for (; at < end; at += 4 * sizeof<T>()) {
    const d0 = load<T>(at), d1 = load<T>(at, sizeof<T>());
    store<T>(at, sum);
    store<T>(at, sum += d0, sizeof<T>());
    sum += d1;
    const d2 = load<T>(at, 2 * sizeof<T>()), d3 = load<T>(at, 3 * sizeof<T>());
    store<T>(at, sum, 2 * sizeof<T>());
    store<T>(at, sum += d2, 3 * sizeof<T>());
    sum += d3;
  }
  store<T>(kept, sum);
}

/** The sums of such sums. */
@inline
function addTwice<T>(at: usize, end: usize, kept: usize): void {
  let sum = load<T>(kept), inner = load<T>(kept, 8);
  for (; at < end; at += 4 * sizeof<T>()) {
    const d0 = load<T>(at);
    store<T>(at, sum);
    sum += inner;
    inner += d0;
    const d1 = load<T>(at, sizeof<T>());
    store<T>(at, sum, sizeof<T>());
    sum += inner;
    inner += d1;
    const d2 = load<T>(at, 2 * sizeof<T>());
    store<T>(at, sum, 2 * sizeof<T>());
    sum += inner;
    inner += d2;
    const d3 = load<T>(at, 3 * sizeof<T>());
    store<T>(at, sum, 3 * sizeof<T>());
    sum += inner;
    inner += d3;
  }
  store<T>(kept, sum);
  store<T>(kept, inner, 8);
}

/** Sums four times over. */
@inline
function addFourTimes<T>(at: usize, end: usize, kept: usize): void {
  let s0 = load<T>(kept), s1 = load<T>(kept, 8), s2 = load<T>(kept, 16), s3 = load<T>(kept, 24);
  for (; at < end; at += 2 * sizeof<T>()) {
    const d0 = load<T>(at), d1 = load<T>(at, sizeof<T>());
    store<T>(at, s0);
    store<T>(at, s0 += s1, sizeof<T>());
    s1 += s2;
    s2 += s3;
    s3 += d0;
    s0 += s1;
    s1 += s2;
    s2 += s3;
    s3 += d1;
  }
  store<T>(kept, s0);
  store<T>(kept, s1, 8);
  store<T>(kept, s2, 16);
  store<T>(kept, s3, 24);
}

/** Of order k: k times the running sum. The k first sums are kept from batch to batch. */
@inline
export function addConsecutive<T>(table: usize, v: u32, count: u32): void {
  const variable = plan.variable(table, v);
  const latents = plan.batch<T>(table, v);
  const end = latents + <usize>count * sizeof<T>();
  const sums = plan.at(table, variable, plan.STORED_AT);
  let order = load<u32>(variable, plan.STORED);
  if (order >= 4) addFourTimes<T>(latents, end, sums + (<usize>(order -= 4) << 3));
  if (order >= 2) addTwice<T>(latents, end, sums + (<usize>(order -= 2) << 3));
  if (order > 0) addOnce<T>(latents, end, sums);
}

/**
 * Adds the latent that each delta looks back at. The window has the stated latents at first; each batch puts
 * as many after them as it has numbers. When the window is full, its end becomes its start.
 * @param seen latents in the window
 * @returns false for a lookback of 0, or to before the window or the first latent
 */
@inline
export function addLookback<T>(table: usize, v: u32, count: u32, deltas: u32, seen: u32): bool {
  const variable = plan.variable(table, v);
  const latents = plan.batch<T>(table, v), lookbacks = plan.batch<T>(table, 0);
  const window = plan.at(table, variable, plan.WINDOW);
  const reach = plan.head(table, plan.REACH);
  if (isFull(table, seen, count)) {
    memory.copy(window, window + <usize>(seen - reach) * sizeof<T>(), <usize>reach * sizeof<T>());
    seen = reach;
  }
  let to = window + <usize>seen * sizeof<T>();
  const first = to - <usize>plan.head(table, plan.STATE_LENGTH) * sizeof<T>();
  for (let at: usize = 0; at < <usize>deltas * sizeof<T>(); at += sizeof<T>(), to += sizeof<T>(), seen++) {
    const lookback = <u32>load<T>(lookbacks + at);
    if (lookback - 1 >= min(reach, seen)) return false;
    store<T>(to, load<T>(latents + at) + load<T>(to - <usize>lookback * sizeof<T>()));
  }
  memory.copy(latents, first, <usize>count * sizeof<T>());
  return true;
}

@inline
function isFull(table: usize, seen: u32, count: u32): bool {
  return seen + count > plan.head(table, plan.CAPACITY);
}

/** How many latents the window has after a batch. */
@inline
export function seenAfter(table: usize, seen: u32, count: u32): u32 {
  return (isFull(table, seen, count) ? plan.head(table, plan.REACH) : seen) + count;
}

/**
 * Adds to each delta what the latents before it predict: a weighted sum, shifted. The width is up to 32 bits.
 */
@inline
export function addConvolution<T>(table: usize, v: u32, count: u32, deltas: u32): void {
  const variable = plan.variable(table, v);
  const latents = plan.batch<T>(table, v), history = plan.batch<T>(table, 3);
  const order = load<u32>(variable, plan.STORED);
  const kept = plan.at(table, variable, plan.STORED_AT);
  const weights = table + plan.head(table, plan.WEIGHTS);
  const mask = <T>-1 >>> <T>(8 * sizeof<T>() - load<u32>(variable));
  const shift: i64 = plan.head(table, plan.REACH);
  for (let j: u32 = 0; j < order; j++) {
    store<T>(history + <usize>j * sizeof<T>(), load<T>(kept + (<usize>j << 3)));
  }
  for (let i: u32 = 0; i < deltas; i++) {
    const before = history + <usize>i * sizeof<T>();
    let sum = load<i64>(weights);
    for (let j: u32 = 0; j < order; j++) {
      sum += <i64>load<i32>(weights + (<usize>j << 2), 8) * <i64>load<T>(before + <usize>j * sizeof<T>());
    }
    const latent = load<T>(latents + <usize>i * sizeof<T>()) + <T>(max<i64>(sum, 0) >> shift);
    store<T>(before + <usize>order * sizeof<T>(), latent & mask);
  }
  memory.copy(latents, history, <usize>count * sizeof<T>());
  for (let j: u32 = 0; j < order; j++) {
    store<T>(kept + (<usize>j << 3), load<T>(history + <usize>(count + j) * sizeof<T>()));
  }
}
