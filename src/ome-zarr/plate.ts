/** High-content screening: plates of wells, wells of fields of view. */
import type { Member } from "../metadata/member.js";
import { integerOf, optionalNumber, optionalString, pathOf } from "./members.js";
import type { OmeMetadata } from "./version.js";

export interface Acquisition {
  readonly id: number;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly maximumFieldCount: number | undefined;
  /** Milliseconds since 1970 (the specification says no more than "epoch"). */
  readonly startTime: number | undefined;
  readonly endTime: number | undefined;
}

/** Where a well is on the plate. */
export interface WellPosition {
  /** Below the plate: "A/1". */
  readonly path: string;
  readonly row: string;
  readonly column: string;
  readonly rowIndex: number;
  readonly columnIndex: number;
}

export interface PlateLayout {
  readonly name: string | undefined;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly wells: readonly WellPosition[];
  readonly acquisitions: readonly Acquisition[];
  readonly fieldCount: number | undefined;
}

/** One field of view of a well. */
export interface Field {
  /** Below the well: "0". */
  readonly path: string;
  /** The `id` of an acquisition of the plate. */
  readonly acquisition: number | undefined;
}

/** @throws InvalidMetadataError naming the member */
export function plateOf({ member }: OmeMetadata): PlateLayout {
  const plate = member.get("plate");
  const rows = plate.get("rows").list().map(nameOf);
  const columns = plate.get("columns").list().map(nameOf);
  const acquisitions = plate.get("acquisitions");
  return {
    name: optionalString(plate.get("name")),
    rows,
    columns,
    wells: plate
      .get("wells")
      .list()
      .map((well) => positionOf(well, rows, columns)),
    acquisitions: acquisitions.isNull ? [] : acquisitions.list().map(acquisitionOf),
    fieldCount: optionalNumber(plate.get("field_count")),
  };
}

function nameOf(item: Member): string {
  const name = item.get("name");
  // 0.1 was written with numbers, too.
  return typeof name.json === "number" ? String(name.json) : name.string();
}

function positionOf(well: Member, rows: readonly string[], columns: readonly string[]): WellPosition {
  const path = pathOf(well.get("path"));
  const names = path.split("/");
  const [row = "", column = ""] = names;
  const at = (list: readonly string[], name: string, member: Member) => {
    // `rowIndex` and `columnIndex` came with 0.4; the path says the same.
    const index = member.isNull ? list.indexOf(name) : integerOf(member);
    if (index < 0) throw well.get("path").invalid("the names of a row and of a column of the plate");
    if (index >= list.length) throw member.invalid(`an index below ${list.length}`);
    if (list[index] !== name)
      throw well.get("path").invalid(`"${name}" to be ${list[index]}, as the index says`);
    return index;
  };
  if (names.length !== 2) throw well.get("path").invalid('a row and a column, such as "A/1"');
  const rowIndex = at(rows, row, well.get("rowIndex"));
  const columnIndex = at(columns, column, well.get("columnIndex"));
  return { path, row, column, rowIndex, columnIndex };
}

function acquisitionOf(item: Member): Acquisition {
  return {
    id: integerOf(item.get("id")),
    name: optionalString(item.get("name")),
    description: optionalString(item.get("description")),
    maximumFieldCount: optionalNumber(item.get("maximumfieldcount")),
    startTime: optionalNumber(item.get("starttime")),
    endTime: optionalNumber(item.get("endtime")),
  };
}

/** @throws InvalidMetadataError naming the member */
export function fieldsOf({ member }: OmeMetadata): Field[] {
  return member
    .get("well")
    .get("images")
    .list()
    .map((image) => ({
      path: pathOf(image.get("path")),
      acquisition: optionalNumber(image.get("acquisition")),
    }));
}
