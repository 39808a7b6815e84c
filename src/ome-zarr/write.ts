/**
 * Writes images of several resolutions: the arrays of the levels, each made from the level before, and the
 * `multiscales` metadata.
 */
import {
  checkMethod,
  checkNames,
  type DownsamplingMethod,
  describe,
  isJsonObject,
  isNumbers,
  isNumberType,
  itemAt,
  type NamesOf,
  NUMBER_CLASSES,
  type Numbers,
  type NumberType,
  numberTypeOf,
  product,
  toLocation,
  untilAborted,
  writeCoarser,
} from "../extend.js";
import {
  type CreateArrayOptions,
  create,
  type DataTypeName,
  type Group,
  InvalidArgumentError,
  type JsonObject,
  type Location,
  set,
  UnsupportedError,
  updateAttributes,
  type WritableStore,
  Array as ZarrArray,
} from "../index.js";
import { type AxisOption, byAxis, checkAxes, checkFactors } from "./axes.js";
import { writtenVersion } from "./metadata.js";
import { type ChannelOption, imageLabelJson, type LabelColor, omeroOf } from "./write-rendering.js";

/** How an image of several resolutions is stored. */
export interface MultiscaleOptions
  extends Pick<CreateArrayOptions<DataTypeName>, "chunkShape" | "shards" | "codecs"> {
  /**
   * One axis per dimension, in the order time, channel, space: `["c", "y", "x"]`, or objects with `type` and
   * `unit`.
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
  /** Default: "0.5", in Zarr v3 as "0.6", a release candidate. "0.4" is stored in v2. */
  readonly version?: "0.4" | "0.5" | "0.6" | undefined;
}

export const MULTISCALE: NamesOf<MultiscaleOptions> = {
  axes: true,
  scaleFactors: true,
  method: true,
  pixelSize: true,
  name: true,
  channels: true,
  version: true,
  chunkShape: true,
  shards: true,
  codecs: true,
};

