/** The WASM implementation of strings.ts: pieces of operands travel through the arena. Its kernels are in assembly/strings.ts. */
import { strings as twin } from "./javascript/strings.js";
import type { KernelModule, Kernels } from "./kernels.js";
import type { Strings } from "./strings.js";

/** Bytes of an operand that travel at once: with three of them, the second-level cache is not left. */
const PIECE = 128 * 1024;
/** What kernels write and read behind the last element. */
const SLACK = 32;
/** Arena memory that the functions take for themselves, for `kernels.begin`. */
export const STRINGS_SCRATCH = 4 * (PIECE + 64) + 4096;

type Operand = Uint8Array | Int32Array | BigInt64Array;

function bytesOf(array: Operand): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

interface Piece {
  readonly bytes: Uint8Array;
  readonly pointer: number;
}

export function createStrings(kernels: Kernels, module: KernelModule): Strings {
  const call = (name: string): ((...args: number[]) => number) => {
    const kernel = module.exports[name];
    if (kernel === undefined)
      throw new WebAssembly.LinkError(`expected a kernel module that exports ${name}`);
    return kernel;
  };
  const kernel = {
    lengthsToOffsets: call("lengthsToOffsets"),
    lengthsToOffsets64: call("lengthsToOffsets64"),
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

  /** Runs `work` with pieces of the arena of these lengths; undefined when it has no room for them. */
  function withPieces<Result>(
    lengths: readonly number[],
    work: (...pieces: Piece[]) => Result,
  ): Result | undefined {
    const mark = kernels.mark();
    try {
      const pieces = lengths.map((length) => {
        const bytes = kernels.allocate(length);
        return { bytes, pointer: module.pointer(bytes) };
      });
      const inside = pieces.filter((piece): piece is Piece => piece.pointer !== undefined);
      return inside.length === pieces.length ? work(...inside) : undefined;
    } finally {
      kernels.release(mark);
    }
  }

  /** Entries at a time of a running sum: the last one of a piece is where the next begins. */
  function runningSum(
    offsets: Int32Array | BigInt64Array,
    lengths: Int32Array,
    sum: (offsets: number, lengths: number, count: number) => number,
  ): boolean {
    const width = offsets.BYTES_PER_ELEMENT;
    const [target, source] = [bytesOf(offsets), bytesOf(lengths)];
    const whole = [module.pointer(target), module.pointer(source)];
    if (whole[0] !== undefined && whole[1] !== undefined) {
      sum(whole[0], whole[1], lengths.length);
      return true;
    }
    const perPiece = PIECE / 8;
    const done = withPieces([(perPiece + 1) * width, perPiece * 4], (to, from) => {
      to.bytes.set(target.subarray(0, width));
      for (let first = 0; first < lengths.length; first += perPiece) {
        const count = Math.min(perPiece, lengths.length - first);
        from.bytes.set(source.subarray(4 * first, 4 * (first + count)));
        sum(to.pointer, from.pointer, count);
        target.set(to.bytes.subarray(width, (count + 1) * width), (first + 1) * width);
        to.bytes.copyWithin(0, count * width, (count + 1) * width);
      }
      return true;
    });
    return done === true;
  }

  /** Runs `test` on overlapping pieces until it gives an index; undefined when the arena has no room. */
  function search(
    source: Uint8Array,
    width: number,
    overlap: number,
    test: (pointer: number, entries: number) => number,
  ): number | undefined {
    const pointer = module.pointer(source);
    const entries = source.length / width;
    if (pointer !== undefined) return test(pointer, entries);
    const perPiece = PIECE / width;
    return withPieces([PIECE], (piece) => {
      for (let first = 0; first + overlap < entries; first += perPiece - overlap) {
        const count = Math.min(perPiece, entries - first);
        piece.bytes.set(source.subarray(first * width, (first + count) * width));
        const found = test(piece.pointer, count);
        if (found >= 0) return first + found;
      }
      return -1;
    });
  }

  /**
   * Runs `convert` piece by piece, `from` entries of one array to as many of another.
   * @returns false when the arena has no room
   */
  function convert(
    target: Int32Array | BigInt64Array,
    source: Int32Array | BigInt64Array,
    run: (target: number, source: number, count: number) => number,
  ): boolean {
    const [to, from] = [target.BYTES_PER_ELEMENT, source.BYTES_PER_ELEMENT];
    const [targetBytes, sourceBytes] = [bytesOf(target), bytesOf(source)];
    const perPiece = PIECE / 8;
    const count = Math.min(target.length, source.length);
    const done = withPieces([perPiece * to, perPiece * from], (targetPiece, sourcePiece) => {
      for (let first = 0; first < count; first += perPiece) {
        const entries = Math.min(perPiece, count - first);
        sourcePiece.bytes.set(sourceBytes.subarray(first * from, (first + entries) * from));
        run(targetPiece.pointer, sourcePiece.pointer, entries);
        targetBytes.set(targetPiece.bytes.subarray(0, entries * to), first * to);
      }
      return true;
    });
    return done === true;
  }

  /**
   * Windows of elements whose data and offsets fit into pieces; an element that alone does not is a window of its own.
   * @param perElement further bytes that each element takes
   */
  function* windows(
    offsets: Int32Array,
    perElement: number,
  ): Generator<readonly [first: number, end: number]> {
    const count = offsets.length - 1;
    const most = PIECE / 4 - 1;
    for (let first = 0; first < count; ) {
      const begin = offsets[first] ?? 0;
      let end = Math.min(first + most, count);
      const fits = (to: number): boolean =>
        (offsets[to] ?? 0) - begin + perElement * (to - first) + SLACK <= PIECE;
      if (!fits(end)) {
        // Bisection: the last end that still fits.
        let low = first + 1;
        let high = end;
        while (low + 1 < high) {
          const middle = (low + high) >> 1;
          if (fits(middle)) low = middle;
          else high = middle;
        }
        end = low;
      }
      yield [first, end];
      first = end;
    }
  }

  const isLarge = (offsets: Int32Array, first: number, end: number, perElement: number): boolean =>
    end - first === 1 && (offsets[end] ?? 0) - (offsets[first] ?? 0) + perElement + SLACK > PIECE;

  function deinterleave(data: Uint8Array, offsets: Int32Array, source: Uint8Array): number | undefined {
    const count = offsets.length - 1;
    const offsetBytes = bytesOf(offsets);
    return withPieces([PIECE + SLACK, PIECE, PIECE], (to, ends, from) => {
      const entries = new Int32Array(ends.bytes.buffer, ends.bytes.byteOffset, PIECE / 4);
      let done = 0;
      let read = 0;
      while (done < count) {
        const piece = source.subarray(read, read + PIECE);
        from.bytes.set(piece);
        const most = Math.min(count - done, PIECE / 4 - 1);
        const begin = offsets[done] ?? 0;
        entries[0] = begin;
        const some = kernel.deinterleave(to.pointer, ends.pointer, from.pointer, piece.length, most);
        const length = (entries[some] ?? 0) - begin;
        if (length > data.length - begin) return done + twinRest(done, read);
        data.set(to.bytes.subarray(0, length), begin);
        offsetBytes.set(ends.bytes.subarray(4, 4 * (some + 1)), 4 * (done + 1));
        done += some;
        read += length + 4 * some;
        if (some === 0) {
          const one = twin.deinterleave(
            data.subarray(begin),
            offsets.subarray(done, done + 2),
            source.subarray(read),
          );
          if (one === 0) return done;
          const end = offsets[done + 1] ?? 0;
          offsets[done + 1] = begin + end;
          read += 4 + end;
          done++;
        }
      }
      return done;

      /** The twin stops exactly where the data end. */
      function twinRest(first: number, at: number): number {
        const base = offsets[first] ?? 0;
        const rest = new Int32Array(count - first + 1);
        const some = twin.deinterleave(data.subarray(base), rest, source.subarray(at));
        for (let i = 1; i <= some; i++) offsets[first + i] = base + (rest[i] ?? 0);
        return some;
      }
    });
  }

  function interleave(target: Uint8Array, data: Uint8Array, offsets: Int32Array): boolean {
    const offsetBytes = bytesOf(offsets);
    const base = offsets[0] ?? 0;
    const done = withPieces([PIECE + SLACK, PIECE, PIECE], (to, ends, from) => {
      for (const [first, end] of windows(offsets, 4)) {
        const [begin, stop] = [offsets[first] ?? 0, offsets[end] ?? 0];
        const at = begin - base + 4 * first;
        if (isLarge(offsets, first, end, 4)) {
          twin.interleave(target.subarray(at), data, offsets.subarray(first, end + 1));
          continue;
        }
        ends.bytes.set(offsetBytes.subarray(4 * first, 4 * (end + 1)));
        from.bytes.set(data.subarray(begin, stop));
        kernel.interleave(to.pointer, from.pointer, stop - begin, ends.pointer, end - first);
        target.set(to.bytes.subarray(0, stop - begin + 4 * (end - first)), at);
      }
      return true;
    });
    return done === true;
  }

  /** Copies what is not in the arena into it, whole; undefined when there is no room. */
  function resident<Result>(
    operands: readonly Operand[],
    room: number,
    work: (target: Piece, ...pointers: number[]) => Result,
  ): Result | undefined {
    const outside = operands.filter((operand) => module.pointer(bytesOf(operand)) === undefined);
    return withPieces([room, ...outside.map(({ byteLength }) => byteLength)], (target, ...copies) => {
      let next = 0;
      const pointers = operands.map((operand) => {
        const bytes = bytesOf(operand);
        const pointer = module.pointer(bytes);
        if (pointer !== undefined) return pointer;
        const copy = copies[next++];
        copy?.bytes.set(bytes);
        return copy?.pointer ?? 0;
      });
      return work(target, ...pointers);
    });
  }

  /** Text in windows; the index is of the whole column. */
  function utf16Offsets(target: Int32Array, data: Uint8Array, offsets: Int32Array): number | undefined {
    const [offsetBytes, targetBytes] = [bytesOf(offsets), bytesOf(target)];
    return withPieces([PIECE, PIECE, PIECE], (to, ends, from) => {
      for (const [first, end] of windows(offsets, 0)) {
        const [begin, stop] = [offsets[first] ?? 0, offsets[end] ?? 0];
        if (isLarge(offsets, first, end, 0)) {
          const found = twin.utf16Offsets(
            target.subarray(first, end + 1),
            data,
            offsets.subarray(first, end + 1),
          );
          if (found >= 0) return first;
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

  return {
    lengthsToOffsets(offsets, lengths) {
      if (!runningSum(offsets, lengths, kernel.lengthsToOffsets)) twin.lengthsToOffsets(offsets, lengths);
    },
    lengthsToOffsets64(offsets, lengths) {
      if (!runningSum(offsets, lengths, kernel.lengthsToOffsets64)) twin.lengthsToOffsets64(offsets, lengths);
    },
    offsetsToLengths(lengths, offsets) {
      const [to, from] = [bytesOf(lengths), bytesOf(offsets)];
      const done = withPieces([PIECE, PIECE + 16], (target, source) => {
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
      return done ?? twin.offsetsToLengths(lengths, offsets);
    },
    checkOffsets(offsets) {
      const width = offsets.BYTES_PER_ELEMENT;
      const wide = width === 8 ? 1 : 0;
      const test = (pointer: number, entries: number): number => kernel.checkOffsets(pointer, entries, wide);
      return search(bytesOf(offsets), width, 1, test) ?? twin.checkOffsets(offsets);
    },
    narrowOffsets(target, source) {
      if (!convert(target, source, kernel.narrowOffsets)) twin.narrowOffsets(target, source);
    },
    widenOffsets(target, source) {
      if (!convert(target, source, kernel.widenOffsets)) twin.widenOffsets(target, source);
    },
    deinterleave: (data, offsets, source) =>
      deinterleave(data, offsets, source) ?? twin.deinterleave(data, offsets, source),
    interleave(target, data, offsets) {
      if (!interleave(target, data, offsets)) twin.interleave(target, data, offsets);
    },
    gatherOffsets(target, offsets, indices) {
      const done = resident([offsets, indices], target.byteLength, (to, from, chosen) => {
        kernel.gatherOffsets(to.pointer, from, chosen, indices.length);
        bytesOf(target).set(to.bytes);
        return true;
      });
      if (done !== true) twin.gatherOffsets(target, offsets, indices);
    },
    gatherElements(target, data, offsets, indices) {
      const done = resident([data, offsets, indices], target.length + SLACK, (to, from, ends, chosen) => {
        kernel.gatherElements(to.pointer, from, data.length, ends, chosen, indices.length);
        target.set(to.bytes.subarray(0, target.length));
        return true;
      });
      if (done !== true) twin.gatherElements(target, data, offsets, indices);
    },
    isAscii(bytes) {
      const found = search(bytes, 1, 0, (pointer, length) => (kernel.isAscii(pointer, length) ? -1 : 0));
      return found === undefined ? twin.isAscii(bytes) : found < 0;
    },
    utf16Offsets: (target, data, offsets) =>
      utf16Offsets(target, data, offsets) ?? twin.utf16Offsets(target, data, offsets),
    utf8Offsets(target, text, lengths) {
      const done = resident([text, lengths], target.byteLength, (to, from, units) => {
        to.bytes.set(bytesOf(target).subarray(0, 4));
        const found = kernel.utf8Offsets(to.pointer, from, text.length, units, lengths.length);
        const right = found < 0 ? lengths.length : found;
        bytesOf(target).set(to.bytes.subarray(4, 4 * (right + 1)), 4);
        return found;
      });
      return done ?? twin.utf8Offsets(target, text, lengths);
    },
  };
}
