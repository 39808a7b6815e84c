/** Which colour a value has. */
import { CONTINUOUS, type Table, tableOf, tableOfEach, tableThrough } from "./table.js";

export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/**
 * A name of matplotlib, cmocean or ColorBrewer, with `_r` after it for its reverse; or colours such as
 * `["#000", "#ff8800"]`, at equal distances from the lowest to the highest value.
 */
export type Colors = string | readonly string[];

export interface ColorOptions {
  /** The values of the first and the last colour; values beyond have these, too. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /**
   * The value of the middle colour, as for anomalies. Values equally far from it on both sides have colours
   * equally far from the middle one; the end of the range that is further from it has the last colour.
   */
  readonly center?: number | undefined;
  /** Colours follow the logarithm of the values: both ends of the range are above 0. */
  readonly log?: boolean | undefined;
  /**
   * The bounds of classes, ascending: `[0, 10, 50]` are two. A bound belongs to the class above it. Classes
   * have colours at equal distances, or of a qualitative scale one after the other.
   */
  readonly classes?: readonly number[] | undefined;
}

/** A scale: a table of colours, and where in it a value is. */
export interface ColorScale {
  readonly range: readonly [low: number, high: number];
  /** The bounds of classes; none for a continuous scale. */
  readonly classes: readonly number[];
  readonly isLog: boolean;
  /** Red, green, blue and alpha of each colour, 0 to 255, one row of a texture. */
  readonly table: Table;
  /**
   * A function of GLSL, `float shareOf(float value, vec2 range)`: the place of a value in the table, from 0 to
   * 1, where a texture without interpolation has its colour.
   */
  readonly glsl: string;
  /** The colour of a value, as a shader has it; transparent for NaN. */
  colorAt(value: number): Rgba;
}

const TRANSPARENT: Rgba = [0, 0, 0, 0];

/**
 * A colour scale.
 * @throws RangeError for an unknown name, and for a range, a centre or classes that are none
 */
export async function colorScale(colors: Colors, options: ColorOptions = {}): Promise<ColorScale> {
  const { center, classes = [], log: isLog = false } = options;
  const [first = 0, last = 1] = classes.length > 0 ? [classes[0], classes.at(-1)] : [];
  const range = options.range ?? [first, last];
  checkNumbers({ range, center, classes, isLog });
  const every = await everyColor(colors, classes.length);
  const table =
    classes.length > 0 ? ofClasses(every, classes.length - 1) : around(every, center, range, isLog);
  const share = (value: number): number => {
    if (classes.length > 0) return (classOf(classes, value) + 0.5) / (classes.length - 1);
    const [at, low, high] = [value, ...range].map((each) => (isLog ? Math.log(each) : each));
    return ((at ?? 0) - (low ?? 0)) / ((high ?? 1) - (low ?? 0));
  };
  return {
    range,
    classes,
    isLog,
    table,
    glsl: glslOf(classes, isLog),
    colorAt(value) {
      if (Number.isNaN(value)) return TRANSPARENT;
      // Of a value below 0 there is no logarithm: it has the first colour.
      const place = Math.max(0, Math.min(1, isLog && value <= 0 ? 0 : share(value)));
      const index = 4 * Math.min(table.length / 4 - 1, Math.floor((place * table.length) / 4));
      const [red = 0, green = 0, blue = 0, alpha = 0] = table.subarray(index, index + 4);
      return [red, green, blue, alpha];
    },
  };
}

function everyColor(colors: Colors, bounds: number): Table | Promise<Table> {
  if (typeof colors === "string") return tableOf(colors);
  return bounds > 0 && colors.length === bounds - 1 ? tableOfEach(colors) : tableThrough(colors);
}

type Checked = Required<Pick<ColorScale, "range" | "classes" | "isLog">> & Pick<ColorOptions, "center">;

function checkNumbers({ range, center, classes, isLog }: Checked): void {
  const isAscending = classes.every((bound, i) => i === 0 || bound > (classes[i - 1] ?? Number.NaN));
  if (classes.length === 1 || !isAscending)
    throw new RangeError(`classes: expected two bounds or more, ascending, got ${JSON.stringify(classes)}`);
  const [low, high] = range;
  if (range.length !== 2 || !Number.isFinite(low) || !Number.isFinite(high) || !(low < high))
    throw new RangeError(`range: expected [low, high] with low below high, got ${JSON.stringify(range)}`);
  if (isLog && !(low > 0))
    throw new RangeError(`range: expected values above 0 for a logarithmic scale, got ${low}`);
  if (center !== undefined && !(center > low && center < high))
    throw new RangeError(`center: expected a value within the range ${low} to ${high}, got ${center}`);
  if (classes.length > 0 && (center !== undefined || isLog))
    throw new RangeError("classes: cannot be combined with center or log");
}

const colorsIn = (table: Table): number => table.length / 4;

/** The colours at some places of a table, from 0 to 1. */
function sampled(table: Table, places: readonly number[]): Table {
  const last = colorsIn(table) - 1;
  return Uint8Array.from(
    places.flatMap((place) => {
      const index = 4 * Math.round(Math.max(0, Math.min(1, place)) * last);
      return [...table.subarray(index, index + 4)];
    }),
  );
}

/** Of a continuous table those at equal distances, its ends among them; of another the first ones. */
function ofClasses(table: Table, count: number): Table {
  const colors = colorsIn(table);
  const isContinuous = colors === CONTINUOUS;
  const step = isContinuous ? 1 / Math.max(1, count - 1) : 1 / (colors - 1);
  if (count === 1) return sampled(table, [isContinuous ? 0.5 : 0]);
  return sampled(
    table,
    Array.from({ length: count }, (_, i) => (isContinuous ? i : i % colors) * step),
  );
}

/** A table over the range whose middle colour is at the centre. */
function around(
  table: Table,
  center: number | undefined,
  [low, high]: ColorScale["range"],
  isLog: boolean,
): Table {
  if (center === undefined) return table;
  const on = (value: number): number => (isLog ? Math.log(value) : value);
  const half = Math.max(on(high) - on(center), on(center) - on(low));
  const places = Array.from({ length: CONTINUOUS }, (_, i) => {
    const value = on(low) + ((i + 0.5) / CONTINUOUS) * (on(high) - on(low));
    return 0.5 + (value - on(center)) / (2 * half);
  });
  return sampled(table, places);
}

/** As a shader finds it, in 32 bits. */
function classOf(classes: readonly number[], value: number): number {
  const single = Math.fround(value);
  const above = classes.findIndex((bound) => single < Math.fround(bound));
  const index = above < 0 ? classes.length - 2 : above - 1;
  return Math.max(0, Math.min(classes.length - 2, index));
}

function glslOf(classes: readonly number[], isLog: boolean): string {
  const inner = classes.slice(1, -1).map((bound) => `float(value >= ${literal(bound)})`);
  const share =
    classes.length > 0
      ? `(${[...inner, "0.5"].join(" + ")}) / ${literal(classes.length - 1)}`
      : isLog
        ? "value <= 0.0 ? 0.0 : (log(value) - log(range.x)) / (log(range.y) - log(range.x))"
        : "(value - range.x) / (range.y - range.x)";
  return `float shareOf(float value, vec2 range) { return clamp(${share}, 0.0, 1.0); }`;
}

/** A number of GLSL, exact in 32 bits. */
function literal(value: number): string {
  const text = `${Math.fround(value)}`;
  return /[.e]/.test(text) ? text : `${text}.0`;
}
