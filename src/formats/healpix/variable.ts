/** An array on a HEALPix grid. */
import type { DataTypeName, Store, Array as ZarrArray } from "../../index.js";
import { faceArray } from "./face-array.js";
import type { HealpixGrid } from "./grid.js";
import type { CellPlaces } from "./places.js";

/** An array of which one dimension counts cells of a grid. `openHealpix` makes it. */
export class HealpixVariable<S extends Store = Store> {
  /** Its elements. */
  readonly array: ZarrArray<DataTypeName, S>;
  /** The grid of its cells. */
  readonly grid: HealpixGrid;
  /** The dimension of the array that counts cells. */
  readonly axis: number;
  readonly #places: CellPlaces;

  constructor(array: ZarrArray<DataTypeName, S>, grid: HealpixGrid, axis: number, places: CellPlaces) {
    this.array = array;
    this.grid = grid;
    this.axis = axis;
    this.#places = places;
  }

  /**
   * The place along `axis` of the cell at coordinates; undefined if the array does not have that cell.
   * @param longitude degrees east, of any turn
   * @param latitude degrees north; geodetic ones on an ellipsoid
   * @throws InvalidArgumentError for coordinates that are none
   */
  placeAt(longitude: number, latitude: number): number | undefined {
    return this.#places.placeOf(this.grid.cellAt(longitude, latitude));
  }

  /**
   * One base face as an array with two dimensions in place of that of cells: rows (y, to the north-west) and
   * columns (x, to the north-east). Its chunks are read from this array when they are needed; cells that this
   * array does not have get its fill value.
   * @param face from 0 to 11
   * @throws InvalidArgumentError for a face that is none; UnsupportedError for elements that are not numbers,
   * chunks of different shapes, and levels above 24
   */
  face(face: number): ZarrArray<DataTypeName> {
    return faceArray(this.array, this.axis, this.grid.level, this.#places, face);
  }
}
