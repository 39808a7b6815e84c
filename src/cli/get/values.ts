/** Elements as values of JSON, and as words. */

import { stringifyJson } from "../../extend.js";
import { CalendarTimes, DateTimeArray } from "../../formats/xarray.js";
import type { Json } from "../../index.js";
import type { DataTypeDefinition } from "../../main/data-types.js";
import { elementJson, elementsOf, isIterable } from "../text/element-json.js";

/**
 * Iterates over elements as JSON. Times are ISO 8601 strings.
 * @param data as `get` or a variable returns it
 */
export function* valuesOf(data: unknown, dataType: DataTypeDefinition): Generator<Json, void, undefined> {
  if (data instanceof DateTimeArray || data instanceof CalendarTimes) {
    for (let i = 0; i < data.length; i++) yield shortTime(data.toISOString(i));
    return;
  }
  for (const element of elementsOf(data, dataType)) yield elementJson(element, dataType);
}

/** Iterates over elements as JSON; times are their ticks. */
export function* storedValuesOf(
  data: unknown,
  dataType: DataTypeDefinition,
): Generator<Json, void, undefined> {
  for (const element of elementsOf(data, dataType)) yield elementJson(element, dataType);
}

/** The labels of a coordinate. */
export function labelsOf(data: unknown): readonly Json[] {
  if (data instanceof DateTimeArray || data instanceof CalendarTimes)
    return Array.from({ length: data.length }, (_, i) => shortTime(data.toISOString(i)));
  return isIterable(data) ? Array.from(data, labelOf) : [];
}

function labelOf(value: unknown): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "boolean" ? value : String(value);
}

/** A value in words: strings as they are. */
export function wordOf(value: Json): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : stringifyJson(value);
}

/** Drops a time of day of 0:00 and decimals of 0. */
function shortTime(text: string): string {
  return text.replace(/(?:T00:00:00)?(?:\.0+)?$/, "");
}
