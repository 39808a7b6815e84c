/** The metadata of plates and wells (high-content screening). */
import type { Member } from "../../extend.js";
import { optionalList, optionalNumber, optionalString } from "./members.js";
import type { OmeMetadata } from "./metadata.js";

/** A run of the microscope over the plate. */
export interface Acquisition {
  /** The id by which fields refer to it. */
  readonly id: number;
  /** Name in the metadata; undefined if they have none. */
  readonly name: string | undefined;
  /** Description in the metadata; undefined if they have none. */
  readonly description: string | undefined;
  /** Maximum number of fields of a well in this run. */
  readonly maximumFieldCount: number | undefined;
  /** Milliseconds since 1970-01-01. The specification only says "epoch". */
  readonly startTime: number | undefined;
  /** Milliseconds since 1970-01-01. */
  readonly endTime: number | undefined;
}

/** Position of a well on the plate. Indices start at 0. */
export interface WellPosition {
  /** Path below the plate: "A/1". */
  readonly path: string;
  /** Name of the row: "A". */
  readonly row: string;
  /** Name of the column: "1". */
  readonly column: string;
  /** From 0. */
  readonly rowIndex: number;
  /** From 0. */
  readonly columnIndex: number;
}

/** Rows, columns, wells and acquisitions of a plate, as its metadata state them. */
export interface PlateLayout {
  /** Name in the metadata; undefined if they have none. */
  readonly name: string | undefined;
  /** Names of the rows, in order. */
  readonly rows: readonly string[];
  /** Names of the columns, in order. */
  readonly columns: readonly string[];
  /** The wells that have images. */
  readonly wells: readonly WellPosition[];
  /** Acquisitions in the metadata; empty if they have none. */
  readonly acquisitions: readonly Acquisition[];
  /** Maximum number of fields of a well. */
  readonly fieldCount: number | undefined;
}

/** One field of view of a well. */
export interface Field {
  /** Path below the well: "0". */
  readonly path: string;
  /** `id` of an acquisition of the plate. */
  readonly acquisition: number | undefined;
}

/** @throws InvalidMetadataError with the member */
export function plateOf({ member }: OmeMetadata): PlateLayout {
  const plate = member.get("plate");
  const rows = plate.get("rows").list().map(nameOf);
  const columns = plate.get("columns").list().map(nameOf);
  const [rowPlaces, columnPlaces] = [placesOf(rows), placesOf(columns)];
  return {
    name: optionalString(plate.get("name")),
    rows,
    columns,
    wells: plate
      .get("wells")
      .list()
      .map((well) => positionOf(well, rowPlaces, columnPlaces)),
    acquisitions: optionalList(plate.get("acquisitions")).map(acquisitionOf),
    fieldCount: optionalNumber(plate.get("field_count")),
  };
}

function nameOf(item: Member): string {
  const name = item.get("name");
  // Some writers of 0.1 used numbers as names.
  return typeof name.json === "number" ? String(name.json) : name.string();
}

/** Names in order, and the index of each. */
interface Places {
  readonly names: readonly string[];
  readonly indexes: ReadonlyMap<string, number>;
}

function placesOf(names: readonly string[]): Places {
  // The first of several that have one name.
  return { names, indexes: new Map(names.map((name, i) => [name, i] as const).reverse()) };
}

function positionOf(well: Member, rows: Places, columns: Places): WellPosition {
  const path = well.get("path").path();
  const parts = path.split("/");
  const [row = "", column = ""] = parts;
  const at = ({ names, indexes }: Places, name: string, member: Member) => {
    // `rowIndex` and `columnIndex` exist since 0.4. In older files the names in the path determine them.
    const index = member.isNull ? indexes.get(name) : member.integer();
    if (index === undefined)
      throw well.get("path").invalid("the names of a row and of a column of the plate");
    if (index >= names.length) throw member.invalid(`an index below ${names.length}`);
    if (names[index] !== name)
      throw well.get("path").invalid(`${names[index]} in place of "${name}", as the index says`);
    return index;
  };
  if (parts.length !== 2) throw well.get("path").invalid('a row and a column, such as "A/1"');
  const rowIndex = at(rows, row, well.get("rowIndex"));
  const columnIndex = at(columns, column, well.get("columnIndex"));
  return { path, row, column, rowIndex, columnIndex };
}

function acquisitionOf(item: Member): Acquisition {
  return {
    id: item.get("id").integer(),
    name: optionalString(item.get("name")),
    description: optionalString(item.get("description")),
    maximumFieldCount: optionalNumber(item.get("maximumfieldcount")),
    startTime: optionalNumber(item.get("starttime")),
    endTime: optionalNumber(item.get("endtime")),
  };
}

/** @throws InvalidMetadataError with the member */
export function fieldsOf({ member }: OmeMetadata): Field[] {
  return member
    .get("well")
    .get("images")
    .list()
    .map((image) => ({
      path: image.get("path").path(),
      acquisition: optionalNumber(image.get("acquisition")),
    }));
}
