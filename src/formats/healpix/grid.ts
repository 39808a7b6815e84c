/** A HEALPix grid: indices of cells in a scheme, and where they are. */
import { checkNames, describe, type NamesOf } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";
import { type Cell, checkFace, checkLevel } from "./cell.js";
import { type Ellipsoid, type Latitudes, latitudesOf } from "./ellipsoid.js";
import { cellsOf } from "./nested.js";
import { checkCell, type IndexingScheme, schemeOf } from "./schemes.js";
import { type Coordinates, coordinatesOf, facePlaceAt, placeOnFace } from "./sphere.js";

/** What a grid is made of. */
export interface HealpixGridOptions {
  /** The refinement level, from 0 to 29: 2^level cells along each side of a base face. */
  readonly level: number;
  /** "nested" unless given. */
  readonly scheme?: IndexingScheme | undefined;
  /** A sphere unless given. */
  readonly ellipsoid?: Ellipsoid | undefined;
}
const OPTIONS: NamesOf<HealpixGridOptions> = { level: true, scheme: true, ellipsoid: "object" };

/**
 * The grid of the 12 * 4^level cells of one level. Indices are bigints: those of level 25 and finer, and
 * those of `nuniq` and `zuniq`, are beyond 2^53. `Number(index)` is exact for `nested` and `ring` up to level
 * 24.
 */
export class HealpixGrid {
  /** Refinement level: the sphere has 12 * 4 ** level cells. */
  readonly level: number;
  /** How the cells are numbered. */
  readonly scheme: IndexingScheme;
  /** Undefined for a sphere. */
  readonly ellipsoid: Ellipsoid | undefined;
  readonly #latitudes: Latitudes;

  /** @throws InvalidArgumentError for a level, a scheme or a flattening that cannot be */
  constructor(options: HealpixGridOptions) {
    checkNames(options, "HealpixGrid", OPTIONS);
    const { level, scheme = "nested", ellipsoid } = options;
    this.level = checkLevel(level);
    schemeOf(scheme);
    this.scheme = scheme;
    this.ellipsoid = ellipsoid;
    this.#latitudes = latitudesOf(ellipsoid?.flattening ?? 0);
  }

  /** How many cells the level has: 12 * 4^level. */
  get cellCount(): bigint {
    return cellsOf(this.level);
  }

  /**
   * The index of the cell at coordinates.
   * @param longitude degrees east, of any turn
   * @param latitude degrees north; geodetic ones on an ellipsoid
   * @throws InvalidArgumentError for coordinates that are none
   */
  indexAt(longitude: number, latitude: number): bigint {
    return this.indexOf(this.cellAt(longitude, latitude));
  }

  /** The cell at coordinates, as a place in a base face. @throws as `indexAt` */
  cellAt(longitude: number, latitude: number): Cell {
    if (!Number.isFinite(longitude) || !(Math.abs(latitude) <= 90))
      throw new InvalidArgumentError(
        `coordinates: expected a longitude, and a latitude from -90 to 90, got ${describe([longitude, latitude])}`,
      );
    const { face, x, y } = facePlaceAt([longitude, this.#latitudes.toAuthalic(latitude)]);
    const side = 2 ** this.level;
    const inside = (place: number): number => Math.min(Math.max(Math.floor(place * side), 0), side - 1);
    return { level: this.level, face, x: inside(x), y: inside(y) };
  }

  /** The middle of a cell: a longitude from 0 to below 360, and a latitude. @throws as `cellOf` */
  coordinatesOf(index: number | bigint): Coordinates {
    return this.#coordinatesIn(this.cellOf(index), 0.5, 0.5);
  }

  /** The corners of a cell: south, east, north and west. @throws as `cellOf` */
  cornersOf(index: number | bigint): readonly [Coordinates, Coordinates, Coordinates, Coordinates] {
    const cell = this.cellOf(index);
    const corner = (x: number, y: number): Coordinates => this.#coordinatesIn(cell, x, y);
    return [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  }

  /** The index of a cell. @throws InvalidArgumentError for a cell that the level does not have */
  indexOf(cell: Cell): bigint {
    checkCell(cell, this.level);
    return schemeOf(this.scheme).indexOf(cell);
  }

  /** The cell of an index. @throws InvalidArgumentError for an index that no cell of this level has */
  cellOf(index: number | bigint): Cell {
    const isIndex = typeof index === "bigint" || Number.isSafeInteger(index);
    const cell = isIndex ? schemeOf(this.scheme).cellOf(this.level, BigInt(index)) : undefined;
    if (cell !== undefined) return cell;
    throw new InvalidArgumentError(
      `index: expected that of a cell of level ${this.level} in the scheme ${this.scheme}, got ${describe(index)}`,
    );
  }

  /**
   * The coordinates of a place on a base face.
   * @param x from 0 to 1, along its south-eastern side
   * @param y from 0 to 1, along its south-western side
   * @throws InvalidArgumentError for a face that is none
   */
  coordinatesOnFace(face: number, x: number, y: number): Coordinates {
    checkFace(face);
    const [longitude, latitude] = coordinatesOf({ face, x, y });
    return [longitude, this.#latitudes.toGeodetic(latitude)];
  }

  /**
   * The place of coordinates in the square of one base face, which goes on beyond its sides; undefined for
   * coordinates further from it than a quarter of a turn.
   * @throws InvalidArgumentError for a face that is none
   */
  placeOnFace(
    face: number,
    longitude: number,
    latitude: number,
  ): readonly [x: number, y: number] | undefined {
    return placeOnFace(checkFace(face), [longitude, this.#latitudes.toAuthalic(latitude)]);
  }

  #coordinatesIn({ face, x, y }: Cell, dx: number, dy: number): Coordinates {
    const side = 2 ** this.level;
    return this.coordinatesOnFace(face, (x + dx) / side, (y + dy) / side);
  }
}