/** The coordinate system that 0.6 calls intrinsic. */
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
  if (!["0.4", "0.5", "0.6"].includes(version))
    throw new InvalidArgumentError(`version: expected "0.4", "0.5" or "0.6", got ${describe(version)}`);
  checkMethod(method);
  const axes = checkAxes(options.axes, shape.length);
  const pixelSize = byAxis(
    options.pixelSize ?? {},
    axes,
    "pixelSize",
    (size) => Number.isFinite(size) && size > 0,
  );
  const factors = checkFactors(scaleFactors, axes);
  if (!isNumberType(dtype)) {
    const known = Object.keys(NUMBER_CLASSES).join(", ");
    throw new UnsupportedError(`elements of ${dtype} cannot be down-sampled: ${known} can`);
  }
  const rendering =
    options.channels === undefined ? {} : { omero: omeroOf(options.channels, dtype, axes, shape) };
  const multiscale = {
    ...(name === undefined ? {} : { name }),
    ...(version === "0.6"
      ? { coordinateSystems: [{ name: SYSTEM, axes: axes.map((axis) => ({ ...axis })) }] }
      : { axes: axes.map((axis) => ({ ...axis })) }),
    datasets: factors.map((each, i) => {
      const [path, steps] = [String(i), stepsOf(each, pixelSize)];
      const whole = { type: "sequence", input: { path }, output: { name: SYSTEM }, transformations: steps };
      return { path, coordinateTransformations: version === "0.6" ? [whole] : steps };
    }),
    type: method,
  };
  return {
    dtype,
    method,
    levels: factors.map((each, i) => ({
      shape: shape.map((length, d) => Math.ceil(length / itemAt(each, d))),
      ratio: each.map((factor, d) => factor / (factors[i - 1]?.[d] ?? factor)),
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

/** Progress of a write. Elements are counted over all levels. */
export interface MultiscaleProgress {
  /** The level that is written, from 0. */
  readonly level: number;
  /** Number of levels. */
  readonly levels: number;
  /** Elements that are stored. */
  readonly elementsDone: number;
  /** Elements of all levels. */
  readonly elementsTotal: number;
}

/** A label image: integers that say to which object a pixel belongs; 0 is the background. */
export interface LabelsOption {
  /** Has the shape of the image, without the dimension of its channels if it has any. */
  readonly source: ZarrArray<DataTypeName> | ImageData;
  /** Colours by label value. */
  readonly colors?: Readonly<Record<number, LabelColor>> | undefined;
}

/** Options of `writeMultiscale`. */
export interface WriteMultiscaleOptions extends MultiscaleOptions {
  /** Label images by name. Their levels are those of the image, made by "mode". */
  readonly labels?: Readonly<Record<string, LabelsOption>> | undefined;
  /** Deletes what is there. Without it a node there is an AlreadyExistsError. */
  readonly overwrite?: boolean | undefined;
  /** Aborts the write. What was stored before stays. */
  readonly signal?: AbortSignal | undefined;
  /** Called while levels are written. */
  readonly onProgress?: ((progress: MultiscaleProgress) => void) | undefined;
}

const OPTIONS: NamesOf<WriteMultiscaleOptions> = {
  ...MULTISCALE,
  labels: true,
  overwrite: true,
  signal: true,
  onProgress: "function",
};
const LABELS: NamesOf<LabelsOption> = { source: true, colors: true };

/** Elements in memory, in C order. */
export interface ImageData {
  /** As many elements as `shape` says. */
  readonly data: Numbers | Uint8ClampedArray;
  /** Lengths of the dimensions, in the order of the axes. */
  readonly shape: readonly number[];
}

type Source = ZarrArray<DataTypeName> | ImageData;

/**
 * Writes an image: levels 0, 1, 2, ... below a group, then `multiscales` of the group. It comes last, so an
 * unfinished image does not open. A level has `ceil(length / factor)` elements along a dimension; a pixel
 * lies at the centre of its block.
 * @param source a Zarr array, which is read box by box, or elements in memory
 * @throws InvalidArgumentError, UnsupportedError for elements that are not numbers, AlreadyExistsError
 * without `overwrite`, and what `create`, `get` and `set` throw
 */
export async function writeMultiscale<S extends WritableStore>(
  where: Location<S> | S,
  source: Source,
  options: WriteMultiscaleOptions,
): Promise<Group<S>> {
  checkNames(options, "writeMultiscale", OPTIONS);
  const { signal, overwrite, onProgress } = options;
  const plan = planOf(source, options);
  const labels = planLabels(source.shape, options);
  return untilAborted(signal, async () => {
    const group = await create(toLocation(where), { zarrFormat: plan.zarrFormat, overwrite, signal });
    const elementsTotal = plan.levels.reduce((sum, { shape }) => sum + product(shape), 0);
    let elementsDone = 0;
    let before: Source = source;
    for (const [level, { shape, ratio }] of plan.levels.entries()) {
      const array = await createLevel(group, level, plan, signal);
      const tell = (elements: number): void =>
        onProgress?.({
          level,
          levels: plan.levels.length,
          elementsDone: elementsDone + elements,
          elementsTotal,
        });
      if (before instanceof ZarrArray)
        await writeCoarser(array, before, { ratio, method: plan.method }, signal, tell);
      else
        await set(array, null, before, {
          signal,
          onProgress: ({ bytes }) => tell(bytes / array.dataType.itemSize),
        });
      elementsDone += product(shape);
      before = array;
    }
    await writeLabels(group, labels, signal);
    return updateAttributes(group, plan.attributes, { signal });
  });
}

function planOf(source: Source, options: MultiscaleOptions): MultiscalePlan {
  return planLevels(
    source.shape,
    source instanceof ZarrArray ? source.dataType.name : typeOf(source),
    options,
  );
}

interface PlannedLabels {
  readonly name: string;
  readonly source: Source;
  readonly options: MultiscaleOptions;
  readonly imageLabel: JsonObject;
}

/**
 * @throws InvalidArgumentError for names that are no names of nodes, elements that are no integers, and
 * another shape than the image's
 */
function planLabels(shape: readonly number[], options: WriteMultiscaleOptions): PlannedLabels[] {
  const { labels = {}, axes, channels: _, onProgress: __, overwrite: ___, ...common } = options;
  const isChannel = checkAxes(axes, shape.length).map(({ type }) => type === "channel");
  const kept = axes.filter((_, d) => !isChannel[d]);
  const expected = shape.filter((_, d) => !isChannel[d]);
  return Object.entries(labels).map(([name, label]) => {
    checkNames(label, "labels", LABELS);
    const { source, colors = {} } = label;
    if (name === "" || /[/]|^\.+$|^__/.test(name))
      throw new InvalidArgumentError(`labels: expected the name of a node, got ${describe(name)}`);
    if (source.shape.join() !== expected.join()) {
      throw new InvalidArgumentError(
        `labels: expected ${describe(name)} of the shape [${expected.join(", ")}], got [${source.shape.join(", ")}]`,
      );
    }
    const along = (given: MultiscaleOptions["chunkShape"]) =>
      Array.isArray(given) ? given.filter((_, d) => !isChannel[d]) : given;
    const own = {
      ...common,
      name,
      axes: kept,
      method: "mode" as const,
      chunkShape: along(options.chunkShape),
      shards: along(options.shards),
    };
    const { dtype } = planOf(source, own);
    if (dtype.startsWith("float"))
      throw new InvalidArgumentError(`labels: expected integers in ${describe(name)}, got ${dtype}`);
    return {
      name,
      source,
      options: own,
      imageLabel: imageLabelJson(colors, writtenVersion(options.version ?? "0.5")),
    };
  });
}

/** Writes label images, and their list after them. */
async function writeLabels<S extends WritableStore>(
  image: Group<S>,
  labels: readonly PlannedLabels[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const [first] = labels;
  if (first === undefined) return;
  const at = image.resolve("labels");
  const group = await create(at, { zarrFormat: image.metadata.zarrFormat, signal });
  const isOld = image.metadata.zarrFormat === 2;
  for (const { name, source, options, imageLabel } of labels) {
    const written = await writeMultiscale(at.resolve(name), source, { ...options, signal });
    const { ome } = planOf(source, options).attributes;
    const change = isOld
      ? { "image-label": imageLabel }
      : { ome: { ...(isJsonObject(ome) ? ome : {}), "image-label": imageLabel } };
    await updateAttributes(written, change, { signal });
  }
  const names = labels.map(({ name }) => name);
  const list = isOld
    ? { labels: names }
    : { ome: { version: writtenVersion(first.options.version ?? "0.5"), labels: names } };
  await updateAttributes(group, list, { signal });
}

/** Data type of the elements in memory. */
function typeOf({ data, shape }: ImageData): NumberType {
  const isElements = isNumbers(data) || data instanceof Uint8ClampedArray;
  if (!isElements || !Array.isArray(shape) || product(shape) !== data.length) {
    throw new InvalidArgumentError("expected an array, or a typed array with its shape, in C order");
  }
  return isNumbers(data) ? numberTypeOf(data) : "uint8";
}
