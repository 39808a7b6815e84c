/**
 * Kernels for elements of variable length in WASM (assembly/strings.ts). They copy operands into the arena in
 * pieces; if it has no room, or for an element that is longer than a piece, the fallback does the work. A
 * function here returns undefined, or false, if there was no room.
 */
import { at } from "../base/at.js";
import { strings as fallback } from "./javascript/strings.js";
import { exportOf, type KernelModule, type Kernels } from "./kernels.js";
import type { Strings } from "./strings-kernels.js";
import { bytesOf, isLarge, PIECE, Pieces, SLACK, windows } from "./strings-pieces.js";

/** The exports of the module, and how they get at operands. */
interface Module {
  readonly pieces: Pieces;
  readonly kernel: ReturnType<typeof exportsOf>;
}

export function createStrings(kernels: Kernels, module: KernelModule): Strings {
  const instance: Module = { pieces: new Pieces(kernels, module), kernel: exportsOf(module) };
  const { kernel, pieces } = instance;
  return {
    lengthsToOffsets(offsets, lengths) {
      if (!pieces.runningSum(offsets, lengths, kernel.lengthsToOffsets))
        fallback.lengthsToOffsets(offsets, lengths);
    },
    offsetsToLengths: (lengths, offsets) =>
      offsetsToLengths(instance, lengths, offsets) ?? fallback.offsetsToLengths(lengths, offsets),
    checkOffsets: (offsets) => checkOffsets(instance, offsets) ?? fallback.checkOffsets(offsets),
    narrowOffsets(target, source) {
      if (!pieces.convert(target, source, kernel.narrowOffsets)) fallback.narrowOffsets(target, source);
    },
    widenOffsets(target, source) {
      if (!pieces.convert(target, source, kernel.widenOffsets)) fallback.widenOffsets(target, source);
    },
    deinterleave: (data, offsets, source) =>
      deinterleave(instance, data, offsets, source) ?? fallback.deinterleave(data, offsets, source),
    interleave(target, data, offsets) {
      if (!interleave(instance, target, data, offsets)) fallback.interleave(target, data, offsets);
    },
    gatherOffsets(target, offsets, indices) {
      if (!gatherOffsets(instance, target, offsets, indices))
        fallback.gatherOffsets(target, offsets, indices);
    },
    gatherElements(target, data, offsets, indices) {
      if (!gatherElements(instance, target, data, offsets, indices))
        fallback.gatherElements(target, data, offsets, indices);
    },
    isAscii: (bytes) => isAscii(instance, bytes) ?? fallback.isAscii(bytes),
    utf16Offsets: (target, data, offsets) =>
      utf16Offsets(instance, target, data, offsets) ?? fallback.utf16Offsets(target, data, offsets),
    utf8Offsets: (target, text, lengths) =>
      utf8Offsets(instance, target, text, lengths) ?? fallback.utf8Offsets(target, text, lengths),
  };
}

function exportsOf(module: KernelModule) {
  const call = (name: string) => exportOf(module, name);
  return {
    lengthsToOffsets: call("lengthsToOffsets"),
    offsetsToLengths: call("offsetsToLengths"),
    checkOffsets: call("checkOffsets"),
    narrowOffsets: call("narrowOffsets"),
    widenOffsets: call("widenOffsets"),
    deinterleave: call("deinterleave"),
    interleave: call("interleave"),
    gatherOffsets: call("gatherOffsets"),
    gatherElements: call("gatherElements"),
    isAscii: call("isAscii"),
    utf16Offsets: call("utf16Offsets"),
    utf8Offsets: call("utf8Offsets"),
  };
}

function offsetsToLengths(
  { pieces, kernel }: Module,
  lengths: Int32Array,
  offsets: Int32Array,
): number | undefined {
  const [to, from] = [bytesOf(lengths), bytesOf(offsets)];
  return pieces.withPieces([PIECE, PIECE + 16], (target, source) => {
    for (let first = 0; first < lengths.length; first += PIECE / 4) {
      const count = Math.min(PIECE / 4, lengths.length - first);
      source.bytes.set(from.subarray(4 * first, 4 * (first + count + 1)));
      const found = kernel.offsetsToLengths(target.pointer, source.pointer, count);
      const right = found < 0 ? count : found;
      to.set(target.bytes.subarray(0, 4 * right), 4 * first);
      if (found >= 0) return first + found;
    }
    return -1;
  });
}

function checkOffsets({ pieces, kernel }: Module, offsets: Int32Array | BigInt64Array): number | undefined {
  const width = offsets.BYTES_PER_ELEMENT;
  const wide = width === 8 ? 1 : 0;
  const test = (pointer: number, entries: number): number => kernel.checkOffsets(pointer, entries, wide);
  return pieces.search(bytesOf(offsets), width, 1, test);
}

