/** Steps: one index of every dimension that is not y or x, chosen by index or label. */
import { itemAt as at, describe, noItem } from "../extend.js";
import {
  type DataTypeName,
  InvalidArgumentError,
  type Slice,
  slice,
  type Array as ZarrArray,
} from "../index.js";
import type { OpenLevel, PlaneGrid } from "./level.js";

/** An index, or one of its `labels`, by name of the dimension (its number if it has none). */
export type Selectors = Readonly<Record<string, number | string>>;

/** One choice for all dimensions. */
export interface Step {
  readonly key: string;
  /** Indices by name of the dimension. */
  readonly indices: Readonly<Record<string, number>>;
}

interface Dimension {
  readonly name: string;
  /** Which dimension of the array it is, and its length in the finest level. */
  readonly axis: number;
  readonly length: number;
}

type Labels = Readonly<Record<string, readonly string[]>>;

export class Steps {
  readonly #dimensions: readonly Dimension[];
  readonly #labels: Labels;

  /**
   * @param names of all dimensions of the arrays; their own unless given
   * @throws InvalidArgumentError for labels of an unknown dimension, or too few or too many
   */
  constructor(array: ZarrArray<DataTypeName>, grid: PlaneGrid, labels: Labels, names?: readonly string[]) {
    const { dimensionNames } = array.metadata;
    this.#dimensions = array.shape
      .map((length, axis) => ({ name: names?.[axis] ?? dimensionNames?.[axis] ?? `${axis}`, axis, length }))
      .filter(({ axis }) => axis !== grid.yAxis && axis !== grid.xAxis);
    this.#labels = labels;
    for (const [name, list] of Object.entries(labels)) {
      const { length } = this.#dimension(name);
      if (list.length !== length)
        throw new InvalidArgumentError(`labels.${name}: expected ${length} strings, got ${list.length}`);
    }
  }

  get lengths(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#dimensions.map(({ name, length }) => [name, length]));
  }

  /** The first of all dimensions. */
  get first(): Step {
    return stepOf(this.#dimensions.map(({ name }) => [name, 0]));
  }

  /** Another step: dimensions that `selectors` do not name stay as they are. @throws InvalidArgumentError */
  select(from: Step, selectors: Selectors): Step {
    const chosen = Object.entries(selectors).map(([name, selector]) => [name, this.#index(name, selector)]);
    return stepOf(Object.entries({ ...from.indices, ...Object.fromEntries(chosen) }));
  }

  /**
   * The steps that follow in some dimensions: after the last comes the first.
   * @throws InvalidArgumentError
   */
  following(from: Step, counts: Readonly<Record<string, number>>): Step[] {
    return Object.entries(counts).flatMap(([name, count]) => {
      const { length } = this.#dimension(name);
      const most = Math.min(Math.abs(count), length - 1);
      return Array.from({ length: most }, (_, i) => {
        const { [name]: presentIndex = 0 } = from.indices;
        const index = presentIndex + Math.sign(count) * (i + 1);
        return this.select(from, { [name]: ((index % length) + length) % length });
      });
    });
  }

  /**
   * The selection of a step in a level, whose dimensions may be shorter, as z of images.
   * @param whole a dimension that is selected as a whole
   */
  selection(
    { array, grid }: OpenLevel,
    { indices }: Step,
    rows: readonly [number, number],
    columns: readonly [number, number],
    whole?: string,
  ): (Slice | null)[] {
    if (whole !== undefined) this.#dimension(whole);
    const entries = new Map<number, Slice | null>([
      [grid.yAxis, slice(...rows)],
      [grid.xAxis, slice(...columns)],
    ]);
    for (const { name, axis, length } of this.#dimensions) {
      const axisLength = array.shape[axis] ?? noItem(array.shape, axis);
      const { [name]: chosen = 0 } = indices;
      const index = Math.min(Math.floor((chosen * axisLength) / length), axisLength - 1);
      entries.set(axis, name === whole ? null : slice(index, index + 1));
    }
    return array.shape.map((_, axis) => entries.get(axis) ?? null);
  }

  /** How many indices a level has in a dimension that is selected as a whole; 1 without one. */
  lengthOf(whole: string | undefined, { shape }: ZarrArray<DataTypeName>): number {
    return whole === undefined ? 1 : at(shape, this.#dimension(whole).axis);
  }

  #dimension(name: string): Dimension {
    const found = this.#dimensions.find((each) => each.name === name);
    if (found !== undefined) return found;
    const known = this.#dimensions.map((each) => each.name);
    throw new InvalidArgumentError(`no dimension ${describe(name)}; the dimensions are ${known.join(", ")}`);
  }

  #index(name: string, selector: number | string): number {
    const { length } = this.#dimension(name);
    const labels = this.#labels[name] ?? [];
    const index = typeof selector === "number" ? selector : labels.indexOf(selector);
    if (Number.isInteger(index) && index >= 0 && index < length) return index;
    const among = labels.length > 0 ? `, or one of ${describe(labels)}` : "";
    throw new InvalidArgumentError(
      `selectors.${name}: expected an index below ${length}${among}, got ${describe(selector)}`,
    );
  }
}

function stepOf(entries: readonly (readonly [string, number])[]): Step {
  return { key: entries.map(([, index]) => index).join(","), indices: Object.fromEntries(entries) };
}
