/** Plans the levels of an image of several resolutions, their arrays and the `multiscales` metadata. */
import {
  checkMethod,
  type DownsamplingMethod,
  isNumberType,
  itemAt,
  type NamesOf,
  NUMBER_CLASSES,
  type NumberType,
} from "../../extend.js";
import {
  type CreateArrayOptions,
  create,
  type DataTypeName,
  type Group,
  type JsonObject,
  type Location,
  UnsupportedError,
  type WritableStore,
  type Array as ZarrArray,
} from "../../index.js";
import { checkVersion, type WrittenVersion, writtenVersion } from "./metadata.js";
import { type AxisOption, axisJson, byAxis, checkAxes, checkFactors } from "./write-axes.js";
import { type ChannelOption, omeroOf } from "./write-rendering.js";

/** How an image of several resolutions is stored. */
export interface MultiscaleOptions
  extends Pick<CreateArrayOptions<DataTypeName>, "chunkShape" | "shards" | "codecs"> {
  /**
   * One axis per dimension, in the order time, channel, space: `["c", "y", "x"]`, or objects with `type` and
   * `unit`. Version 0.9 takes any axes in any order, with an `orientation`.
   */
  readonly axes: readonly AxisOption[];
  /**
   * Factor of each further level relative to the first: for the last two axes, or by axis name, `{ z: 2, y:
   * 4, x: 4 }`. Default: [2, 4].
   */
  readonly scaleFactors?: readonly (number | Readonly<Record<string, number>>)[] | undefined;
  /** Default: "mean". Use "mode" or "nearest" for labels. */
  readonly method?: DownsamplingMethod | undefined;
  /** Pixel size of the first level by axis name, in units of the axes. Default: 1. */
  readonly pixelSize?: Readonly<Record<string, number>> | undefined;
  readonly name?: string | undefined;
  /** How the channels are shown, one for each. Written as `omero`. */
  readonly channels?: readonly ChannelOption[] | undefined;
  /**
   * Default: "0.5". It, "0.6" (a release candidate) and "0.9" (a draft) are stored in Zarr v3, "0.4" in v2.
   */
  readonly version?: WrittenVersion | undefined;
}

export const MULTISCALE: NamesOf<MultiscaleOptions> = {
  axes: "list",
  scaleFactors: "list",
  method: true,
  pixelSize: true,
  name: true,
  channels: "list",
  version: true,
  chunkShape: true,
  shards: true,
  codecs: true,
};

/** The coordinate system that 0.6 and later call intrinsic. */
const SYSTEM = "physical";

/** Shape of one level, and its ratio to the level before. */
interface LevelPlan {
  readonly shape: readonly number[];
  /**
   * Length of a block of the level before that becomes one element, along each dimension; 1 for the first
   * level.
   */
  readonly ratio: readonly number[];
}

export interface MultiscalePlan {
  readonly dtype: NumberType;
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
  checkVersion(version);
  const hasSystems = version === "0.6" || version === "0.9";
  checkMethod(method);
  const axes = checkAxes(options.axes, shape.length, version);
  const pixelSize = byAxis(
    options.pixelSize ?? {},
    axes,
    "pixelSize",
    (size) => Number.isFinite(size) && size > 0,
  );
  const factors = checkFactors(scaleFactors, axes);
  if (!isNumberType(dtype)) {
    const known = Object.keys(NUMBER_CLASSES).join(", ");
    throw new UnsupportedError(`cannot down-sample elements of data type ${dtype}: expected ${known}`);
  }
  const rendering =
    options.channels === undefined ? {} : { omero: omeroOf(options.channels, dtype, axes, shape) };
  const multiscale = {
    ...(name === undefined ? {} : { name }),
    ...(hasSystems
      ? { coordinateSystems: [{ name: SYSTEM, axes: axes.map(axisJson) }] }
      : { axes: axes.map(axisJson) }),
    datasets: factors.map((each, i) => {
      const [path, steps] = [String(i), stepsOf(each, pixelSize)];
      const whole = { type: "sequence", input: { path }, output: { name: SYSTEM }, transformations: steps };
      return { path, coordinateTransformations: hasSystems ? [whole] : steps };
    }),
    type: method,
  };
  return {
    dtype,
    method,
    levels: factors.map((each, i) => ({
      shape: shape.map((length, d) => Math.ceil(length / itemAt(each, d))),
      ratio: each.map((factor, d) => factor / itemAt(factors[i - 1] ?? each, d)),
    })),
    zarrFormat: version === "0.4" ? 2 : 3,
    axisNames: axes.map((axis) => axis.name),
    attributes:
      version === "0.4"
        ? { multiscales: [{ version, ...multiscale }], ...rendering }
        : { ome: { version: writtenVersion(version), multiscales: [multiscale], ...rendering } },
    options,
  };
}

/**
 * Transformations of a level. The centre of a block of `factor` pixels is `(factor - 1) / 2` pixels after the
 * centre of its first pixel.
 */
function stepsOf(factors: readonly number[], pixelSize: readonly number[]) {
  return [
    { type: "scale", scale: factors.map((factor, d) => factor * itemAt(pixelSize, d)) },
    {
      type: "translation",
      translation: factors.map((factor, d) => ((factor - 1) / 2) * itemAt(pixelSize, d)),
    },
  ];
}

/** Creates the array of level `i` below the group of the image. */
export function createLevel<S extends WritableStore>(
  group: Group<S> | Location<S>,
  i: number,
  { dtype, zarrFormat, axisNames, levels, options }: MultiscalePlan,
  signal?: AbortSignal,
): Promise<ZarrArray<NumberType, S>> {
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
