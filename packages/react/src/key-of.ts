/** Tells whether arguments of a hook are those of the last render: components make them anew each time. */
const numbers = new WeakMap<object, number>();
let last = 0;

/**
 * Equal for lists, plain objects and primitive values of the same content; everything else, such as a store, a cache or
 * a function, is equal to itself alone.
 */
export function keyOf(value: unknown): string {
  const key = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint" || (typeof part === "number" && !Number.isFinite(part)))
      return [typeof part, String(part)];
    const isOther =
      typeof part === "function" || (typeof part === "object" && part !== null && !isPlain(part));
    return isOther ? ["identity", numberOf(part)] : part;
  });
  return key ?? "";
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

function numberOf(value: object): number {
  const number = numbers.get(value) ?? ++last;
  numbers.set(value, number);
  return number;
}
