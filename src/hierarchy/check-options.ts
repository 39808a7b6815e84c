/** What `create` is told in words, checked: JavaScript may say anything, and a document that no reader opens would be written. */
import { describe } from "../data-types/describe.js";
import { InvalidArgumentError } from "../errors.js";

/** Options that are one of few words, or not there. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  zarrFormat: [2, 3, "draft"],
  order: ["C", "F"],
  endian: ["little", "big"],
  chunkSeparator: ["/", "."],
  chunkKeyEncoding: ["default", "v2"],
};

/** @throws InvalidArgumentError naming the option */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const choices = CHOICES[name];
    if (choices !== undefined && !choices.includes(value)) {
      const expected = choices.map((choice) => JSON.stringify(choice)).join(" or ");
      throw new InvalidArgumentError(`${name}: expected ${expected}, got ${describe(value)}`);
    }
    if (name === "shape") checkList(name, value);
    if (name === "dimensionNames") {
      const isName = (item: unknown): boolean => item === null || typeof item === "string";
      if (!checkList(name, value).every(isName)) {
        throw new InvalidArgumentError(`${name}: expected strings or null, got ${describe(value)}`);
      }
    }
    if (name === "attributes" && (typeof value !== "object" || Array.isArray(value))) {
      throw new InvalidArgumentError(`${name}: expected an object, got ${describe(value)}`);
    }
  }
}

/** @throws InvalidArgumentError for what is no list */
export function checkList(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new InvalidArgumentError(`${name}: expected a list, got ${describe(value)}`);
}
