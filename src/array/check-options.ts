/** Options for new nodes that JavaScript lets through, though no reader would open what is written with them. */
import { describe, InvalidArgumentError } from "../errors.js";
import { isJsonObject, stringifyJson } from "../metadata/json.js";

const ALLOWED: Readonly<Record<string, readonly unknown[]>> = {
  zarrFormat: [2, 3, "draft"],
  order: ["C", "F"],
  endian: ["little", "big"],
  chunkSeparator: ["/", "."],
  chunkKeyEncoding: ["default", "v2"],
};

/** @throws InvalidArgumentError for a value that an option of `create` or `copyNode` cannot have, attributes that are not JSON among them */
export function checkOptions(options: object): void {
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const value = given.get(name);
    if (value === undefined || allowed.includes(value)) continue;
    throw invalid(name, allowed.map(describe).join(" or "), value);
  }
  const attributes = given.get("attributes");
  if (attributes !== undefined) {
    if (!isJsonObject(attributes)) throw invalid("attributes", "an object", attributes);
    stringifyJson(attributes);
  }
  const names = given.get("dimensionNames");
  if (names !== undefined && !(Array.isArray(names) && names.every(isDimensionName))) {
    throw invalid("dimensionNames", "a list of strings or null", names);
  }
}

/** @throws InvalidArgumentError for what is given of an array whose shape is not */
export function checkGroupOptions(options: object): void {
  const given = new Map<string, unknown>(Object.entries(options));
  const stray = ["dtype", "chunkShape"].find((name) => given.get(name) !== undefined);
  if (stray === undefined) return;
  throw new InvalidArgumentError(`shape: expected a list of lengths beside ${stray}, got undefined`);
}

function isDimensionName(name: unknown): boolean {
  return name === null || typeof name === "string";
}

function invalid(name: string, expected: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${name}: expected ${expected}, got ${describe(value)}`);
}
