/** Which dimensions of an array are x and y: by `spatial:dimensions`, their names, or CF's attributes. */
import { isJsonArray, isJsonObject, itemAt, type Member } from "../../extend.js";
import { isNodeName, type NodeFacts } from "./facts.js";
import { firstOf } from "./transform.js";

/** Places of the dimensions that count rows (y) and columns (x). */
export interface PlaneAxes {
  readonly yAxis: number;
  readonly xAxis: number;
}

const X_NAMES = /^(x|xc|rlon|lon|longitude|long|lng|easting|projection_x_coordinate|grid_longitude)$/i;
const Y_NAMES = /^(y|yc|rlat|lat|latitude|northing|projection_y_coordinate|grid_latitude)$/i;
const LONGITUDE = /^(lon|longitude|long|lng)$/i;
const LATITUDE = /^(lat|latitude)$/i;
/** CF lets units be "degrees_east", "degree_E" and so on. */
const EAST = /^degrees?_?E(ast)?$/i;
const NORTH = /^degrees?_?N(orth)?$/i;

/** By the names that `spatial:dimensions` states, of which the last two are y and x. */
export function statedAxes(members: readonly Member[], dimensions: readonly string[]): PlaneAxes | undefined {
  const names = firstOf(members, (member) => {
    const list = member.get("spatial:dimensions");
    return list.isNull ? undefined : list.list().map((item) => item.string());
  });
  const [yAxis = -1, xAxis = -1] = (names ?? []).slice(-2).map((name) => dimensions.indexOf(name));
  return placesOf(yAxis, xAxis);
}

/** By their usual names. */
export function namedAxes(dimensions: readonly string[]): PlaneAxes | undefined {
  return placesOf(
    dimensions.findIndex((name) => Y_NAMES.test(name)),
    dimensions.findIndex((name) => X_NAMES.test(name)),
  );
}

/** By the attributes of the coordinates of the dimensions. */
export function describedAxes(coordinates: readonly (NodeFacts | undefined)[]): PlaneAxes | undefined {
  const at = (axis: "X" | "Y") =>
    coordinates.findIndex((coordinate) => coordinate !== undefined && axisOf(coordinate) === axis);
  return placesOf(at("Y"), at("X"));
}

/** Undefined unless both are places of dimensions. */
export function placesOf(yAxis: number, xAxis: number): PlaneAxes | undefined {
  return yAxis < 0 || xAxis < 0 || yAxis === xAxis ? undefined : { yAxis, xAxis };
}

/** The last two dimensions, of images without names; undefined for fewer. */
export function lastAxes({ length }: readonly unknown[]): PlaneAxes | undefined {
  return placesOf(length - 2, length - 1);
}

/** The axis that a coordinate is, by the attributes of CF. */
function axisOf({ attributes: { axis, standard_name: name, units } }: NodeFacts): "X" | "Y" | undefined {
  if (axis === "X" || axis === "Y") return axis;
  if (/^(longitude|(projection|grid)_(x_coordinate|longitude))$/.test(textOf(name))) return "X";
  if (/^(latitude|(projection|grid)_(y_coordinate|latitude))$/.test(textOf(name))) return "Y";
  if (EAST.test(textOf(units))) return "X";
  return NORTH.test(textOf(units)) ? "Y" : undefined;
}

/** Whether a coordinate has longitudes, those of a rotated pole not included. */
export function isLongitude({ name, attributes }: NodeFacts): boolean {
  return isDegrees(attributes, "longitude", EAST) ?? LONGITUDE.test(name);
}

/** Whether a coordinate has latitudes, those of a rotated pole not included. */
export function isLatitude({ name, attributes }: NodeFacts): boolean {
  return isDegrees(attributes, "latitude", NORTH) ?? LATITUDE.test(name);
}

/** Whether dimensions have the names of longitudes and latitudes. */
export function areDegrees(dimensions: readonly string[], { yAxis, xAxis }: PlaneAxes): boolean {
  return LATITUDE.test(itemAt(dimensions, yAxis)) && LONGITUDE.test(itemAt(dimensions, xAxis));
}

/** What the attributes say; undefined if they say nothing. */
function isDegrees(
  { standard_name: name, units }: NodeFacts["attributes"],
  standardName: string,
  pattern: RegExp,
): boolean | undefined {
  if (typeof name === "string") return name === standardName;
  return typeof units === "string" && pattern.test(units) ? true : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The names in `coordinates`, as CF has it, or in EOPF's list. */
export function coordinateNames(member: Member): string[] {
  const { json: names } = member.get("coordinates");
  if (typeof names === "string") return names.split(/\s+/).filter(isNodeName);
  const { json: eopf } = member.get("_eopf_attrs");
  const list = isJsonObject(eopf) ? eopf.coordinates : undefined;
  return isJsonArray(list) ? list.filter((each) => typeof each === "string").filter(isNodeName) : [];
}
