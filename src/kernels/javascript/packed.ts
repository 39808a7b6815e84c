/** The fallback of assembly/packed.ts: gives the same bits for the same arguments, in ordinary memory. */
import { float64At, noItem, uint32At } from "../../base/at.js";
import type { FloatKind, IntegerKind, StoredKind } from "../number-kinds.js";

type Class = { readonly BYTES_PER_ELEMENT: number } & (new (
  buffer: ArrayBufferLike,
  byteOffset?: number,
  length?: number,
) => ViewOf<StoredKind>);

const CLASSES = {
  I8: Int8Array,
  U8: Uint8Array,
  I16: Int16Array,
  U16: Uint16Array,
  I32: Int32Array,
  U32: Uint32Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
  F32: Float32Array,
  F64: Float64Array,
} as const;

type ViewOf<Kind extends StoredKind> = InstanceType<(typeof CLASSES)[Kind]>;

/** Numbers over bytes at any address. Unaligned bytes are copied first; `finish` writes that copy back. */
function view<Kind extends StoredKind>(bytes: Uint8Array, kind: Kind): ViewOf<Kind>;
function view(bytes: Uint8Array, kind: StoredKind): ViewOf<StoredKind> {
  const Class: Class = CLASSES[kind];
  const length = bytes.length / Class.BYTES_PER_ELEMENT;
  return bytes.byteOffset % Class.BYTES_PER_ELEMENT === 0
    ? new Class(bytes.buffer, bytes.byteOffset, length)
    : new Class(bytes.slice().buffer);
}

/** Writes the copy back if `view` made one. */
function finish(target: Uint8Array, written: ViewOf<StoredKind>): void {
  if (written.buffer !== target.buffer) target.set(new Uint8Array(written.buffer));
}

const roundTo = (kind: FloatKind): ((value: number) => number) => (kind === "F32" ? Math.fround : Number);

/** The bits of a NaN are those of the constant: engines do not guarantee the bits of other NaNs. */
const plain = (value: number): number => (Number.isNaN(value) ? Number.NaN : value);

export function unpack(
  target: Uint8Array,
  to: FloatKind,
  source: Uint8Array,
  from: StoredKind,
  masks: Uint8Array,
  factor: number,
  shift: number,
): void {
  const out = view(target, to);
  const stored = view(source, from);
  const round = roundTo(to);
  const isLong = stored instanceof BigInt64Array || stored instanceof BigUint64Array;
  const [scale, offset] = [round(factor), round(shift)];
  const all = new Set<number | bigint>(view(masks, isLong ? from : to));
  for (let i = 0; i < stored.length; i++) {
    const value = stored[i] ?? noItem(stored, i);
    const unpacked = round(round(Number(value) * scale) + offset);
    out[i] = all.has(value) ? Number.NaN : plain(unpacked);
  }
  finish(target, out);
}

/** Rounds half to even. */
function nearest(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}

export function narrow(
  target: Uint8Array,
  to: IntegerKind,
  source: Uint8Array,
  from: FloatKind,
  missing: number,
  low: number,
  gain: number,
): void {
  const out = view(target, to);
  const values = view(source, from);
  const round = roundTo(from);
  const [start, perUnit] = [round(low), round(gain)];
  const bits = 8 * out.BYTES_PER_ELEMENT;
  const least = to.startsWith("I") ? -(2 ** (bits - 1)) : 0;
  const most = least + 2 ** bits - 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? noItem(values, i);
    const scaled = round(round(value - start) * perUnit);
    if (Number.isNaN(value)) out[i] = missing;
    else out[i] = scaled <= least ? least : scaled >= most ? most : nearest(scaled);
  }
  finish(target, out);
}

export function demote(target: Uint8Array, source: Uint8Array): void {
  const out = view(target, "F32");
  const values = view(source, "F64");
  for (let i = 0; i < values.length; i++) out[i] = plain(float64At(values, i));
  finish(target, out);
}

export function replaceNaN(target: Uint8Array, kind: FloatKind, value: number): void {
  const values = view(target, kind);
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = value;
  finish(target, values);
}

export function statistics(out: Uint8Array, source: Uint8Array, kind: FloatKind): void {
  const found = view(out, "F64");
  let [count = 0, low = 0, high = 0] = found;
  for (const value of view(source, kind)) {
    if (Number.isNaN(value)) continue;
    count++;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // Adding +0 makes -0 +0, as the kernel does.
  found.set([count, low + 0, high + 0]);
  finish(out, found);
}

export function histogram(
  counts: Uint8Array,
  source: Uint8Array,
  kind: FloatKind,
  low: number,
  high: number,
): void {
  const bins = view(counts, "U32");
  const perUnit = bins.length / (high - low);
  for (const value of view(source, kind)) {
    if (!(value >= low && value <= high)) continue;
    const bin = Math.min(Math.floor((value - low) * perUnit), bins.length - 1);
    bins[bin] = uint32At(bins, bin) + 1;
  }
  finish(counts, bins);
}
