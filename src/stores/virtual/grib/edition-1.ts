/** The field of a message of edition 1, without its values. WMO's Manual on Codes, FM 92-IX Ext. GRIB. */

import { type Section, sectionOf } from "../../../codecs/for-stores.js";
import { StoreError } from "../../../core/for-stores.js";
import { oneRange } from "../port.js";
import { type GribField, hoursOf, secondsOf, stepTypeOf } from "./field.js";
import { gridOfFirstEdition } from "./grid-1.js";
import { firstEditionLevel } from "./levels.js";
import type { GribBytes, GribMessage } from "./messages.js";
import { firstEditionParameter } from "./parameters.js";

/** Bytes to read of a message at first: sections 1 and 2, but for reduced grids. */
const HEAD = 512;
const INDICATOR = 8;
const HAS_GRID = 0x80;
const ECMWF = 98;

/** @throws StoreError for a damaged message, and for one without a grid */
export async function readFirstEditionField(bytes: GribBytes, message: GribMessage): Promise<GribField> {
  const { offset, length } = message;
  const head = await bytes.upTo(offset, Math.min(HEAD, length));
  const damaged = (reason: string): StoreError =>
    new StoreError(`${bytes.file.name}: damaged GRIB message at byte ${offset}: ${reason}`, { offset });
  const sectionAt = async (start: number, number: number): Promise<Section> => {
    const name = `section ${number}`;
    const size = sectionOf(name, head.subarray(start, start + 3), offset + start).unsigned(0, 3);
    if (size < 3 || start + size > length)
      throw damaged(`expected section ${number} in it, got ${size} bytes`);
    const whole = start + size <= head.length ? head.subarray(start, start + size) : undefined;
    return sectionOf(name, whole ?? (await bytes.upTo(offset + start, size)), offset + start);
  };
  const product = await sectionAt(INDICATOR, 1);
  if ((product.uint8(7) & HAS_GRID) === 0)
    throw damaged("expected a grid, got a message with a predefined one");
  const grid = await sectionAt(INDICATOR + product.bytes.length, 2);
  const centre = product.uint8(4);
  const [kind, upper, lower] = [product.uint8(9), product.uint8(10), product.uint8(11)];
  const level = firstEditionLevel(kind, upper, lower);
  const numbers = `${product.uint8(3)}.${product.uint8(8)}`;
  const range = rangeOf(product);
  return {
    edition: 1,
    centre,
    parameter: firstEditionParameter(numbers, centre, kind, level.value),
    level,
    stepType: stepTypeOf(range.statistic),
    time: timeOf(product),
    step: range.end * (hoursOf(product.uint8(17)) ?? 0),
    number: memberOf(product, centre),
    grid: gridOfFirstEdition(grid),
    chunk: oneRange(offset, length),
  };
}

function timeOf(product: Section): number {
  const year = (product.uint8(24) - 1) * 100 + product.uint8(12);
  const [month, day, hour, minute] = [13, 14, 15, 16].map((at) => product.uint8(at));
  return secondsOf([year, month ?? 1, day ?? 1, hour ?? 0, minute ?? 0, 0]);
}

/** The end of the time a field is of, in its unit, and its statistic (code table 5). */
function rangeOf(product: Section): { readonly end: number; readonly statistic: number | undefined } {
  const [first, second, indicator] = [product.uint8(18), product.uint8(19), product.uint8(20)];
  const AVERAGE = 0;
  const ACCUMULATION = 1;
  const DIFFERENCE = 4;
  if (indicator === 10) return { end: first * 256 + second, statistic: undefined };
  if (indicator === 3) return { end: second, statistic: AVERAGE };
  if (indicator === 4) return { end: second, statistic: ACCUMULATION };
  if (indicator === 5) return { end: second, statistic: DIFFERENCE };
  if (indicator === 2) return { end: second, statistic: undefined };
  return { end: first, statistic: undefined };
}

/** Local definitions of ECMWF whose octet 50 is a member of an ensemble. */
const WITH_MEMBER: ReadonlySet<number> = new Set([1, 15, 16, 18, 26, 30, 36]);

function memberOf(product: Section, centre: number): number | undefined {
  if (centre !== ECMWF || product.bytes.length < 50 || !WITH_MEMBER.has(product.uint8(40))) return undefined;
  return product.uint8(49);
}
