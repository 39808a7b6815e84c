/** The coordinates of variables, with the attributes of cfgrib. */
import type { JsonObject } from "../../../core/for-stores.js";
import type { NumbersOptions } from "../numbers-array.js";

/** Names of cfgrib, in the order of dimensions. Levels have the name of their type. */
export const HEADER_NAMES = ["number", "time", "step", "level"] as const;
export type HeaderName = (typeof HEADER_NAMES)[number];

const PRESSURE = { positive: "down", standard_name: "air_pressure", long_name: "pressure" };
const SOIL = { units: "m", positive: "down", long_name: "soil depth", standard_name: "depth" };
const SECONDS = { units: "seconds since 1970-01-01T00:00:00", calendar: "proleptic_gregorian" };

const ATTRIBUTES: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["latitude", { units: "degrees_north", standard_name: "latitude", long_name: "latitude" }],
  ["longitude", { units: "degrees_east", standard_name: "longitude", long_name: "longitude" }],
  ["depthBelowLand", SOIL],
  ["depthBelowLandLayer", SOIL],
  [
    "hybrid",
    {
      units: "1",
      positive: "down",
      long_name: "hybrid level",
      standard_name: "atmosphere_hybrid_sigma_pressure_coordinate",
    },
  ],
  [
    "heightAboveGround",
    { units: "m", positive: "up", long_name: "height above the surface", standard_name: "height" },
  ],
  ["isobaricInhPa", { units: "hPa", stored_direction: "decreasing", ...PRESSURE }],
  ["isobaricInPa", { units: "Pa", stored_direction: "decreasing", ...PRESSURE }],
  ["isobaricLayer", { units: "Pa", ...PRESSURE }],
  ["number", { units: "1", standard_name: "realization", long_name: "ensemble member numerical id" }],
  [
    "step",
    { units: "hours", standard_name: "forecast_period", long_name: "time since forecast_reference_time" },
  ],
  ["time", { ...SECONDS, standard_name: "forecast_reference_time", long_name: "initial time of forecast" }],
  ["valid_time", { ...SECONDS, standard_name: "time", long_name: "time" }],
]);

/** Attributes of a coordinate by the name of cfgrib, which for levels is their type. */
export function coordinateAttributes(name: string): JsonObject {
  const known = ATTRIBUTES.get(name);
  return known ?? { long_name: `original GRIB coordinate for key: level(${name})`, units: "1" };
}

/** Whether levels of this type are stored from the greatest to the least: upwards. */
export const isDescending = (name: string): boolean =>
  ATTRIBUTES.get(name)?.stored_direction === "decreasing";

/** What cfgrib counts in whole numbers. */
export const typeOfCoordinate = (name: string): NumbersOptions["type"] =>
  name === "number" || name === "time" || name === "valid_time" ? "int64" : "float64";
