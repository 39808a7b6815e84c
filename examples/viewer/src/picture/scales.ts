/** The colours and the range that fit data that nobody has chosen them for. */
import type { Layer } from "../data/layers.js";
import type { State } from "../state.js";
import type { ColourMapName } from "./colour-maps.js";
import { decodedRange, type Range, storedRange, usualRange } from "./contrast.js";

/** Where a byte is the index of a class. */
const ALL_BYTES: Range = [0, 255];
/** By CF standard names, or what a variable is called. */
const BY_NAME: readonly (readonly [RegExp, ColourMapName])[] = [
  [/anomal|tendency|eastward|northward|upward_air_velocity|divergence|vorticity/, "RdBu_r"],
  [/temperature|(?:^|_)(?:t2m|sst|tas|skt)(?:$|_)/, "inferno"],
  [/precipitation|rainfall|humidity|water_vapour|soil_moisture/, "Blues"],
  [/elevation|altitude|topography|bathymetry|height_above/, "cividis"],
  [/cloud|albedo|reflectance|backscatter/, "gray"],
  [/concentration|aerosol|chlorophyll|mole_fraction/, "YlOrRd"],
];

const namesOf = ({ standardName, longName, title }: Layer): string =>
  `${standardName ?? ""} ${longName ?? ""} ${title.replaceAll("/", " ")}`.toLowerCase().replaceAll(" ", "_");

export function coloursFor(
  layer: Layer,
  { colours, range }: Pick<State, "colours" | "range">,
): ColourMapName {
  if (colours) return colours;
  const named = BY_NAME.find(([pattern]) => pattern.test(namesOf(layer)))?.[1];
  if (named) return named;
  return range && -range[0] === range[1] ? "RdBu_r" : "viridis";
}

/** The range of stored values; undefined without samples. */
export function rangeFor(layer: Layer, samples: readonly number[]): Range | undefined {
  if (layer.classes) return ALL_BYTES;
  const usual = usualRange(samples);
  if (usual === undefined) return undefined;
  const [low = 0, high = 1] = [...decodedRange(layer, usual)].sort((a, b) => a - b);
  const most = Math.max(-low, high);
  const isAroundZero = low < 0 && high > 0 && Math.min(-low, high) > most / 3;
  const hasZero = coloursFor(layer, {}) === "viridis" || coloursFor(layer, {}) === "RdBu_r";
  const chosen: Range =
    isAroundZero && hasZero ? [-roundUp(most, most), roundUp(most, most)] : round([low, high]);
  return storedRange(layer, chosen);
}

/** Ends that a person would write, just outside the given ones. */
function round([low, high]: Range): Range {
  const span = high - low;
  // Beside large values the digits of a double run out.
  if (!(span > 0) || span < Math.abs(high) / 2 ** 30 || !Number.isFinite(span)) return [low, high];
  return [-roundUp(-low, span), roundUp(high, span)];
}

function roundUp(value: number, span: number): number {
  if (!(span > 0) || !Number.isFinite(span)) return value;
  const step = 10 ** Math.floor(Math.log10(span / 20));
  const rounded = Math.ceil(value / step - 1e-9) * step;
  return Number(rounded.toPrecision(12));
}
