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

/** Stores the bin of a latent, or the latent itself. */
@inline
function storeBin<T>(to: usize, i: usize, node: usize, table: usize, isLatent: bool): void {
  if (isLatent) store<T>(to + i * sizeof<T>(), load<T>(table + <usize>binOf(node) * (4 * sizeof<T>())));
  else store<u16>(to + 2 * i, binOf(node));
}

/**
 * Reads the bins of `count` latents.
 * @param to of bins, or of latents if each bin has one
 * @param table of bins
 * @param states has the four states
 */
@inline
function readBins<T>(to: usize, count: u32, table: usize, nodes: usize, states: usize, isLatent: bool): void {
  const address = place, size = isLatent ? sizeof<T>() : 2;
  let bit: usize = past;
  let a = load<u32>(states), b = load<u32>(states, 4), c = load<u32>(states, 8), d = load<u32>(states, 12);
  for (const end = to + <usize>(count & ~3) * size; to < end; to += 4 * size) {
    // Four times 14 bits and the 7 before them fit.
    const word = load<u64>(address + (bit >> 3));
    const nodeA = nodes + (<usize>a << 3), nodeB = nodes + (<usize>b << 3);
    const nodeC = nodes + (<usize>c << 3), nodeD = nodes + (<usize>d << 3);
    const atA = bit & 7, widthA = widthOf(nodeA), widthC = widthOf(nodeC), half = widthA + widthOf(nodeB);
    bit += half + (widthC + widthOf(nodeD));
    a = stateAfter(nodeA, word >> <u64>atA);
    b = stateAfter(nodeB, word >> <u64>(atA + widthA));
    c = stateAfter(nodeC, word >> <u64>(atA + half));
    d = stateAfter(nodeD, word >> <u64>(atA + half + widthC));
    storeBin<T>(to, 0, nodeA, table, isLatent);
    storeBin<T>(to, 1, nodeB, table, isLatent);
    storeBin<T>(to, 2, nodeC, table, isLatent);
    storeBin<T>(to, 3, nodeD, table, isLatent);
  }
  store<u32>(states, a);
  store<u32>(states, b, 4);
  store<u32>(states, c, 8);
  store<u32>(states, d, 12);
  for (const last = to + <usize>(count & 3) * size; to < last; to += size, states += 4) {
    const node = nodes + (<usize>load<u32>(states) << 3);
    storeBin<T>(to, 0, node, table, isLatent);
    store<u32>(states, stateAfter(node, load<u64>(address + (bit >> 3)) >> <u64>(bit & 7)));
    bit += widthOf(node);
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
}

// Functions of their own: engines find more registers for them than inside of others.
function readSymbols(to: usize, count: u32, nodes: usize, states: usize): void {
  readBins<u16>(to, count, 0, nodes, states, false);
}
function readLeasts32(to: usize, count: u32, table: usize, nodes: usize, states: usize): void {
  readBins<u32>(to, count, table, nodes, states, true);
}
function readLeasts64(to: usize, count: u32, table: usize, nodes: usize, states: usize): void {
  readBins<u64>(to, count, table, nodes, states, true);
}

// A bin: its least latent, the mask of its offsets, their width.

@inline
function binAt<T>(bins: usize, table: usize): usize {
  return table + <usize>load<u16>(bins) * (4 * sizeof<T>());
}

@inline
function offsetWidth<T>(bin: usize): u32 {
  return load<u32>(bin, 2 * sizeof<T>());
}

@inline
function storeLatent<T>(to: usize, bin: usize, word: u64): void {
  store<T>(to, load<T>(bin) + (<T>word & load<T>(bin, sizeof<T>())));
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
function readOffsets<T>(to: usize, bins: usize, count: u32, table: usize, isWide: bool): void {
  const address = place;
  let bit: usize = past;
  for (const end = bins + (<usize>count << 1); bins < end; bins += 2, to += sizeof<T>()) {
    const bin = binAt<T>(bins, table);
    const width = offsetWidth<T>(bin);
    storeLatent<T>(to, bin, isWide && width > PEEKED ? peekWide(address, bit) : peek(address, bit));
    bit += width;
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
}

/** The same for offsets of which two are in a word. */
@inline
function readPairs<T>(to: usize, bins: usize, count: u32, table: usize): void {
  const address = place;
  let bit: usize = past;
  for (const end = bins + (<usize>(count & ~1) << 1); bins < end; bins += 4, to += 2 * sizeof<T>()) {
    const first = binAt<T>(bins, table), second = binAt<T>(bins + 2, table);
    const word = peek(address, bit), width = offsetWidth<T>(first);
    storeLatent<T>(to, first, word);
    storeLatent<T>(to + sizeof<T>(), second, word >> <u64>width);
    bit += width + offsetWidth<T>(second);
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
  readOffsets<T>(to, bins, count & 1, table, false);
}

/** The same for offsets of which four are in a word. */
@inline
function readFours<T>(to: usize, bins: usize, count: u32, table: usize): void {
  const address = place;
  let bit: usize = past;
  for (const end = bins + (<usize>(count & ~3) << 1); bins < end; bins += 8, to += 4 * sizeof<T>()) {
    const first = binAt<T>(bins, table), second = binAt<T>(bins + 2, table);
    const third = binAt<T>(bins + 4, table), fourth = binAt<T>(bins + 6, table);
    const word = peek(address, bit);
    const one = offsetWidth<T>(first), two = one + offsetWidth<T>(second), three = two + offsetWidth<T>(third);
    storeLatent<T>(to, first, word);
    storeLatent<T>(to + sizeof<T>(), second, word >> <u64>one);
    storeLatent<T>(to + 2 * sizeof<T>(), third, word >> <u64>two);
    storeLatent<T>(to + 3 * sizeof<T>(), fourth, word >> <u64>three);
    bit += three + offsetWidth<T>(fourth);
  }
  place = address + (bit >> 3);
  past = <u32>bit & 7;
  readOffsets<T>(to, bins, count & 3, table, false);
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
  if (widest <= PEEKED / 4) readFours<T>(to, symbols, count, bins);
  else if (widest <= PEEKED / 2) readPairs<T>(to, symbols, count, bins);
  else if (widest <= PEEKED) readOffsets<T>(to, symbols, count, bins, false);
  else readOffsets<T>(to, symbols, count, bins, true);
}
