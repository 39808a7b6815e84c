/**
 * Why a `Grid` cannot describe where an array lies: its grid is curvilinear or unstructured, or nothing
 * states a place.
 */
import type { Member } from "../../extend.js";
import { InvalidMetadataError, UnsupportedError } from "../../index.js";
import { coordinateNames, isLatitude, isLongitude } from "./axes.js";
import { below, type Conversation, folderOf, nodesAt } from "./facts.js";
import type { LevelFacts } from "./levels.js";

/** Coordinates by the names that models and satellites give them, for arrays that name none. */
const USUAL = ["latitude", "longitude", "lat", "lon", "nav_lat", "nav_lon", "XLAT", "XLONG"];
const MOST_NAMES = 16;

/** The error for an array without a place. Looks at the coordinates that its attributes name. */
export function* refusal(level: LevelFacts): Conversation<InvalidMetadataError | UnsupportedError> {
  const { node, array, attributes, inherited } = level;
  const { path } = node;
  const members = [...attributes, ...inherited];
  if (members.some(isOfCells))
    return unstructured(path, "a mapping of cells (of HEALPix, which wazarr/healpix reads, or another DGGS)");
  if (members.some((member) => !member.get("mesh").isNull)) return unstructured(path, "a mesh (UGRID)");
  const named = members.flatMap(coordinateNames).slice(0, MOST_NAMES);
  const names = named.length > 0 ? named : USUAL;
  const found = (yield* nodesAt(names.map((name) => below(folderOf(path), name)))).filter(
    (each) => each !== undefined,
  );
  const latitude = found.find((each) => isLatitude(each) || /lat/i.test(each.name))?.array;
  const longitude = found.find((each) => isLongitude(each) || /lon/i.test(each.name))?.array;
  if (latitude !== undefined && longitude !== undefined) {
    const { length } = latitude.shape;
    const isOfArray = latitude.dimensions.every((name) => array.dimensions.includes(name));
    if (length === 2 && isOfArray) return curvilinear(path);
    if (length === 1 && isOfArray && latitude.dimensions[0] === longitude.dimensions[0])
      return unstructured(path, `latitudes and longitudes along ${JSON.stringify(latitude.dimensions[0])}`);
  }
  if (array.shape.length < 2)
    return new InvalidMetadataError("expected an array of two dimensions or more", { path });
  return new InvalidMetadataError(
    "expected a place on Earth: spatial:transform, a grid mapping with GeoTransform, or arrays beside this one with the coordinates of rows and columns, named like its dimensions (y and x, latitude and longitude)",
    { path },
  );
}

function curvilinear(path: string): UnsupportedError {
  return new UnsupportedError(
    "the grid is curvilinear: latitude and longitude have two dimensions each, so rows and columns are not straight lines; read the cells with get and draw them as quadrilaterals, or regrid the data",
    { path },
  );
}

function unstructured(path: string, why: string): UnsupportedError {
  return new UnsupportedError(
    `the grid is unstructured: ${why}, so there are no rows and columns; read the cells with get and draw them one by one, or regrid the data`,
    { path },
  );
}

/** HEALPix and other cells of the whole Earth: a grid mapping, or the convention `dggs`. */
function isOfCells(member: Member): boolean {
  const { json: name } = member.get("grid_mapping_name");
  return name === "healpix" || !member.get("dggs").isNull || !member.get("healpix_nside").isNull;
}
