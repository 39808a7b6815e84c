/** Calls of public functions with arguments that their types refuse, as JavaScript passes them. */
import { inspect } from "node:util";
import { isZarrError } from "../../src/index.js";

const JUNK = [undefined, null, 7, "junk", true, {}, [], { junk: 1 }, () => undefined];

export type Call = (...given: never[]) => unknown;
/**
 * A call that is valid, of which one argument after the other, and one member after the other, becomes junk.
 */
export type JunkCase = readonly [name: string, call: Call, args: () => readonly unknown[]];

interface Spoilt {
  /** Which argument or member is junk, and which junk. */
  readonly what: string;
  readonly args: readonly unknown[];
}

/** Every list of arguments with one of them, or one member of one of them, replaced. */
function spoilt(args: readonly unknown[], more: readonly string[]): Spoilt[] {
  const swapped = (i: number, value: unknown, junk: unknown, name = "") => ({
    what: `argument ${i}${name && `, ${name}`}: ${inspect(junk)}`,
    args: args.map((arg, j) => (i === j ? value : arg)),
  });
  return args.flatMap((arg, i) => {
    const members = isPlain(arg)
      ? new Set([...Object.keys(arg), ...(i === args.length - 1 ? more : [])])
      : [];
    return [
      ...JUNK.map((junk) => swapped(i, junk, junk)),
      ...Array.from(members).flatMap((name) =>
        JUNK.map((junk) => swapped(i, { ...Object(arg), [name]: junk }, junk, name)),
      ),
    ];
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export async function errorOf(call: Call, args: readonly unknown[]): Promise<unknown> {
  try {
    await Reflect.apply(call, undefined, args);
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The names of options, which the error about a wrong one lists. */
async function optionsOf(call: Call, args: readonly unknown[]): Promise<string[]> {
  const error = await errorOf(call, [...args.slice(0, -1), { ...Object(args.at(-1)), "?": 1 }]);
  const [, names] = /: expected one of (.*)$/.exec(error instanceof Error ? error.message : "") ?? [];
  return names?.split(", ") ?? [];
}

/** Errors of the engine, such as "Cannot read properties of undefined", that a call with junk ends in. */
export async function untypedErrors(call: Call, make: () => readonly unknown[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { what, args } of spoilt(make(), await optionsOf(call, make()))) {
    const error = await errorOf(call, args);
    if (error !== undefined && !isZarrError(error)) wrong.push(`${what}: ${error}`);
  }
  return wrong;
}
