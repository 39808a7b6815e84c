/** Elements as numbers to compute with: those that are stored, or decoded by the CF conventions as wazarr/xarray decodes them. */
import { getOrthogonal } from "../array/fancy-indexing.js";
import { get } from "../array/get.js";
import type { ZarrArray } from "../array/nodes.js";
import { UnsupportedError } from "../errors.js";
import { isJsonObject } from "../metadata/json.js";
import { type Decoding, planDecoding } from "../xarray/decode.js";
import { isNumbers, type Numbers } from "../xarray/elements.js";
import { loadUnpacking } from "../xarray/packing.js";
import type { TaskBox } from "./boxes.js";
import type { TaskContext } from "./context.js";

/** How elements become numbers. @throws UnsupportedError for elements that are no numbers, InvalidMetadataError for attributes that do not say how to decode */
export function planNumbers(array: ZarrArray, decode: boolean): Decoding {
  const { path, dtype, attrs, fillValue, metadata } = array;
  const decoding = planDecoding({
    path,
    dtype,
    attributes: decode && isJsonObject(attrs) ? attrs : {},
    fill: decode && metadata.zarrFormat === 2 ? fillValue : undefined,
    timeUnit: "ns",
    isText: false,
  });
  if (!/^(u?int|float)\d+$/.test(decoding.dtype))
    throw new UnsupportedError(`expected numbers to reduce, got elements of ${decoding.dtype}`, { path });
  return decoding;
}

/** Reads a box. */
export async function readNumbers(
  array: ZarrArray,
  { start, shape }: TaskBox,
  decode: boolean,
  { signal, workers, concurrency }: TaskContext,
): Promise<Numbers> {
  const decoding = planNumbers(array, decode);
  const selection = start.map((index, d) => ({ start: index, stop: index + (shape[d] ?? 0), step: 1 }));
  const options = { signal, workers, concurrency };
  // `get` gives the element of an array without dimensions, and no data.
  const reading = shape.length === 0 ? getOrthogonal(array, [], options) : get(array, selection, options);
  const [{ data }, kernels] = await Promise.all([reading, loadUnpacking()]);
  const numbers = decoding.decode(data, shape, kernels);
  if (isNumbers(numbers)) return numbers;
  throw new UnsupportedError("expected numbers to reduce", { path: array.path });
}
