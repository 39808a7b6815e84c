/**
 * What files of messages and their codec share: what a GRIB message says of itself, and where its points lie.
 * Stores import nothing else of codecs.
 */
export { type Coordinate, calculateCoordinates } from "./archives/grib/coordinates.js";
export { readGrid } from "./archives/grib/grid.js";
export { type Section, sectionOf } from "./archives/grib/sections.js";
