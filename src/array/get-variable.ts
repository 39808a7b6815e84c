/** Reading elements of variable length; get.ts loads this for the data types that need it. */

import type { InvalidText } from "../data-types/text.js";
import type { PreparedArray } from "../engine/prepared.js";
import type { ReadOptions } from "../engine/read.js";
import { readColumn, readValues } from "../engine/variable/read.js";
import { InvalidArgumentError } from "../errors.js";
import type { BasicSelection } from "../grid/selection.js";
import { cOrderStrides, product } from "../shape.js";

export { readValues };

export interface VariableGetOptions {
  readonly out?: unknown;
  readonly shared?: boolean | undefined;
  readonly as?: "column" | undefined;
  readonly invalidText?: InvalidText | undefined;
}

/** @throws InvalidArgumentError for an `out` that is no array of as many elements as are selected, for one with `as`, and for `shared` */
export async function getVariable(
  array: PreparedArray,
  selection: BasicSelection,
  options: VariableGetOptions,
  read: ReadOptions,
): Promise<unknown> {
  if (!selection.dimensions.every(({ drop }) => drop))
    return getVariableChunk(array, selection, options, read);
  checkVariable(array, options);
  const { invalidText = "error" } = options;
  const [scalar] = await readValues(array, selection, undefined, { ...read, invalidText });
  return scalar;
}

/** `getVariable` that gives a chunk also where no dimension is left. @throws as `getVariable` */
export async function getVariableChunk(
  array: PreparedArray,
  selection: BasicSelection,
  options: VariableGetOptions,
  read: ReadOptions,
): Promise<unknown> {
  checkVariable(array, options);
  const { out, as, invalidText = "error" } = options;
  const { shape } = selection;
  const place = { shape: [...shape], stride: cOrderStrides(shape, 1) };
  if (as === "column") {
    if (out !== undefined)
      throw new InvalidArgumentError('out: expected none with as: "column", whose memory is its own');
    return { data: await readColumn(array, selection, { ...read, invalidText }), ...place };
  }
  const values = await readValues(array, selection, checkOut(out, product(shape)), { ...read, invalidText });
  return { data: values, ...place };
}

function checkVariable({ metadata: { dataType } }: PreparedArray, { as, shared }: VariableGetOptions): void {
  if (dataType.variable === undefined) {
    throw new InvalidArgumentError(`as: expected none for data type ${dataType.name}, got "${as}"`);
  }
  if (shared === true) {
    throw new InvalidArgumentError(
      "shared: expected none for elements of variable length, which are objects",
    );
  }
}

export function checkOut(out: unknown, count: number): unknown[] | undefined {
  if (out === undefined || (Array.isArray(out) && out.length === count)) return out;
  const got = Array.isArray(out) ? `one of ${out.length}` : "another object";
  throw new InvalidArgumentError(`out: expected an array of ${count} elements, got ${got}`);
}
