/**
 * Says where the assets of a STAC document are that a program has already, such as the result of a search.
 *
 * ```ts
 * import { parseStac } from "wazarr/stac";
 * import { openLocation } from "wazarr/stores/open-store";
 * import { openDataset } from "wazarr/xarray";
 *
 * const address = "https://example.com/items/daymet.json";
 * const item = parseStac(await (await fetch(address)).json(), address);
 * const asset = item.assets.find(({ key }) => key === "zarr-https");
 * if (asset?.address !== undefined) {
 *   const ds = await openDataset(await openLocation(asset.address, asset.options));
 * }
 * ```
 *
 * Of a document at an address, `openDataset` and `openStore` take the address.
 * @module
 */
export type { StacAsset } from "./assets.js";
export { parseStac, type StacDocument } from "./document.js";
export type { AssetForm } from "./media-types.js";
export type { StacRender } from "./renders.js";
export type { StacVariable } from "./variables.js";
