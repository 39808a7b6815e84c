/** The CRS of data as a projection of OpenLayers. */

import type Projection from "ol/proj/Projection.js";
import { register } from "ol/proj/proj4.js";
import { get as projectionNamed } from "ol/proj.js";
import proj4 from "proj4";
import { UnsupportedError } from "wazarr";
import type { Crs } from "wazarr/geozarr";

/** @throws UnsupportedError for a CRS that neither OpenLayers, proj4 nor the metadata know */
export function projectionOf(crs: Crs | undefined): Projection {
  const code = crs?.isGeographic === true || crs === undefined ? "EPSG:4326" : (crs.code ?? `wkt:${crs.wkt}`);
  const known = projectionNamed(code);
  if (known !== null) return known;
  if (crs?.wkt !== undefined) proj4.defs(code, crs.wkt);
  register(proj4);
  const found = projectionNamed(code);
  if (found !== null) return found;
  throw new UnsupportedError(
    `OpenLayers does not know the CRS ${code}; define it with proj4.defs and register`,
  );
}
