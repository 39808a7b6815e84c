/** Places and steps as a person says them. */
import { dateInWords } from "./dates.js";
import { type Dimension, type Layer, labelOf } from "./layers.js";
import { shortWithin } from "./numbers.js";

const isLatitude = ({ unit = "" }: Dimension): boolean => /^degrees?_?n(?:orth)?$/i.test(unit);
const isLongitude = ({ unit = "" }: Dimension): boolean => /^degrees?_?e(?:ast)?$/i.test(unit);

/** Whether rows and columns are latitudes and longitudes. */
export function isGeographic({ dimensions, x, y }: Layer): boolean {
  const [down, across] = [dimensions[y], dimensions[x]];
  return down !== undefined && across !== undefined && isLatitude(down) && isLongitude(across);
}

/** "36.8° E", "5 March 2026", "648 m", or the index. */
export function stepInWords(dimension: Dimension, index: number): string {
  const value = dimension.values?.[index];
  const label = dimension.labels?.[index];
  if (dimension.isTime && label !== undefined) return dateInWords(label);
  if (value !== undefined && isLatitude(dimension)) return `${degrees(value)}° ${value < 0 ? "S" : "N"}`;
  if (value !== undefined && isLongitude(dimension)) {
    const east = ((value + 540) % 360) - 180;
    return `${degrees(east)}° ${east < 0 ? "W" : "E"}`;
  }
  return label === undefined ? `${dimension.name} ${index}` : labelOf(dimension, index);
}

const degrees = (value: number): string => shortWithin(Math.abs(value), 10);

/** Cosine of the latitude of each row: how much of the Earth an element covers. Ones for other planes. */
export function weightOfRow(layer: Layer, row: number): number {
  const latitude = layer.dimensions[layer.y]?.values?.[row];
  return isGeographic(layer) && latitude !== undefined
    ? Math.max(0, Math.cos((latitude * Math.PI) / 180))
    : 1;
}
