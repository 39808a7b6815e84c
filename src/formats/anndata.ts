/**
 * Opens AnnData and SpatialData: annotated matrices, and the tables around them.
 *
 * ```ts
 * import { HttpStore } from "wazarr";
 * import { openAnnData } from "wazarr/anndata";
 *
 * const cells = await openAnnData(new HttpStore("https://example.com/cells.zarr"));
 * const type = await cells.obs.column("cell_type");
 * const labels = await type.read([0, 100]);
 * const matrix = await cells.matrix("X");
 * const { data, shape } = await matrix.rows([0, 100]);
 * ```
 * @module
 */
export { CategoricalArray, type Codes, NullableArray, type Values } from "../extend.js";
export { AnnData, openAnnData } from "./anndata/annotated.js";
export { type ReadColumnOptions, TableColumn, type TableData } from "./anndata/column.js";
export { DenseMatrix, type Matrix, type MatrixPart } from "./anndata/matrix.js";
export type { ReadOptions, Rows } from "./anndata/rows.js";
export { type CompressedLines, SparseMatrix, type SparseMatrixPart } from "./anndata/sparse.js";
export {
  openSpatialData,
  SpatialData,
  type SpatialKind,
  type SpatialTable,
  type TableTarget,
} from "./anndata/spatial.js";
export { Table } from "./anndata/table.js";
