/** The levels of an image to write: their arrays, and the `multiscales` metadata with their transformations. */
import type { Box } from "../array/chunk-walk.js";
import { type CreateArrayOptions, create } from "../array/create.js";
import { get } from "../array/get.js";
import type { Group, Location, ZarrArray } from "../array/nodes.js";
import type { DataTypeName } from "../data-types/names.js";
import { describe, InvalidArgumentError, UnsupportedError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { WritableStore } from "../stores/store.js";
import { type AxisOption, byAxis, checkAxes, checkFactors } from "./axes.js";
import { downsample, loadDownsampling } from "./downsample.js";
import { type DownsamplingMethod, isSamples, type Samples } from "./downsample-rows.js";

/** How an image of several resolutions is stored. */
export interface MultiscaleOptions
  extends Pick<CreateArrayOptions<DataTypeName>, "chunkShape" | "shards" | "codecs"> {
  /** One axis per dimension, in the order time, channel, space: `["c", "y", "x"]`, or objects with `type` and `unit`. */
  readonly axes: readonly AxisOption[];
  /** Factor of each further level relative to the first: for the last two axes, or by axis name, `{ z: 2, y: 4, x: 4 }`. Default: [2, 4]. */
  readonly scaleFactors?: readonly (number | Readonly<Record<string, number>>)[] | undefined;
  /** Default: "mean". Use "mode" or "nearest" for labels. */
  readonly method?: DownsamplingMethod | undefined;
  /** Pixel size of the first level by axis name, in units of the axes. Default: 1. */
  readonly pixelSize?: Readonly<Record<string, number>> | undefined;
  readonly name?: string | undefined;
  /** Default: "0.5", which is stored in Zarr v3. "0.4" is stored in v2. */
  readonly version?: "0.4" | "0.5" | undefined;
}

/** Data types that can be down-sampled. */
const SAMPLE_TYPES = [
  "int8",
  "uint8",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "float32",
  "float64",
] as const;
export type SampleType = (typeof SAMPLE_TYPES)[number];

const METHODS: readonly DownsamplingMethod[] = ["mean", "mode", "nearest"];

/** Shape of one level, and its ratio to the level before. */
interface LevelPlan {
  readonly shape: readonly number[];
  /** Length of a block of the level before that becomes one element, along each dimension; 1 for the first level. */
  readonly ratio: readonly number[];
}

export interface MultiscalePlan {
  readonly dtype: SampleType;
  readonly method: DownsamplingMethod;
  readonly levels: readonly LevelPlan[];
  readonly zarrFormat: 2 | 3;
  readonly axisNames: readonly string[];
  /** Attributes of the group. */
  readonly attributes: JsonObject;
  readonly options: MultiscaleOptions;
}

/**
 * @param dtype data type of the source
 * @throws InvalidArgumentError, UnsupportedError for a data type without numbers
 */
export function planLevels(
  shape: readonly number[],
  dtype: string,
  options: MultiscaleOptions,
): MultiscalePlan {
  const { version = "0.5", method = "mean", scaleFactors = [2, 4], name } = options;
  if (version !== "0.5" && version !== "0.4")
    throw new InvalidArgumentError(`version: expected "0.4" or "0.5", got ${describe(version)}`);
  if (!METHODS.includes(method))
    throw new InvalidArgumentError(`method: expected "mean", "mode" or "nearest", got ${describe(method)}`);
  const axes = checkAxes(options.axes, shape.length);
  const pixelSize = byAxis(
    options.pixelSize ?? {},
    axes,
    "pixelSize",
    (size) => Number.isFinite(size) && size > 0,
  );
  const factors = checkFactors(scaleFactors, axes);
  const type = SAMPLE_TYPES.find((each) => each === dtype);
  if (type === undefined)
    throw new UnsupportedError(`elements of ${dtype} cannot be down-sampled: ${SAMPLE_TYPES.join(", ")} can`);
  const multiscale = {
    ...(name === undefined ? {} : { name }),
    axes: axes.map((axis) => ({ ...axis })),
    datasets: factors.map((each, i) => ({
      path: String(i),
      coordinateTransformations: stepsOf(each, pixelSize),
    })),
    type: method,
  };
  return {
    dtype: type,
    method,
    levels: factors.map((each, i) => ({
      shape: shape.map((length, d) => Math.ceil(length / (each[d] ?? 1))),
      ratio: each.map((factor, d) => factor / (factors[i - 1]?.[d] ?? factor)),
    })),
    zarrFormat: version === "0.5" ? 3 : 2,
    axisNames: axes.map((axis) => axis.name),
    attributes:
      version === "0.5"
        ? { ome: { version, multiscales: [multiscale] } }
        : { multiscales: [{ version, ...multiscale }] },
    options,
  };
}

/** Transformations of a level. The centre of a block of `factor` pixels is `(factor - 1) / 2` pixels after the centre of its first pixel. */
function stepsOf(factors: readonly number[], pixelSize: readonly number[]) {
  return [
    { type: "scale", scale: factors.map((factor, d) => factor * (pixelSize[d] ?? 1)) },
    {
      type: "translation",
      translation: factors.map((factor, d) => ((factor - 1) / 2) * (pixelSize[d] ?? 1)),
    },
  ];
}

/** Creates the array of level `i` below the group of the image. */
export function createLevel<S extends WritableStore>(
  group: Group<S> | Location<S>,
  i: number,
  { dtype, zarrFormat, axisNames, levels, options }: MultiscalePlan,
  signal?: AbortSignal,
): Promise<ZarrArray<SampleType, S>> {
  return create(group.resolve(String(i)), {
    shape: levels[i]?.shape ?? [],
    dtype,
    zarrFormat,
    dimensionNames: axisNames,
    chunkShape: options.chunkShape,
    shards: options.shards,
    codecs: options.codecs,
    ...(zarrFormat === 2 ? { chunkSeparator: "/" } : {}),
    signal,
  });
}

/**
 * Computes a box of a level.
 * @param before shape of the level before
 * @param read reads a box of the level before
 */
export async function makeBox(
  { start, shape }: Box,
  before: readonly number[],
  { ratio, method }: { readonly ratio: readonly number[]; readonly method: DownsamplingMethod },
  read: (box: Box) => Promise<Samples>,
): Promise<Samples> {
  const from = start.map((index, d) => index * (ratio[d] ?? 1));
  const lengths = shape.map((length, d) =>
    Math.min(length * (ratio[d] ?? 1), (before[d] ?? 0) - (from[d] ?? 0)),
  );
  const samples = await read({ start: from, shape: lengths });
  if (ratio.every((factor) => factor === 1)) return samples;
  return downsample(samples, lengths, ratio, method, await loadDownsampling());
}

export function selectionOf({ start, shape }: Box) {
  return start.map((index, d) => ({ start: index, stop: index + (shape[d] ?? 0), step: 1 }));
}

/** @throws UnsupportedError for elements that are not numbers, and what `get` throws */
export async function readSamples(
  array: ZarrArray,
  box: Box,
  options: Parameters<typeof get>[2],
): Promise<Samples> {
  const { data } = await get(array, selectionOf(box), options);
  if (isSamples(data)) return data;
  throw new UnsupportedError(`elements of ${array.dtype} cannot be down-sampled`, { path: array.path });
}
