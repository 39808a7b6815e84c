/**
 * Keeps the meaning of missing elements in a copy to another format: v2 marks them by the fill value of the
 * array, v3 and the draft by the attribute `_FillValue`.
 */
import { InvalidArgumentError, isZarrError } from "../../base/errors.js";
import type { Json, JsonObject } from "../../metadata/json.js";
import {
  type Fill,
  fillAttribute,
  fillJson,
  fillNumber,
  fillValueMasks,
} from "../../metadata/missing-value.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { keepSpellings } from "../../metadata/number-spellings.js";

/**
 * The metadata of a copy of `source` with the value of missing elements where its format has it.
 * @param copy with the source's fill value, and the source's attributes or those that the caller gave
 * @param stated whether the caller gave the fill value, and the attribute `_FillValue`
 * @throws InvalidArgumentError for a given fill value that would take the place of the attribute
 */
export function withMissingValue(
  source: ArrayMetadata,
  copy: ArrayMetadata,
  stated: { readonly fillValue: boolean; readonly attribute: boolean },
): ArrayMetadata {
  if (fillValueMasks(copy) && !fillValueMasks(source)) return markedByFillValue(copy, stated.fillValue);
  if (source.zarrFormat === 2 && copy.zarrFormat !== 2)
    return markedByAttribute(source, copy, stated.attribute);
  return copy;
}

function markedByAttribute(source: ArrayMetadata, copy: ArrayMetadata, isGiven: boolean): ArrayMetadata {
  const { fillValue } = source;
  const masks = !isGiven && fillValue !== undefined && fillValueMasks(source);
  const fill = masks ? numberOf(fillValue, copy) : attributeOf(copy);
  if (fill === undefined) return copy;
  return { ...copy, attributes: withFill(copy.attributes, fillAttribute(fill, copy.dataType.name)) };
}

/** Without an attribute, the fill value of v2 is null: 0 would be missing. */
function markedByFillValue(copy: ArrayMetadata, isGiven: boolean): ArrayMetadata {
  const fill = attributeOf(copy);
  if (fill === undefined) return isGiven ? copy : { ...copy, fillValue: undefined };
  const fillValue = scalarOf(fill, copy);
  if (isGiven && !isSame(fill, numberOf(copy.fillValue, copy)))
    throw new InvalidArgumentError(
      `fillValue: in v2 the fill value stands for missing elements, which the attribute _FillValue says are ${fill}; leave fillValue out, or give new attributes`,
    );
  // An integer type may not hold it. xarray reads the attribute if the fill value is null.
  if (fillValue === undefined)
    return { ...copy, fillValue, attributes: withFill(copy.attributes, fillJson(fill)) };
  const { _FillValue: _, ...others } = copy.attributes;
  return { ...copy, fillValue, attributes: keepSpellings(others, copy.attributes) };
}

function withFill(attributes: JsonObject, _FillValue: Json): JsonObject {
  return keepSpellings({ ...attributes, _FillValue }, attributes);
}

/** The attribute `_FillValue` of an array of numbers; undefined for a list, and for what is no number. */
function attributeOf({ attributes, dataType }: ArrayMetadata): Fill | undefined {
  const { _FillValue } = attributes;
  if (_FillValue === undefined || !NUMBERS.test(dataType.name)) return undefined;
  try {
    return fillNumber(_FillValue, "_FillValue");
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError")) return undefined;
    throw error;
  }
}

const NUMBERS = /^(u?int|float)\d+$/;

/** A scalar as a number: a fill value may be an object that keeps the bits of a NaN. */
function numberOf(scalar: unknown, { dataType }: ArrayMetadata): Fill | undefined {
  if (!NUMBERS.test(dataType.name)) return undefined;
  return typeof scalar === "bigint" ? scalar : Number(scalar);
}

/** The value as a scalar of the array; undefined if its type does not hold it. */
function scalarOf(fill: Fill, { dataType, endian }: ArrayMetadata): unknown {
  try {
    return dataType.scalarFromJson(fillJson(fill), 2, endian);
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError")) return undefined;
    throw error;
  }
}

const isSame = (a: Fill, b: Fill | undefined): boolean => b !== undefined && String(a) === String(b);
