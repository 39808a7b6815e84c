/**
 * Kernels for elements of variable length: the WASM module `strings`, or its JavaScript fallback. Element i of a column
 * lies from offset i to offset i + 1 of its data. The caller checks the lengths of operands, and offsets from outside
 * (`checkOffsets`). Operands may lie in any memory: the kernels copy them into the arena in pieces.
 */
import { strings as fallback, type Strings } from "./javascript/strings.js";
import { exportOf, type KernelModule, type Kernels } from "./kernels.js";
import stringsModule from "./modules/strings.generated.js";
import { bytesOf, createPieces, isLarge, PIECE, SLACK, windows } from "./strings-pieces.js";

export type { Strings };

const loaded = new WeakMap<Kernels, Strings>();

/** Loads the module; afterwards `stringsOf` returns its functions. */
export async function loadStrings(kernels: Kernels): Promise<Strings> {
  const module = await kernels.loadModule("strings", stringsModule);
  const strings = loaded.get(kernels) ?? (module === undefined ? fallback : createStrings(kernels, module));
  loaded.set(kernels, strings);
  return strings;
}

/** The functions for these kernels; the fallback until `loadStrings` has loaded the module. */
export function stringsOf(kernels: Kernels): Strings {
  return loaded.get(kernels) ?? fallback;
}

/** The functions in WASM: the kernels are in assembly/strings.ts. */
function createStrings(kernels: Kernels, module: KernelModule): Strings {
  const { withPieces, runningSum, search, convert, resident } = createPieces(kernels, module);
  const call = (name: string) => exportOf(module, name);
  const kernel = {
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
        if (length > data.length - begin) return done + fallbackRest(done, read);
        data.set(to.bytes.subarray(0, length), begin);
        offsetBytes.set(ends.bytes.subarray(4, 4 * (some + 1)), 4 * (done + 1));
        done += some;
        read += length + 4 * some;
        if (some === 0) {
          const one = fallback.deinterleave(
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

      /** Finishes with the fallback, which stops exactly where `data` ends. */
      function fallbackRest(first: number, at: number): number {
        const base = offsets[first] ?? 0;
        const rest = new Int32Array(count - first + 1);
        const some = fallback.deinterleave(data.subarray(base), rest, source.subarray(at));
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
          fallback.interleave(target.subarray(at), data, offsets.subarray(first, end + 1));
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

  /** Works on windows of elements; returns the index in the whole column. */
  function utf16Offsets(target: Int32Array, data: Uint8Array, offsets: Int32Array): number | undefined {
    const [offsetBytes, targetBytes] = [bytesOf(offsets), bytesOf(target)];
    return withPieces([PIECE, PIECE, PIECE], (to, ends, from) => {
      for (const [first, end] of windows(offsets, 0)) {
        const [begin, stop] = [offsets[first] ?? 0, offsets[end] ?? 0];
        if (isLarge(offsets, first, end, 0)) {
          const found = fallback.utf16Offsets(
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
      if (!runningSum(offsets, lengths, kernel.lengthsToOffsets)) fallback.lengthsToOffsets(offsets, lengths);
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
      return done ?? fallback.offsetsToLengths(lengths, offsets);
    },
    checkOffsets(offsets) {
      const width = offsets.BYTES_PER_ELEMENT;
      const wide = width === 8 ? 1 : 0;
      const test = (pointer: number, entries: number): number => kernel.checkOffsets(pointer, entries, wide);
      return search(bytesOf(offsets), width, 1, test) ?? fallback.checkOffsets(offsets);
    },
    narrowOffsets(target, source) {
      if (!convert(target, source, kernel.narrowOffsets)) fallback.narrowOffsets(target, source);
    },
    widenOffsets(target, source) {
      if (!convert(target, source, kernel.widenOffsets)) fallback.widenOffsets(target, source);
    },
    deinterleave: (data, offsets, source) =>
      deinterleave(data, offsets, source) ?? fallback.deinterleave(data, offsets, source),
    interleave(target, data, offsets) {
      if (!interleave(target, data, offsets)) fallback.interleave(target, data, offsets);
    },
    gatherOffsets(target, offsets, indices) {
      const done = resident([offsets, indices], target.byteLength, (to, from, chosen) => {
        kernel.gatherOffsets(to.pointer, from, chosen, indices.length);
        bytesOf(target).set(to.bytes);
        return true;
      });
      if (done !== true) fallback.gatherOffsets(target, offsets, indices);
    },
    gatherElements(target, data, offsets, indices) {
      const done = resident([data, offsets, indices], target.length + SLACK, (to, from, ends, chosen) => {
        kernel.gatherElements(to.pointer, from, data.length, ends, chosen, indices.length);
        target.set(to.bytes.subarray(0, target.length));
        return true;
      });
      if (done !== true) fallback.gatherElements(target, data, offsets, indices);
    },
    isAscii(bytes) {
      const found = search(bytes, 1, 0, (pointer, length) => (kernel.isAscii(pointer, length) ? -1 : 0));
      return found === undefined ? fallback.isAscii(bytes) : found < 0;
    },
    utf16Offsets: (target, data, offsets) =>
      utf16Offsets(target, data, offsets) ?? fallback.utf16Offsets(target, data, offsets),
    utf8Offsets(target, text, lengths) {
      const done = resident([text, lengths], target.byteLength, (to, from, units) => {
        to.bytes.set(bytesOf(target).subarray(0, 4));
        const found = kernel.utf8Offsets(to.pointer, from, text.length, units, lengths.length);
        const right = found < 0 ? lengths.length : found;
        bytesOf(target).set(to.bytes.subarray(4, 4 * (right + 1)), 4);
        return found;
      });
      return done ?? fallback.utf8Offsets(target, text, lengths);
    },
  };
}
