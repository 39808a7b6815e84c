/**
 * Copies operands of the string kernels into WASM memory, in pieces or whole. Results are undefined if the
 * arena has no room.
 */
import { at } from "../base/at.js";
import type { KernelModule, Kernels } from "./kernels.js";

/** Bytes of an operand that are copied at once: three pieces fit into the second-level cache. */
export const PIECE = 128 * 1024;
/** Bytes after the last element that kernels may write and read. */
export const SLACK = 32;
/**
 * Arena bytes that the functions allocate. They make this room themselves, unless they are called inside of
 * other work.
 */
export const STRINGS_SCRATCH = 4 * (PIECE + 64) + 4096;

type Operand = Uint8Array | Int32Array | BigInt64Array;

export function bytesOf(array: Operand): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

export interface Piece {
  readonly bytes: Uint8Array;
  readonly pointer: number;
}

/** Runs kernels of `module` on operands anywhere. */
export class Pieces {
  readonly #kernels: Kernels;
  readonly #module: KernelModule;

  constructor(kernels: Kernels, module: KernelModule) {
    this.#kernels = kernels;
    this.#module = module;
  }

  /** Runs `work` with arena memory of these lengths; undefined if the arena has no room. */
  withPieces<Result>(lengths: readonly number[], work: (...pieces: Piece[]) => Result): Result | undefined {
    return this.#kernels.within(
      lengths.reduce((sum, length) => sum + length, 0),
      () => {
        const pieces = lengths.map((length) => {
          const bytes = this.#kernels.allocate(length);
          return { bytes, pointer: this.#module.pointer(bytes) };
        });
        const inside = pieces.filter((piece): piece is Piece => piece.pointer !== undefined);
        return inside.length === pieces.length ? work(...inside) : undefined;
      },
    );
  }

  /** Runs a running sum piece by piece: each piece begins with the last sum of the piece before. */
  runningSum(
    offsets: Int32Array,
    lengths: Int32Array,
    sum: (offsets: number, lengths: number, count: number) => number,
  ): boolean {
    const [target, source] = [bytesOf(offsets), bytesOf(lengths)];
    const whole = [this.#module.pointer(target), this.#module.pointer(source)];
    if (whole[0] !== undefined && whole[1] !== undefined) {
      sum(whole[0], whole[1], lengths.length);
      return true;
    }
    const perPiece = PIECE / 8;
    const done = this.withPieces([4 * (perPiece + 1), 4 * perPiece], (to, from) => {
      to.bytes.set(target.subarray(0, 4));
      for (let first = 0; first < lengths.length; first += perPiece) {
        const count = Math.min(perPiece, lengths.length - first);
        from.bytes.set(source.subarray(4 * first, 4 * (first + count)));
        sum(to.pointer, from.pointer, count);
        target.set(to.bytes.subarray(4, 4 * (count + 1)), 4 * (first + 1));
        to.bytes.copyWithin(0, 4 * count, 4 * (count + 1));
      }
      return true;
    });
    return done === true;
  }

  /** Runs `test` on overlapping pieces until it returns an index; undefined if the arena has no room. */
  search(
    source: Uint8Array,
    width: number,
    overlap: number,
    test: (pointer: number, entries: number) => number,
  ): number | undefined {
    const pointer = this.#module.pointer(source);
    const entries = source.length / width;
    if (pointer !== undefined) return test(pointer, entries);
    const perPiece = PIECE / width;
    return this.withPieces([PIECE], (piece) => {
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
   * Runs a conversion piece by piece; each entry of `source` becomes one entry of `target`.
   * @returns false if the arena has no room
   */
  convert(
    target: Int32Array | BigInt64Array,
    source: Int32Array | BigInt64Array,
    run: (target: number, source: number, count: number) => number,
  ): boolean {
    const [to, from] = [target.BYTES_PER_ELEMENT, source.BYTES_PER_ELEMENT];
    const [targetBytes, sourceBytes] = [bytesOf(target), bytesOf(source)];
    const perPiece = PIECE / 8;
    const count = Math.min(target.length, source.length);
    const done = this.withPieces([perPiece * to, perPiece * from], (targetPiece, sourcePiece) => {
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

  /** Copies operands that lie outside the arena into it, whole; undefined if there is no room. */
  resident<Result>(
    operands: readonly Operand[],
    room: number,
    work: (target: Piece, ...pointers: number[]) => Result,
  ): Result | undefined {
    const outside = operands.filter((operand) => this.#module.pointer(bytesOf(operand)) === undefined);
    return this.withPieces([room, ...outside.map(({ byteLength }) => byteLength)], (target, ...copies) => {
      let next = 0;
      const pointers = operands.map((operand) => {
        const bytes = bytesOf(operand);
        const pointer = this.#module.pointer(bytes);
        if (pointer !== undefined) return pointer;
        const copy = at(copies, next++);
        copy.bytes.set(bytes);
        return copy.pointer;
      });
      return work(target, ...pointers);
    });
  }
}

/**
 * Cuts elements into windows whose data and offsets fit into pieces. An element that is too long for a piece
 * is its own window.
 * @param perElement further bytes for each element
 */
export function* windows(
  offsets: Int32Array,
  perElement: number,
): Generator<readonly [first: number, end: number]> {
  const count = offsets.length - 1;
  const most = PIECE / 4 - 1;
  for (let first = 0; first < count; ) {
    const begin = at(offsets, first);
    let end = Math.min(first + most, count);
    const fits = (to: number): boolean =>
      at(offsets, to) - begin + perElement * (to - first) + SLACK <= PIECE;
    if (!fits(end)) {
      // Bisection: finds the last end that fits.
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

/** Whether a window is a single element that does not fit into a piece. */
export const isLarge = (offsets: Int32Array, first: number, end: number, perElement: number): boolean =>
  end - first === 1 && at(offsets, end) - at(offsets, first) + perElement + SLACK > PIECE;