function deinterleave(
  { pieces, kernel }: Module,
  data: Uint8Array,
  offsets: Int32Array,
  source: Uint8Array,
): number | undefined {
  const count = offsets.length - 1;
  const offsetBytes = bytesOf(offsets);
  return pieces.withPieces([PIECE + SLACK, PIECE, PIECE], (to, ends, from) => {
    const entries = new Int32Array(ends.bytes.buffer, ends.bytes.byteOffset, PIECE / 4);
    let done = 0;
    let read = 0;
    while (done < count) {
      const piece = source.subarray(read, read + PIECE);
      from.bytes.set(piece);
      const most = Math.min(count - done, PIECE / 4 - 1);
      const begin = at(offsets, done);
      entries[0] = begin;
      const some = kernel.deinterleave(to.pointer, ends.pointer, from.pointer, piece.length, most);
      const length = at(entries, some) - begin;
      // The fallback stops exactly where `data` ends.
      if (length > data.length - begin)
        return done + deinterleaveFrom(data, offsets.subarray(done), source.subarray(read));
      data.set(to.bytes.subarray(0, length), begin);
      offsetBytes.set(ends.bytes.subarray(4, 4 * (some + 1)), 4 * (done + 1));
      done += some;
      read += length + 4 * some;
      if (some === 0) {
        const next = offsets.subarray(done, done + 2);
        if (deinterleaveFrom(data, next, source.subarray(read)) === 0) return done;
        read += 4 + at(next, 1) - begin;
        done++;
      }
    }
    return done;
  });
}

/** The fallback of `deinterleave`, for offsets whose first entry is given and need not be 0. */
function deinterleaveFrom(data: Uint8Array, offsets: Int32Array, source: Uint8Array): number {
  const base = at(offsets, 0);
  const rebased = new Int32Array(offsets.length);
  const some = fallback.deinterleave(data.subarray(base), rebased, source);
  for (const [i, offset] of rebased.subarray(1, some + 1).entries()) offsets[i + 1] = base + offset;
  return some;
}

function interleave(
  { pieces, kernel }: Module,
  target: Uint8Array,
  data: Uint8Array,
  offsets: Int32Array,
): boolean {
  const offsetBytes = bytesOf(offsets);
  const base = at(offsets, 0);
  const done = pieces.withPieces([PIECE + SLACK, PIECE, PIECE], (to, ends, from) => {
    for (const [first, end] of windows(offsets, 4)) {
      const [begin, stop] = [at(offsets, first), at(offsets, end)];
      const start = begin - base + 4 * first;
      if (isLarge(offsets, first, end, 4)) {
        fallback.interleave(target.subarray(start), data, offsets.subarray(first, end + 1));
        continue;
      }
      ends.bytes.set(offsetBytes.subarray(4 * first, 4 * (end + 1)));
      from.bytes.set(data.subarray(begin, stop));
      kernel.interleave(to.pointer, from.pointer, stop - begin, ends.pointer, end - first);
      target.set(to.bytes.subarray(0, stop - begin + 4 * (end - first)), start);
    }
    return true;
  });
  return done === true;
}

function gatherOffsets(
  { pieces, kernel }: Module,
  target: Int32Array,
  offsets: Int32Array,
  indices: Int32Array,
): boolean {
  const done = pieces.resident([offsets, indices], target.byteLength, (to, from, chosen) => {
    kernel.gatherOffsets(to.pointer, from, chosen, indices.length);
    bytesOf(target).set(to.bytes);
    return true;
  });
  return done === true;
}

function gatherElements(
  { pieces, kernel }: Module,
  target: Uint8Array,
  data: Uint8Array,
  offsets: Int32Array,
  indices: Int32Array,
): boolean {
  const done = pieces.resident([data, offsets, indices], target.length + SLACK, (to, from, ends, chosen) => {
    kernel.gatherElements(to.pointer, from, data.length, ends, chosen, indices.length);
    target.set(to.bytes.subarray(0, target.length));
    return true;
  });
  return done === true;
}

function isAscii({ pieces, kernel }: Module, bytes: Uint8Array): boolean | undefined {
  const found = pieces.search(bytes, 1, 0, (pointer, length) => (kernel.isAscii(pointer, length) ? -1 : 0));
  return found === undefined ? undefined : found < 0;
}

/** Works on windows of elements; returns the index in the whole column. */
function utf16Offsets(
  { pieces, kernel }: Module,
  target: Int32Array,
  data: Uint8Array,
  offsets: Int32Array,
): number | undefined {
  const [offsetBytes, targetBytes] = [bytesOf(offsets), bytesOf(target)];
  return pieces.withPieces([PIECE, PIECE, PIECE], (to, ends, from) => {
    for (const [first, end] of windows(offsets, 0)) {
      const [begin, stop] = [at(offsets, first), at(offsets, end)];
      if (isLarge(offsets, first, end, 0)) {
        const [some, rebased] = [target.subarray(first, end + 1), offsets.subarray(first, end + 1)];
        if (fallback.utf16Offsets(some, data, rebased) >= 0) return first;
        continue;
      }
      to.bytes.set(targetBytes.subarray(4 * first, 4 * first + 4));
      ends.bytes.set(offsetBytes.subarray(4 * first, 4 * (end + 1)));
      from.bytes.set(data.subarray(begin, stop));
      const found = kernel.utf16Offsets(to.pointer, from.pointer, ends.pointer, end - first);
      const right = found < 0 ? end - first : found;
      targetBytes.set(to.bytes.subarray(4, 4 * (right + 1)), 4 * (first + 1));
      if (found >= 0) return first + found;
    }
    return -1;
  });
}

function utf8Offsets(
  { pieces, kernel }: Module,
  target: Int32Array,
  text: Uint8Array,
  lengths: Int32Array,
): number | undefined {
  return pieces.resident([text, lengths], target.byteLength, (to, from, units) => {
    to.bytes.set(bytesOf(target).subarray(0, 4));
    const found = kernel.utf8Offsets(to.pointer, from, text.length, units, lengths.length);
    const right = found < 0 ? lengths.length : found;
    bytesOf(target).set(to.bytes.subarray(4, 4 * (right + 1)), 4);
    return found;
  });
}
