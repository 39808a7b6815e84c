/** Writes images of several resolutions, each level made from the level before, and their labels. */
import {
  checkNames,
  checkObject,
  describe,
  isJsonObject,
  isNumbers,
  type NamesOf,
  type Numbers,
  type NumberType,
  numberTypeOf,
  product,
  toLocation,
  untilAborted,
  writeCoarser,
} from "../../extend.js";
import {
  create,
  type DataTypeName,
  type Group,
  InvalidArgumentError,
  type JsonObject,
  type Location,
  set,
  updateAttributes,
  type WritableStore,
  Array as ZarrArray,
} from "../../index.js";
import { writtenVersion } from "./metadata.js";
import {
  createLevel,
  MULTISCALE,
  type MultiscaleOptions,
  type MultiscalePlan,
  planLevels,
} from "./plan-levels.js";
import { checkAxes } from "./write-axes.js";
import { imageLabelJson, type LabelColor } from "./write-rendering.js";

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
  /** Labels in the shape of the image, without the dimension of its channels if it has any. */
  readonly source: ZarrArray<DataTypeName> | ImageData;
  /** Colours by label value. */
  readonly colors?: Readonly<Record<number, LabelColor>> | undefined;
}

/** Options of `writeMultiscale`. */
export interface WriteMultiscaleOptions extends MultiscaleOptions {
  /** Label images by name. Their levels are those of the image, made by "mode". */
  readonly labels?: Readonly<Record<string, LabelsOption>> | undefined;
  /** True replaces an existing node and everything below it; otherwise it is an AlreadyExistsError. */
  readonly overwrite?: boolean | undefined;
  /** Aborts the write. What was stored before stays. */
  readonly signal?: AbortSignal | undefined;
  /** Called while levels are written. */
  readonly onProgress?: ((progress: MultiscaleProgress) => void) | undefined;
}

const OPTIONS: NamesOf<WriteMultiscaleOptions> = {
  ...MULTISCALE,
  labels: "object",
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
  checkObject(source, "source", "an array, or { data, shape }");
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
 * @throws InvalidArgumentError for invalid names of nodes, elements that are not integers, and a shape
 * other than the image's
 */
function planLabels(shape: readonly number[], options: WriteMultiscaleOptions): PlannedLabels[] {
  const { labels = {}, axes, channels: _, onProgress: __, overwrite: ___, ...common } = options;
  const isChannel = checkAxes(axes, shape.length, options.version).map(({ type }) => type === "channel");
  const spatialAxes = axes.filter((_, d) => !isChannel[d]);
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
    const along = (lengths: MultiscaleOptions["chunkShape"]) =>
      Array.isArray(lengths) ? lengths.filter((_, d) => !isChannel[d]) : lengths;
    const levelOptions = {
      ...common,
      name,
      axes: spatialAxes,
      method: "mode" as const,
      chunkShape: along(options.chunkShape),
      shards: along(options.shards),
    };
    const { dtype } = planOf(source, levelOptions);
    if (dtype.startsWith("float"))
      throw new InvalidArgumentError(`labels: expected integers in ${describe(name)}, got ${dtype}`);
    return {
      name,
      source,
      options: levelOptions,
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
    throw new InvalidArgumentError(
      "source: expected an array, or { data, shape } with a typed array of as many elements",
    );
  }
  return isNumbers(data) ? numberTypeOf(data) : "uint8";
}
