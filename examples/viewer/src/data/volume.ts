/** A volume of moderate size, as bytes between the ends of the colours. */
import { get, slice } from "wazarr";
import { cache, workers } from "../reading.js";
import type { Layer } from "./layers.js";

/** Elements that are read: 256 MiB of float32. */
const MOST = 1 << 26;
/** Elements along a side of what is drawn. */
const SIDE = 192;

export interface Volume {
  /** 0 for what has no value, and for the first colour. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Depth, height and width in elements of what is drawn. */
  readonly shape: readonly [depth: number, height: number, width: number];
  /** The lengths of the sides, the longest of which is 1. */
  readonly extent: readonly [depth: number, height: number, width: number];
}

type Three = readonly [number, number, number];

/**
 * Every second, third, ... element of the finest level, until each side is short enough.
 * @param dimensions the three that are not cut @param range stored values of both ends
 * @throws Error for a volume that is too large
 */
export async function readVolume(
  { levels: [array], missing }: Layer,
  dimensions: Three,
  indices: readonly number[],
  range: readonly [low: number, high: number],
  signal: AbortSignal,
): Promise<Volume> {
  if (!array) throw new Error("a layer without an array");
  const lengths = mapThree(dimensions, (d) => array.shape[d] ?? 1);
  const count = lengths[0] * lengths[1] * lengths[2];
  if (count > MOST)
    throw new Error(
      `this volume has ${count.toLocaleString("en")} elements, and a projection takes ${MOST.toLocaleString("en")} at most: look at three planes of it`,
    );
  const steps = mapThree(lengths, (length) => Math.max(1, Math.ceil(length / SIDE)));
  const selection = array.shape.map((length, d) => {
    const place = dimensions.indexOf(d);
    return place < 0 ? (indices[d] ?? 0) : slice(0, length, steps[place]);
  });
  const { data } = await get(array, selection, { as: "float32", cache, workers, signal });
  const shape = mapThree(lengths, (length, i) => Math.ceil(length / (steps[i] ?? 1)));
  const [low, high] = range;
  const bytes = new Uint8Array(data.length);
  for (const [i, value] of data.entries())
    if (!missing.includes(value))
      bytes[i] = Math.max(0, Math.min(255, (255 * (value - low)) / (high - low || 1)));
  const longest = Math.max(...lengths);
  return { data: bytes, shape, extent: mapThree(lengths, (length) => length / longest) };
}

const mapThree = ([a, b, c]: Three, of: (value: number, place: number) => number): Three => [
  of(a, 0),
  of(b, 1),
  of(c, 2),
];
