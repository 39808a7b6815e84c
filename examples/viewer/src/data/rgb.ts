/** Arrays whose elements along one dimension are the red, green and blue of a colour. */
import type { Array as ZarrArray } from "wazarr";
import type { Channel, Dimension } from "./layers.js";

const COLOURS = [
  ["red", [1, 0, 0]],
  ["green", [0, 1, 0]],
  ["blue", [0, 0, 1]],
] as const;

/** The values of a full colour, by type. */
const FULL: Readonly<Record<string, number>> = {
  uint8: 255,
  uint16: 65535,
  float32: 1,
  float64: 1,
  float16: 1,
};

/**
 * A dimension of 3 or 4 (with an alpha, which is not drawn) whose name says so. Bytes with a dimension of
 * channels, or without names, are taken for colours, too; other types may have anything there.
 */
export function rgbChannels(
  array: ZarrArray,
  dimensions: readonly Dimension[],
): { readonly dimension: number; readonly list: readonly Channel[] } | undefined {
  const dtype = String(array.dtype);
  const full = FULL[dtype];
  if (full === undefined || dimensions.length < 3) return undefined;
  const isColour = ({ name, length }: Dimension, d: number): boolean => {
    if (length !== 3 && length !== 4) return false;
    if (/^rgba?$/i.test(name)) return true;
    if (dtype !== "uint8") return false;
    const isLast = d === dimensions.length - 1;
    return /^(?:c|channels?|bands?|colou?rs?|samples?|s)$/i.test(name) || (isLast && /^dim \d+$/.test(name));
  };
  const dimension = dimensions.findIndex(isColour);
  return dimension < 0 ? undefined : { dimension, list: colourChannels(full) };
}

export const colourChannels = (full: number): readonly Channel[] =>
  COLOURS.map(([name, colour]) => ({ name, colour, range: [0, full], isVisible: true, opacity: 1 }));
