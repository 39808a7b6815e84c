// Bins of latents, entropy-coded by four interleaved state machines (tANS), and offsets in these bins. Bits
// come from the lowest of a byte on. Reads reach some 2.5 KB beyond the source: what was read counts only if
// `reached` is not after the end.
import * as plan from "./pcodec-plan";

/** The place at which reading continues: the address of a byte, and how many of its lowest bits are read. */
let place: usize = 0;
let past: u32 = 0;

export function seek(address: usize): void {
  place = address;
  past = 0;
}

/** The address after the last byte of which a bit was read. */
export function reached(): usize {
  return place + ((past + 7) >> 3);
}

/** Whether the bits that are left of the last byte are zeros. */
export function isPadded(): bool {
  return (past & 7) == 0 || <u32>load<u8>(place + (past >> 3)) >> (past & 7) == 0;
}

// A state of the decoder: how many bits it reads, their mask, the next state if they are 0, the bin. Four
// loads are fewer instructions than one and shifts.

@inline
function widthOf(node: usize): u32 {
  return load<u8>(node);
}

@inline
function stateAfter(node: usize, word: u64): u32 {
  return <u32>load<u16>(node, 4) + (<u32>word & load<u16>(node, 2));
}

@inline
function binOf(node: usize): u16 {
  return load<u16>(node, 6);
}

/** The bin of a latent, or the latent itself if each bin has one. */
@inline
function symbolOf<S>(node: usize, table: usize): S {
  return sizeof<S>() == 2 ? <S>binOf(node) : load<S>(table + <usize>binOf(node) * (4 * sizeof<S>()));
}

/**
 * Reads the bins of `count` latents.
 * @param S u16 for bins, or the type of latents, of which each bin has one
 * @param table of bins, for latents
 * @param states has the four states
 */
@inline
function readBins<S>(to: usize, count: u32, table: usize, nodes: usize, states: usize): void {
  let address = place, at = past;
  let a = load<u32>(states), b = load<u32>(states, 4), c = load<u32>(states, 8), d = load<u32>(states, 12);
  for (const end = to + <usize>(count & ~3) * sizeof<S>(); to < end; to += 4 * sizeof<S>()) {
    // Four times 14 bits and the 7 before them fit. Each state is stored at once: else engines calculate all
    // of them at the end, and have no registers for what that takes.
    const word = load<u64>(address);
    const nodeA = nodes + (<usize>a << 3);
    store<S>(to, symbolOf<S>(nodeA, table));
    store<u32>(states, a = stateAfter(nodeA, word >> <u64>at));
    at += widthOf(nodeA);
    const nodeB = nodes + (<usize>b << 3);
    store<S>(to, symbolOf<S>(nodeB, table), sizeof<S>());
    store<u32>(states, b = stateAfter(nodeB, word >> <u64>at), 4);
    at += widthOf(nodeB);
    const nodeC = nodes + (<usize>c << 3);
    store<S>(to, symbolOf<S>(nodeC, table), 2 * sizeof<S>());
    store<u32>(states, c = stateAfter(nodeC, word >> <u64>at), 8);
    at += widthOf(nodeC);
    const nodeD = nodes + (<usize>d << 3);
    store<S>(to, symbolOf<S>(nodeD, table), 3 * sizeof<S>());
    store<u32>(states, d = stateAfter(nodeD, word >> <u64>at), 12);
    at += widthOf(nodeD);
    address += at >> 3;
    at &= 7;
  }
  for (const last = to + <usize>(count & 3) * sizeof<S>(); to < last; to += sizeof<S>(), states += 4) {
    const node = nodes + (<usize>load<u32>(states) << 3);
    store<S>(to, symbolOf<S>(node, table));
    store<u32>(states, stateAfter(node, load<u64>(address) >> <u64>at));
    at += widthOf(node);
    address += at >> 3;
    at &= 7;
  }
  place = address;
  past = at;
}

// Functions of their own: engines find more registers for them than inside of others.
function readSymbols(to: usize, count: u32, nodes: usize, states: usize): void {
  readBins<u16>(to, count, 0, nodes, states);
}
function readLeasts32(to: usize, count: u32, table: usize, nodes: usize, states: usize): void {
  readBins<u32>(to, count, table, nodes, states);
}
function readLeasts64(to: usize, count: u32, table: usize, nodes: usize, states: usize): void {
  readBins<u64>(to, count, table, nodes, states);
}

// A bin: its least latent, the mask of its offsets, their width.

@inline
function binAt<T>(bin: u16, table: usize): usize {
  return table + <usize>bin * (4 * sizeof<T>());
}

@inline
function offsetWidth<T>(bin: usize): u32 {
  return load<u32>(bin, 2 * sizeof<T>());
}

@inline
function latentOf<T>(bin: usize, word: u64): T {
  return load<T>(bin) + (<T>word & load<T>(bin, sizeof<T>()));
}

