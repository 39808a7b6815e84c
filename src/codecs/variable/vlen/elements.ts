/** From encoded chunks of `zarrs.vlen` to columns and back. */
import { CodecError } from "../../../errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { STRINGS_SCRATCH, type Strings } from "../../../kernels/strings.js";
import type { AheadCodec, VariableCodec, VariableElements } from "../../codec.js";
import { concatenate } from "../../concatenate.js";
import { checkOffsets, columnOf, int32View, int64View, type PlainColumn, plain } from "../columns.js";
import type { Chain, ChainNow } from "./chain.js";
import { type IndexLocation, joinChunk, splitChunk } from "./parts.js";

export interface VlenLayout {
  /** Offsets in the index, one more than there are elements. */
  readonly entries: number;
  /** Bytes of an offset. */
  readonly width: 4 | 8;
  readonly location: IndexLocation;
  readonly strings: Strings;
}

const NOTHING = new Uint8Array(0);

/** Of chains that run at once. */
export function codecNow(layout: VlenLayout, index: ChainNow, data: ChainNow): VariableCodec {
  const { location } = layout;
  return {
    decode(bytes, kernels) {
      const parts = splitChunk(bytes, location);
      const offsets = readOffsets(layout, index.decode(parts.index, indexLength(layout), kernels));
      const byteLength = endOf(offsets);
      if (byteLength === 0 && parts.data.length === 0) return { offsets, data: NOTHING };
      return columnOfParts(offsets, data.decode(parts.data, byteLength, kernels));
    },
    encode(elements, kernels) {
      const mark = kernels.mark();
      const column = plain(layout.strings, columnOf(elements));
      // Encoding the data may take all of the arena.
      const encodedIndex = index.encode(writeOffsets(layout, column), kernels).slice();
      const encodedData = column.data.length === 0 ? NOTHING : data.encode(column.data, kernels);
      const whole = joinChunk(encodedIndex, encodedData, location);
      kernels.release(mark);
      return whole;
    },
  };
}

/**
 * Of chains that do not. Between the two halves lies a chunk that nothing is encoded in: the offsets as they are in memory,
 * and the data.
 */
export function codecAhead(
  layout: VlenLayout,
  index: Chain,
  data: Chain,
): { readonly variable: VariableCodec; readonly ahead: AheadCodec } {
  const { location } = layout;
  const dataStart = indexLength(layout);
  return {
    variable: {
      decode: (bytes) =>
        columnOfParts(readOffsets(layout, bytes.subarray(0, dataStart)), bytes.subarray(dataStart)),
      encode(elements: VariableElements) {
        const column = plain(layout.strings, columnOf(elements));
        return concatenate([writeOffsets(layout, column), column.data]);
      },
    },
    ahead: {
      async decode(bytes, kernels) {
        const parts = splitChunk(bytes, location);
        const stored = await index.decode(parts.index, dataStart, kernels);
        const byteLength = endOf(readOffsetsLater(layout, stored, kernels));
        const isNothing = byteLength === 0 && parts.data.length === 0;
        const decoded = isNothing ? NOTHING : await data.decode(parts.data, byteLength, kernels);
        return concatenate([stored, decoded]);
      },
      async encode(bytes, kernels) {
        const encodedIndex = await index.encode(bytes.subarray(0, dataStart), kernels);
        const elements = bytes.subarray(dataStart);
        const encodedData = elements.length === 0 ? NOTHING : await data.encode(elements, kernels);
        return joinChunk(encodedIndex, encodedData, location);
      },
    },
  };
}

/** Between awaits, when nothing is in the arena. */
export function readOffsetsLater(layout: VlenLayout, stored: Uint8Array, kernels: Kernels): Int32Array {
  kernels.begin(STRINGS_SCRATCH);
  return readOffsets(layout, stored);
}

export function indexLength({ entries, width }: VlenLayout): number {
  return entries * width;
}

/** @throws CodecError with the element for offsets that are none, or more than 2 GiB of data */
function readOffsets({ width, strings }: VlenLayout, stored: Uint8Array): Int32Array {
  const offsets = width === 8 ? int64View(stored) : int32View(stored);
  checkOffsets(strings, offsets, Number.MAX_SAFE_INTEGER);
  return plain(strings, { offsets, data: NOTHING }).offsets;
}

function writeOffsets({ width, strings }: VlenLayout, { offsets }: PlainColumn): Uint8Array {
  if (width === 4) return new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const wide = new BigInt64Array(offsets.length);
  strings.widenOffsets(wide, offsets);
  return new Uint8Array(wide.buffer);
}

function endOf(offsets: Int32Array): number {
  return offsets[offsets.length - 1] ?? 0;
}

function columnOfParts(offsets: Int32Array, data: Uint8Array): PlainColumn {
  const end = endOf(offsets);
  if (data.length === end) return { offsets, data };
  throw new CodecError(`expected ${end} bytes of data, as the last offset says, got ${data.length}`);
}
