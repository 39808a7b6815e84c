/** The twins of assembly/filters-round-scale.ts and filters-unscale.ts, for all types; operands are aligned. */
import { rounderOf, roundToEven, scaleTile, unscaleTile } from "../arithmetic.js";
import { limitOf, type Misfit } from "../convert.js";
import type { IntegerType, NumberType } from "../number-type.js";
import { loadTile, storeTile, TILE } from "../tiles.js";

/** round((x - offset) * scale), calculated in the type of the source. */
export function roundScale(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: NumberType,
  offset: number | bigint,
  scale: number | bigint,
  misfit: Misfit,
): void {
  if (from.kind === "integer" && from.bits === 64 && isIntegral(offset) && isIntegral(scale)) {
    scaleExactly(target, to, source, from, BigInt(offset), BigInt(scale), misfit);
    return;
  }
  const round = rounderOf(from);
  forTiles(source, from, (tile, first, count) => {
    scaleTile(tile, count, Number(offset), Number(scale), round);
    for (let i = 0; i < count; i++) tile[i] = roundToEven(tile[i] ?? 0);
    if (to.kind === "integer") checkRange(tile, first, count, to, misfit);
    storeTile(to, target, first, count, tile);
  });
}

/** x / scale + offset, calculated in the type of the source; cut towards zero for an integer target, as numpy casts. */
export function unscale(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: NumberType,
  offset: number,
  scale: number,
  misfit: Misfit,
): void {
  const round = rounderOf(from);
  forTiles(source, from, (tile, first, count) => {
    unscaleTile(tile, count, offset, scale, round);
    if (to.kind === "integer") {
      for (let i = 0; i < count; i++) tile[i] = Math.trunc(tile[i] ?? 0);
      checkRange(tile, first, count, to, misfit);
    }
    storeTile(to, target, first, count, tile);
  });
}

const isIntegral = (value: number | bigint): boolean => typeof value === "bigint" || Number.isInteger(value);

function forTiles(
  source: Uint8Array,
  from: NumberType,
  run: (tile: Float64Array, first: number, count: number) => void,
): void {
  const elements = source.length / from.itemSize;
  const tile = new Float64Array(Math.min(elements, TILE));
  for (let first = 0; first < elements; first += TILE) {
    const count = Math.min(TILE, elements - first);
    loadTile(from, source, first, count, tile);
    run(tile, first, count);
  }
}

function checkRange(tile: Float64Array, first: number, count: number, to: IntegerType, misfit: Misfit): void {
  const minimum = Number(to.minimum);
  const limit = limitOf(to);
  for (let i = 0; i < count; i++) {
    const value = tile[i] ?? 0;
    if (value >= minimum && value < limit) continue;
    misfit(first + i, value);
    tile[i] = 0;
  }
}

function scaleExactly(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: IntegerType,
  offset: bigint,
  scale: bigint,
  misfit: Misfit,
): void {
  const { buffer, byteOffset, length } = source;
  const elements = from.signed
    ? new BigInt64Array(buffer, byteOffset, length / 8)
    : new BigUint64Array(buffer, byteOffset, length / 8);
  const tile = new Float64Array(1);
  elements.forEach((element, index) => {
    let value = (element - offset) * scale;
    if (to.kind === "integer" && (value < to.minimum || value > to.maximum)) {
      misfit(index, Number(value));
      value = 0n;
    }
    if (to.kind === "integer" && to.itemSize === 8) {
      new DataView(target.buffer, target.byteOffset).setBigUint64(8 * index, BigInt.asUintN(64, value), true);
    } else {
      tile[0] = Number(value);
      storeTile(to, target, index, 1, tile);
    }
  });
}
