/**
 * Test data that Python and TypeScript make alike, so that fixtures need not hold it: see
 * scripts/oracles/recipes.py.
 */

const RECIPES = ["zeros", "noise", "words", "field", "far"] as const;
export type Recipe = (typeof RECIPES)[number];

/** The recipe that a fixture names. */
export function recipeNamed(name: string): Recipe {
  const recipe = RECIPES.find((known) => known === name);
  if (recipe === undefined) throw new Error(`expected one of ${RECIPES.join(", ")}, got ${name}`);
  return recipe;
}

const WORDS =
  "chunk shard store array group codec zarr index fill value order shape stride block byte level".split(" ");

function generator(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 16;
  };
}

export function makeData(recipe: Recipe, length: number): Uint8Array {
  const next = generator();
  const data = new Uint8Array(length);
  if (recipe === "noise") return data.map(() => next() & 255);
  if (recipe === "words") {
    for (let i = 0; i < length; ) {
      for (const character of `${WORDS[next() % WORDS.length]} `) data[i++] = character.charCodeAt(0);
    }
  }
  if (recipe === "field") {
    for (let i = 0, k = 0; i < length; k = (k + 1) % 8192) {
      const value = ((k * k) >> 7) + (next() & 15);
      for (let shift = 0; shift < 32; shift += 8) data[i++] = value >>> shift;
    }
  }
  if (recipe === "far") {
    const noise = makeData("noise", 3072);
    for (let i = 0; i < length; i++) data[i] = (noise[i % 3072] ?? 0) ^ (i % 1000 === 999 ? 1 : 0);
  }
  return data;
}
