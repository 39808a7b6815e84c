/**
 * JSON as Zarr metadata needs it: integers keep every digit (a bigint when a double could not hold them), and the bare
 * `NaN`, `Infinity`, `-Infinity` tokens that zarr-python writes into attributes are read.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}
