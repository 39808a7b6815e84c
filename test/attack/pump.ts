/** Makes parts of a JSON document longer: strings, lists, objects, numbers, nesting. */
import { isJsonArray, isJsonObject, type Json } from "../../src/metadata/json.js";
import { doubling } from "../fuzz/growth.js";

/** Where a value is: names and indices from the document down. */
export type Place = readonly (string | number)[];

/** All places of a document but the document itself. */
export function placesIn(json: Json, at: Place = []): Place[] {
  const below = isJsonArray(json)
    ? json.map((item, i) => [i, item] as const)
    : isJsonObject(json)
      ? Object.entries(json)
      : [];
  return below.flatMap(([name, value]) => [[...at, name], ...placesIn(value, [...at, name])]);
}

export function replaced(json: Json, [first, ...rest]: Place, make: (value: Json) => Json): Json {
  if (first === undefined) return make(json);
  if (isJsonArray(json)) return json.map((item, i) => (i === first ? replaced(item, rest, make) : item));
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, name === first ? replaced(value, rest, make) : value]),
  );
}

export interface Pump {
  readonly name: string;
  readonly sizes: readonly number[];
  /** The value, `size` times as long, or as large, or as deep. */
  grow(value: Json, size: number): Json;
}

/** What repeats in hostile strings: what patterns look for, and what they skip. */
const UNITS = [" ", "a", "a ", "/", ".", "0", "-", "{{", "{{a}}", "'", "\\", "(", " since ", "9", "=", "é"];

/** Up to some 100 kB. */
const LENGTHS = doubling(64, 8);
const DEPTHS = [4, 8, 12, 14, 16, 18, 20, 32, 64, 128, 256];
const NUMBERS = [1, 2 ** 8, 2 ** 12, 2 ** 14, 2 ** 16, 2 ** 20, 2 ** 24, 2 ** 31, Number.MAX_SAFE_INTEGER];

const cycle = (items: readonly Json[], length: number): Json[] =>
  Array.from({ length }, (_, i) => items[i % items.length] ?? null);

/** A pump for a value, by chance. */
export function pumpOf(value: Json, below: (limit: number) => number): Pump {
  if (below(6) === 0) {
    const isList = below(2) === 0;
    const wrapped = (inner: Json): Json =>
      isList
        ? [inner]
        : isJsonObject(value)
          ? replaced(value, [Object.keys(value)[0] ?? ""], () => inner)
          : { a: inner };
    return {
      name: isList ? "lists in lists" : "objects in objects",
      sizes: DEPTHS,
      grow: (given, size) => Array.from({ length: size }).reduce<Json>(wrapped, given),
    };
  }
  if (typeof value === "string") {
    const unit = [value, ...UNITS][below(UNITS.length + 1)] ?? "a";
    const at = [0, value.length, value.length >> 1][below(3)] ?? 0;
    return {
      name: `${JSON.stringify(unit)} in a string`,
      sizes: LENGTHS.map((length) => 8 * length),
      grow: (_, size) => `${value.slice(0, at)}${unit.repeat(size)}${value.slice(at)}`,
    };
  }
  if (isJsonArray(value)) {
    const items = value.length > 0 ? value : [0];
    return { name: "items", sizes: LENGTHS, grow: (_, size) => cycle(items, size) };
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    const [name, member] = entries[below(entries.length)] ?? ["a", 1];
    return {
      name: `members like ${name}`,
      sizes: LENGTHS,
      grow: (_, size) =>
        Object.fromEntries([
          ...entries,
          ...Array.from({ length: size }, (_, i) => [`${name}${i}`, member] as const),
        ]),
    };
  }
  return { name: "a number", sizes: NUMBERS, grow: (_, size) => size };
}
