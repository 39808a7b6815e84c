/**
 * OME-Zarr (https://ngff.openmicroscopy.org), versions 0.1 to 0.6: images of several resolutions, labels, plates and wells. An entry of its
 * own (`wazarr/ome-zarr`).
 *
 *     const image = await openOmeZarr(new HttpStore("https://example.com/cells.zarr"));
 *     if (image.kind === "image") await image.tile(image.levelFor({ pixelSize: 0.5 }), 0, 0, { at: { t: 0, c: "DAPI" } });
 */
export type { AffineMap } from "./ome-zarr/affine.js";
export type { Axis } from "./ome-zarr/axes.js";
export type { DownsamplingMethod } from "./ome-zarr/downsample.js";
export { OmeImageList, OmePlate, OmeWell } from "./ome-zarr/hierarchy.js";
export { OmeImage } from "./ome-zarr/image.js";
export type { ImageLabel } from "./ome-zarr/labels.js";
export { Level } from "./ome-zarr/level.js";
export type { Channel, ChannelWindow, Rendering } from "./ome-zarr/omero.js";
export { type OmeNode, type OpenOmeZarrOptions, openLabels, openOmeZarr } from "./ome-zarr/open.js";
export type { Acquisition, Field, PlateLayout, WellPosition } from "./ome-zarr/plate.js";
export type { AxisChoice, Tile, TileOptions } from "./ome-zarr/tile.js";
export type { OmeZarrVersion } from "./ome-zarr/version.js";
export {
  type ImageData,
  type MultiscaleProgress,
  type WriteMultiscaleOptions,
  writeMultiscale,
} from "./ome-zarr/write.js";
export type { AxisOption } from "./ome-zarr/write-axes.js";
