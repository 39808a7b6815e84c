/** What somebody who misspelt a name may have meant. Loaded with what throws such errors, or what is rare. */

/** Names of the packages' own are shorter; a document may hold any. */
const LONGEST = 64;

/** `: did you mean "float32"?` where a name is near, several where they are as near; nothing where none is. */
export function didYouMean(given: unknown, names: Iterable<string>): string {
  if (typeof given !== "string" || given.length > LONGEST) return "";
  const edits = Array.from(new Set(names), (name) => ({ name, count: editsBetween(given, name) }));
  const least = Math.min(...edits.map(({ count }) => count));
  // With more letters wrong than a third it is another name.
  if (least > given.length / 3) return "";
  const nearest = edits.filter(({ count }) => count === least).map(({ name }) => JSON.stringify(name));
  return `: did you mean ${nearest.join(" or ")}?`;
}

/** Letters to insert, remove, replace, or swap with the next one; small or capital is all the same. */
function editsBetween(given: string, name: string): number {
  const from = given.toLowerCase();
  const to = name.toLowerCase();
  // Edits from the first i letters to the first j, for this i and the two before it.
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const ways = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1)];
      if (isSwapped) ways.push((beforeLast[j - 2] ?? 0) + 1);
      row.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? from.length;
}
