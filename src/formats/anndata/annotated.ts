/** Annotated matrices: AnnData. */
import { checkNames, describe, STORE_OPTIONS, untilAborted } from "../../extend.js";
import {
  type Group,
  InvalidArgumentError,
  InvalidMetadataError,
  type Location,
  type Node,
  type Store,
  type StoreOptions,
} from "../../index.js";
import { asGroup, namesIn, nodeAt, startOf } from "./encoding.js";
import { type Matrix, matrixOf } from "./matrix.js";
import { type Table, tableOf } from "./table.js";

/** A matrix of observations and variables, and what is known of them. It holds no elements. */
export class AnnData {
  /** The group of the object in its store. */
  readonly group: Group;
  /** Of each observation, a row of X. */
  readonly obs: Table;
  /** Of each variable, a column of X. */
  readonly var: Table;
  /** Numbers of observations and of variables. */
  readonly shape: readonly [observations: number, variables: number];

  constructor(group: Group, obs: Table, variables: Table) {
    this.group = group;
    this.obs = obs;
    this.var = variables;
    this.shape = [obs.length, variables.length];
  }

  /**
   * Opens a matrix by its path: "X", "layers/counts", "obsm/X_umap", "obsp/distances", "raw/X".
   * @throws NotFoundError; InvalidMetadataError for a node that is no matrix, and for X or a layer of another
   * shape; UnsupportedError for an unknown encoding
   */
  async matrix(path: string, options: StoreOptions = {}): Promise<Matrix> {
    checkNames(options, "matrix", STORE_OPTIONS);
    return untilAborted(options.signal, async () => {
      const matrix = await matrixOf(await this.#nodeAt(path, options), options.signal);
      const isOfShape = matrix.shape.every((length, d) => length === this.shape[d]);
      if (isOfShape || !/^(X|layers\/[^/]+)$/.test(path)) return matrix;
      throw new InvalidMetadataError(
        `expected ${this.shape.join(" x ")} elements in ${path}, got ${matrix.shape.join(" x ")}`,
        { path: this.group.path },
      );
    });
  }

  /** Opens another table by its path: "obsm/spots", "raw/var". @throws NotFoundError, and as `openAnnData` */
  async table(path: string, options: StoreOptions = {}): Promise<Table> {
    checkNames(options, "table", STORE_OPTIONS);
    return untilAborted(options.signal, async () =>
      tableOf(await this.#nodeAt(path, options), options.signal),
    );
  }

  /**
   * The names of what a part has: "layers", "obsm", "varm", "obsp", "varp", "uns". None if the part is
   * missing.
   * @throws UnsupportedError for a store that cannot be listed
   */
  async names(part: string, options: StoreOptions = {}): Promise<string[]> {
    checkNames(options, "names", STORE_OPTIONS);
    return namesIn(this.group.resolve(checkPath(part)), options);
  }

  async #nodeAt(path: string, { signal }: StoreOptions): Promise<Node> {
    return nodeAt(this.group.resolve(checkPath(path)), signal);
  }
}

/** @throws InvalidArgumentError for what could lead out of the group */
function checkPath(path: string): string {
  if (typeof path === "string" && path.split("/").every((name) => !/^\.*$/.test(name))) return path;
  throw new InvalidArgumentError(`path: expected one such as "X" or "layers/counts", got ${describe(path)}`);
}

/**
 * Opens AnnData as anndata 0.7 and newer write them, in Zarr v2 or v3: the tables `obs` and `var`; matrices
 * and columns are opened on request.
 * @example
 * ```ts
 * const data = await openAnnData(store);
 * const type = await data.obs.column("cell_type");
 * const matrix = await data.matrix("X");
 * ```
 * @throws NotFoundError for a missing group; InvalidMetadataError with node and member; UnsupportedError for
 * a group of another encoding
 */
export async function openAnnData<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions = {},
): Promise<AnnData> {
  checkNames(options, "openAnnData", STORE_OPTIONS);
  return untilAborted(options.signal, async () => annDataAt(await startOf(where, options), options.signal));
}

/** @throws as `openAnnData` */
export async function annDataAt(location: Location, signal: AbortSignal | undefined): Promise<AnnData> {
  const group = asGroup(await nodeAt(location, signal));
  const tableAt = async (name: string): Promise<Table> =>
    tableOf(await nodeAt(group.resolve(name), signal), signal);
  const [obs, variables] = await Promise.all([tableAt("obs"), tableAt("var")]);
  return new AnnData(group, obs, variables);
}
