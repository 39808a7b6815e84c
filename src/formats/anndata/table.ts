/** Tables (data frames): columns of the same length, and the names of the rows. */
import { checkNames, describe } from "../../extend.js";
import {
  type Group,
  InvalidArgumentError,
  InvalidMetadataError,
  type Node,
  NotFoundError,
  UnsupportedError,
} from "../../index.js";
import { columnOf, type TableColumn } from "./column.js";
import { asGroup, attributesOf, encodingOf, nodeAt } from "./encoding.js";
import { READ, type ReadOptions } from "./rows.js";

/** A table of `obs`, `var`, or any other. It holds no elements. */
export class Table {
  /** The group of the data frame in its store. */
  readonly group: Group;
  /** Number of rows. */
  readonly length: number;
  /** Names of the columns, in their order, without the index. */
  readonly columnNames: readonly string[];
  /** The names of the rows. */
  readonly index: TableColumn;

  constructor(group: Group, columnNames: readonly string[], index: TableColumn) {
    this.group = group;
    this.length = index.length;
    this.columnNames = columnNames;
    this.index = index;
  }

  /**
   * Opens a column.
   * @throws NotFoundError for a name that is not in `columnNames`; InvalidMetadataError for a column of
   * another length; UnsupportedError for an unknown encoding
   */
  async column(name: string, options: ReadOptions = {}): Promise<TableColumn> {
    checkNames(options, "column", READ);
    const { path } = this.group;
    if (!this.columnNames.includes(name))
      throw new NotFoundError(
        `no column ${describe(name)}; the columns are ${this.columnNames.join(", ") || "none"}`,
        { path },
      );
    const { signal } = options;
    const column = await columnOf(name, await nodeAt(this.group.resolve(name), signal), signal);
    if (column.length === this.length) return column;
    throw new InvalidMetadataError(`expected ${this.length} rows, got ${column.length} of column ${name}`, {
      path,
    });
  }

  /** Opens columns, all unless given, by their names. @throws as `column` */
  async columns(
    names: readonly string[] = this.columnNames,
    options: ReadOptions = {},
  ): Promise<Record<string, TableColumn>> {
    checkNames(options, "columns", READ);
    if (!Array.isArray(names))
      throw new InvalidArgumentError(`names: expected a list of names of columns, got ${describe(names)}`);
    const opened = await Promise.all(names.map((name) => this.column(name, options)));
    return Object.fromEntries(opened.map((column) => [column.name, column]));
  }
}

/** @throws InvalidMetadataError for a node that is no table; UnsupportedError for one of an old form */
export async function tableOf(node: Node, signal: AbortSignal | undefined): Promise<Table> {
  const group = asGroup(node);
  const encoding = encodingOf(group);
  if (encoding !== "dataframe")
    throw new UnsupportedError(
      `expected the encoding dataframe, got ${encoding || "none"}; tables from before anndata 0.7 are not supported`,
      { path: group.path },
    );
  const attributes = attributesOf(group);
  const names = attributes
    .get("column-order")
    .list()
    .map((name) => name.path());
  const index = attributes.get("_index").path();
  return new Table(group, names, await columnOf(index, await nodeAt(group.resolve(index), signal), signal));
}
