/** The twin of `quantize` in assembly/filters-affine.ts, for every width. */
import { rounderOf, roundToEven } from "../arithmetic.js";
import type { FloatType } from "../number-type.js";
import { loadTile, storeTile, TILE, words } from "../tiles.js";

/** Operands are aligned. What the scale makes infinite is a multiple already, and NaN has none: both stay as they are, bit for bit. */
export function quantize(type: FloatType, target: Uint8Array, source: Uint8Array, factor: number): void {
  if (type.bits === 64) quantize64(target, source, factor);
  else if (type.format === undefined) quantize32(target, source, Math.fround(factor));
  else quantizeSmall(type, target, source, factor);
}

function quantize32(target: Uint8Array, source: Uint8Array, factor: number): void {
  const from = new Float32Array(source.buffer, source.byteOffset, source.length / 4);
  const to = new Float32Array(target.buffer, target.byteOffset, from.length);
  const [fromWords, toWords] = [words(source), words(target)];
  for (let i = 0; i < from.length; i++) {
    const scaled = Math.fround((from[i] ?? 0) * factor);
    if (Math.abs(scaled) < Number.POSITIVE_INFINITY) to[i] = roundToEven(scaled) / factor;
    else toWords[i] = fromWords[i] ?? 0;
  }
}

function quantize64(target: Uint8Array, source: Uint8Array, factor: number): void {
  const from = new Float64Array(source.buffer, source.byteOffset, source.length / 8);
  const to = new Float64Array(target.buffer, target.byteOffset, from.length);
  const [fromWords, toWords] = [words(source), words(target)];
  for (let i = 0; i < from.length; i++) {
    const scaled = (from[i] ?? 0) * factor;
    if (Math.abs(scaled) < Number.POSITIVE_INFINITY) to[i] = roundToEven(scaled) / factor;
    else {
      toWords[2 * i] = fromWords[2 * i] ?? 0;
      toWords[2 * i + 1] = fromWords[2 * i + 1] ?? 0;
    }
  }
}

function quantizeSmall(type: FloatType, target: Uint8Array, source: Uint8Array, factor: number): void {
  const round = rounderOf(type);
  const rounded = round(factor);
  const elements = source.length / type.itemSize;
  const tile = new Float64Array(Math.min(elements, TILE));
  for (let first = 0; first < elements; first += TILE) {
    const count = Math.min(TILE, elements - first);
    loadTile(type, source, first, count, tile);
    for (let i = 0; i < count; i++) {
      const scaled = round((tile[i] ?? 0) * rounded);
      if (Math.abs(scaled) < Number.POSITIVE_INFINITY) tile[i] = round(roundToEven(scaled) / rounded);
    }
    storeTile(type, target, first, count, tile);
  }
}
