/** Writes the metadata of plates and wells (high-content screening), by the rules of 0.4 and 0.5. */
import {
  checkNames,
  checkObject,
  describe,
  type NamesOf,
  openIfThere,
  STORE_OPTIONS,
  toLocation,
  untilAborted,
} from "../../extend.js";
import {
  create,
  Group,
  InvalidArgumentError,
  type JsonObject,
  type Location,
  NotFoundError,
  type StoreOptions,
  updateAttributes,
  type WritableStore,
} from "../../index.js";
import { checkVersion, type WrittenVersion, writtenVersion } from "./metadata.js";

/** Options of `writePlate`. */
export interface WritePlateOptions extends StoreOptions {
  /**
   * Names of the fields of view, which are images, by "row/column": `{ "A/1": ["0", "1"] }`. Names are
   * letters and digits.
   */
  readonly wells: Readonly<Record<string, readonly string[]>>;
  /** Name of the plate. */
  readonly name?: string | undefined;
  /** The version of the images. Default: "0.5". */
  readonly version?: WrittenVersion | undefined;
}

const OPTIONS: NamesOf<WritePlateOptions> = { ...STORE_OPTIONS, wells: true, name: true, version: true };

/**
 * Writes the metadata of a plate and of its wells. Its images are written before, by `writeMultiscale`, at
 * "A/1/0" and so on below the plate.
 * @returns the group of the plate
 * @throws InvalidArgumentError for names that the specification does not allow, NotFoundError for a field
 * without an image, and what `create` and `updateAttributes` throw
 */
export async function writePlate<S extends WritableStore>(
  where: Location<S> | S,
  options: WritePlateOptions,
): Promise<Group<S>> {
  checkNames(options, "writePlate", OPTIONS);
  const { wells, name, version = "0.5", signal } = options;
  checkObject(wells, "wells", "an object");
  checkVersion(version);
  const places = Object.entries(wells).map(([path, fields]) => {
    const [row = "", column = "", ...more] = path.split("/");
    const names = Array.isArray(fields) ? [row, column, ...fields] : [""];
    if (more.length > 0 || fields.length === 0 || !names.every((each) => /^[0-9A-Za-z]+$/.test(each))) {
      throw new InvalidArgumentError(
        `wells: expected fields by "row/column", names of letters and digits, got ${describe(fields)} for ${describe(path)}`,
      );
    }
    return { path, row, column, fields };
  });
  const rows = [...new Set(places.map(({ row }) => row))].sort();
  const columns = [...new Set(places.map(({ column }) => column))].sort((a, b) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const inForm = (member: string, json: JsonObject): JsonObject =>
    version === "0.4"
      ? { [member]: { version, ...json } }
      : { ome: { version: writtenVersion(version), [member]: json } };
  return untilAborted(signal, async () => {
    const location = toLocation(where);
    for (const { path, fields } of places)
      for (const field of fields) await imageAt(location.resolve(`${path}/${field}`), signal);
    for (const { path, fields } of places) {
      const images = fields.map((field) => ({ path: field }));
      await updateGroup(location.resolve(path), inForm("well", { images }), version, signal);
    }
    const plate = {
      ...(name === undefined ? {} : { name }),
      rows: rows.map((each) => ({ name: each })),
      columns: columns.map((each) => ({ name: each })),
      wells: places.map(({ path, row, column }) => ({
        path,
        rowIndex: rows.indexOf(row),
        columnIndex: columns.indexOf(column),
      })),
      field_count: Math.max(0, ...places.map(({ fields }) => fields.length)),
    };
    return updateGroup(location, inForm("plate", plate), version, signal);
  });
}

async function imageAt(location: Location, signal: AbortSignal | undefined): Promise<void> {
  if ((await openIfThere(location, { kind: "group", signal })) !== undefined) return;
  throw new NotFoundError("no image at this path; write it with writeMultiscale before the plate", {
    path: location.path,
  });
}

async function updateGroup<S extends WritableStore>(
  location: Location<S>,
  attributes: JsonObject,
  version: WrittenVersion,
  signal: AbortSignal | undefined,
): Promise<Group<S>> {
  const node = await openIfThere(location, { kind: "group", signal });
  const group =
    node instanceof Group ? node : await create(location, { zarrFormat: version === "0.4" ? 2 : 3, signal });
  return updateAttributes(group, attributes, { signal });
}