/** The bits from `bit` on, at the bottom of the word: `PEEKED` at least. */
@inline
function peek(address: usize, bit: usize): u64 {
  return load<u64>(address + (bit >> 3)) >> <u64>(bit & 7);
}

const PEEKED: u32 = 57;

/** The same for all 64 bits. */
@inline
function peekWide(address: usize, bit: usize): u64 {
  return peek(address, bit) | ((<u64>load<u8>(address + (bit >> 3), 8) << 1) << <u64>(63 - (bit & 7)));
}

/** Latents whose bins are read, `count` of them. */
@inline
function readOffsets<T>(to: usize, bins: usize, count: u32, table: usize): void {
  const address = place;
  let bit: usize = past;
  for (const end = bins + (<usize>count << 1); bins < end; bins += 2, to += sizeof<T>()) {
    const bin = binAt<T>(load<u16>(bins), table), width = offsetWidth<T>(bin);
    store<T>(to, latentOf<T>(bin, width > PEEKED ? peekWide(address, bit) : peek(address, bit)));
    bit += width;
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
}

/** The same for offsets of which `most` are in a word, 1, 2 or 4, and `count` a multiple of 4. */
@inline
function readFours<T>(to: usize, bins: usize, count: u32, table: usize, most: u32): void {
  const address = place;
  let bit: usize = past;
  for (const end = bins + (<usize>count << 1); bins < end; bins += 8, to += 4 * sizeof<T>()) {
    let word = peek(address, bit);
    const first = binAt<T>(load<u16>(bins), table);
    store<T>(to, latentOf<T>(first, word));
    bit += offsetWidth<T>(first);
    word = most > 1 ? word >> <u64>offsetWidth<T>(first) : peek(address, bit);
    const second = binAt<T>(load<u16>(bins, 2), table);
    store<T>(to, latentOf<T>(second, word), sizeof<T>());
    bit += offsetWidth<T>(second);
    word = most > 2 ? word >> <u64>offsetWidth<T>(second) : peek(address, bit);
    const third = binAt<T>(load<u16>(bins, 4), table);
    store<T>(to, latentOf<T>(third, word), 2 * sizeof<T>());
    bit += offsetWidth<T>(third);
    word = most > 1 ? word >> <u64>offsetWidth<T>(third) : peek(address, bit);
    const fourth = binAt<T>(load<u16>(bins, 6), table);
    store<T>(to, latentOf<T>(fourth, word), 3 * sizeof<T>());
    bit += offsetWidth<T>(fourth);
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
}

/** Latents of the only bin. */
@inline
function readOnlyBin<T>(to: usize, count: u32, bin: usize): void {
  const least = load<T>(bin), mask = load<T>(bin, sizeof<T>());
  const width = offsetWidth<T>(bin);
  const end = to + <usize>count * sizeof<T>();
  const address = place;
  let bit: usize = past;
  if (width == 0) {
    for (; to < end; to += sizeof<T>()) store<T>(to, least);
  } else if (width <= PEEKED) {
    for (; to < end; to += sizeof<T>(), bit += width) store<T>(to, least + (<T>peek(address, bit) & mask));
  } else {
    for (; to < end; to += sizeof<T>(), bit += width) store<T>(to, least + (<T>peekWide(address, bit) & mask));
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
}

/** Whether all latents of a variable are one. */
@inline
export function isConstant<T>(table: usize, variable: usize): bool {
  return load<u32>(variable, plan.BIN_COUNT) == 1 && offsetWidth<T>(plan.at(table, variable, plan.BINS)) == 0;
}

/** Reads `count` latents of variable `v` to its batch, before deltas. */
@inline
export function readLatents<T>(table: usize, v: u32, count: u32): void {
  if (count == 0) return;
  const variable = plan.variable(table, v);
  const to = plan.batch<T>(table, v), bins = plan.at(table, variable, plan.BINS);
  if (load<u32>(variable, plan.BIN_COUNT) == 1) {
    readOnlyBin<T>(to, count, bins);
    return;
  }
  const symbols = plan.symbols(table), nodes = plan.at(table, variable, plan.NODES), states = variable + plan.STATES;
  const widest = load<u32>(variable, plan.WIDEST);
  if (widest == 0) {
    if (sizeof<T>() == 8) readLeasts64(to, count, bins, nodes, states);
    else readLeasts32(to, count, bins, nodes, states);
    return;
  }
  readSymbols(symbols, count, nodes, states);
  const fours = widest <= PEEKED ? count & ~3 : 0;
  if (widest <= PEEKED / 4) readFours<T>(to, symbols, fours, bins, 4);
  else if (widest <= PEEKED / 2) readFours<T>(to, symbols, fours, bins, 2);
  else readFours<T>(to, symbols, fours, bins, 1);
  readOffsets<T>(to + <usize>fours * sizeof<T>(), symbols + (<usize>fours << 1), count - fours, bins);
}
