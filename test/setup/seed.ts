/** Seeds of random tests. */

/** Days since 1970: every night has other cases, and the name of a test says which. */
export function seedOfTheDay(): number {
  return Math.floor(Date.now() / 86_400_000);
}
