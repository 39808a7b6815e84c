/**
 * Documents of STAC that a program has already, such as the results of a search: `wazarr/stac`. Of one that
 * is at an address, `openDataset` and `openStore` take the address.
 *
 *     const { features } = await (await fetch(search)).json();
 *     const item = parseStac(features[0], itemsUrl);
 *     const { address, options } = item.assets.find(({ key }) => key === "zarr-https");
 *     const ds = await openDataset(await openLocation(address, options));
 * @module
 */
export type { StacAsset } from "./assets.js";
export { parseStac, type StacDocument } from "./document.js";
export type { AssetForm } from "./media-types.js";
export type { StacRender } from "./renders.js";
export type { StacVariable } from "./variables.js";
