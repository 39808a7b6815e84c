/**
 * Opens and writes data sets with named dimensions, decoded by the CF conventions as xarray does.
 *
 * ```ts
 * import { nearest, openDataset, range } from "wazarr/xarray";
 *
 * const ds = await openDataset("https://example.com/era5.zarr");
 * const t2m = ds.variables.t2m;
 * if (t2m === undefined) throw new Error("no t2m");
 * const where = { time: "2026-08-01", lat: range(40, 60), lon: nearest(7.5, { wrap: 360 }) };
 * const { data, coords } = await t2m.get(where);
 * ```
 * @module
 */
export { DateTimeArray, TimeDeltaArray } from "../extend.js";
export { type AppendDatasetOptions, appendDataset } from "./xarray/append.js";
export { type Calendar, type CalendarFields, CalendarTimes } from "./xarray/calendar.js";
export { DataArray, DecodedArray } from "./xarray/data-array.js";
export { Dataset, type DatasetSelection, Variable } from "./xarray/dataset.js";
export type { Unpacking } from "./xarray/drawn.js";
export type { DatasetLike, VariableLike } from "./xarray/given-variables.js";
export type { Label } from "./xarray/labels.js";
export { type DataTree, type OpenDatasetOptions, openDataset, openDataTree } from "./xarray/open.js";
export {
  decodingOf,
  type ParseDecodingOptions,
  type ParsedDecoding,
  parseDecoding,
} from "./xarray/parse-decoding.js";
export {
  at,
  type DimensionEntry,
  type LabelEntry,
  type NearestOptions,
  nearest,
  range,
} from "./xarray/select.js";
export type { Resolution } from "./xarray/time-encoding.js";
export type { Where } from "./xarray/where.js";
export { type WriteDatasetOptions, writeDataset } from "./xarray/write.js";
