/**
 * How a stored document writes its whole numbers. 1.0 and 1 are equal in JavaScript, but have two types in
 * Python, so that xarray decodes a variable with `"scale_factor": 2.0` and not one with `"scale_factor": 2`.
 * json.ts remembers the spellings of the objects and lists that it parses, json-text.ts writes these numbers
 * as they were.
 */
interface NumberSpelling {
  readonly value: number;
  readonly text: string;
}

/** By member name or index. */
type Spellings = ReadonlyMap<string, NumberSpelling>;

const known = new WeakMap<object, Spellings>();

/**
 * The spelling of a member of an object or a list; undefined if it is written like other numbers, or has
 * changed.
 */
export function spellingOf(container: object, name: string, value: unknown): string | undefined {
  const spelling = known.get(container)?.get(name);
  return spelling !== undefined && Object.is(spelling.value, value) ? spelling.text : undefined;
}

/** Remembers the spelling of the members of an object or a list that has just been parsed. */
export function rememberSpellings(container: object, spellings: Spellings): void {
  if (spellings.size > 0) known.set(container, spellings);
}

/**
 * Copies the spellings from `before` to `now`, which is made of its members. Changed numbers, and those with
 * a spelling, are not affected.
 */
export function keepSpellings<Container>(now: Container, before: unknown): Container {
  if (!isContainer(now) || !isContainer(before) || now === before) return now;
  const old = known.get(before);
  if (old !== undefined) known.set(now, new Map([...old, ...(known.get(now) ?? [])]));
  const members = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(now)) keepSpellings(value, members.get(name));
  return now;
}

/** Writes whole numbers among these members as floats: 2.0 instead of 2. */
export function spellAsFloats<Container extends object>(
  container: Container,
  names: readonly string[],
): Container {
  const spellings = new Map(known.get(container));
  for (const [name, value] of Object.entries(container)) {
    if (names.includes(name) && Number.isSafeInteger(value))
      spellings.set(name, { value, text: Object.is(value, -0) ? "-0.0" : `${value}.0` });
  }
  rememberSpellings(container, spellings);
  return container;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
