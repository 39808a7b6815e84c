/** The colours of a scale from the lowest to the highest: red, green, blue and alpha of each, 0 to 255. */
import { colorNames } from "./tables/names.js";

export type Table = Uint8Array<ArrayBuffer>;

/** A continuous table. Shorter ones of matplotlib are for categories. */
export const CONTINUOUS = 256;

type Family = keyof typeof colorNames;

/** Each family is a file that a page loads with the first of its scales. */
const LOADERS: Readonly<Record<Family, () => Promise<Readonly<Record<string, string>>>>> = {
  matplotlib: async () => (await import("./tables/matplotlib.js")).MATPLOTLIB,
  cmocean: async () => (await import("./tables/cmocean.js")).CMOCEAN,
  colorbrewer: async () => (await import("./tables/colorbrewer.js")).COLORBREWER,
};
const FAMILIES: readonly Family[] = ["matplotlib", "cmocean", "colorbrewer"];

/**
 * The table of a name: `_r` after it reverses it, `cmo.` before it is cmocean's where matplotlib has the name,
 * too.
 * @throws RangeError for an unknown name
 */
export async function tableOf(name: string): Promise<Table> {
  const isReverse = name.endsWith("_r");
  const plain = (isReverse ? name.slice(0, -2) : name).replace(/^cmo\./, "");
  const families = name.startsWith("cmo.") ? (["cmocean"] as const) : FAMILIES;
  const family = families.find((each) => colorNames[each].some((known) => known === plain));
  const text = family && (await LOADERS[family]())[plain];
  if (text === undefined)
    throw new RangeError(
      `colors: no scale ${JSON.stringify(name)}; its name is one of matplotlib, cmocean or ColorBrewer, as viridis, thermal or RdBu_r (colorNames lists them)`,
    );
  const colors = atob(text)
    .match(/.{3}/gs)
    ?.map((rgb) => [...[...rgb].map((letter) => letter.charCodeAt(0)), 255]);
  return Uint8Array.from((isReverse ? colors?.reverse() : colors)?.flat() ?? []);
}

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/**
 * A continuous table through colours at equal distances.
 * @throws RangeError for fewer than two, or one that is not hexadecimal
 */
export function tableThrough(colors: readonly string[]): Table {
  if (colors.length < 2) throw new RangeError(`colors: expected two or more, got ${colors.length}`);
  const stops = colors.map(partsOf);
  return Uint8Array.from(
    Array.from({ length: CONTINUOUS }, (_, i) => {
      const place = (i / (CONTINUOUS - 1)) * (stops.length - 1);
      const index = Math.min(Math.floor(place), stops.length - 2);
      const [from = [], to = []] = stops.slice(index, index + 2);
      return from.map((part, c) => Math.round(part + ((to[c] ?? part) - part) * (place - index)));
    }).flat(),
  );
}

/** Of each category. @throws RangeError for a colour that is not hexadecimal */
export const tableOfEach = (colors: readonly string[]): Table => Uint8Array.from(colors.flatMap(partsOf));

function partsOf(color: string): number[] {
  if (typeof color !== "string" || !HEX.test(color))
    throw new RangeError(`colors: expected a colour such as "#ff8800", got ${JSON.stringify(color)}`);
  const digits = color.slice(1);
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return (long.padEnd(8, "f").match(/../g) ?? []).map((part) => Number.parseInt(part, 16));
}
