/**
 * The types of attributes, which JSON does not have and netCDF-C keeps beside them: `_nczarr_attr` (NCZarr of
 * netCDF 4.10), before `_NCZARR_ATTR`. xarray has them through its engine netcdf4.
 */
import { isJsonObject, ownMember } from "../../extend.js";
import type { JsonObject } from "../../index.js";

/** Attributes that netCDF-C keeps for itself. xarray does not show them either. */
export const isOfNetcdf = (name: string): boolean => name.toLowerCase().startsWith("_nc");

/** Whether netCDF-C says that an attribute is of 32-bit floats. */
export function isFloat32(attributes: JsonObject, name: string): boolean {
  const stated = attributes._nczarr_attr ?? attributes._NCZARR_ATTR;
  const types = isJsonObject(stated) ? stated.types : undefined;
  const type = isJsonObject(types) ? ownMember(types, name) : undefined;
  return typeof type === "string" && /^[<>|=]?f4$/.test(type);
}
