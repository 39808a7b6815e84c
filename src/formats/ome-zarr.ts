/**
 * Opens and writes OME-Zarr (https://ngff.openmicroscopy.org): images of several resolutions, labels, plates
 * and wells.
 *
 * ```ts
 * import { HttpStore } from "wazarr";
 * import { openOmeZarr } from "wazarr/ome-zarr";
 *
 * const image = await openOmeZarr(new HttpStore("https://example.com/cells.zarr"));
 * if (image.kind !== "image") throw new Error(`a ${image.kind}`);
 * const level = image.levelFor({ pixelSize: 0.5 });
 * const { data, shape } = await image.tile(level, 0, 0, { size: 256, at: { t: 0, c: "DAPI" } });
 * ```
 *
 * It reads versions 0.1 to 0.6 and 0.9 (a draft).
 * @module
 */
export type { DownsamplingMethod } from "../extend.js";
export type { Axis } from "./ome-zarr/axes.js";
export type { ShownChannel } from "./ome-zarr/channels.js";
export { OmeImageList, OmePlate, OmeScene, OmeWell } from "./ome-zarr/hierarchy.js";
export { OmeImage, type OpenImageOptions } from "./ome-zarr/image.js";
export {
  type AxisChoice,
  type DrawnTile,
  type DrawnTileOptions,
  Level,
  type Tile,
  type TileOptions,
} from "./ome-zarr/level.js";
export type { OmeZarrVersion, WrittenVersion } from "./ome-zarr/metadata.js";
export { type OmeNode, type OpenOmeZarrOptions, openLabels, openOmeZarr } from "./ome-zarr/open.js";
export type { Orientation } from "./ome-zarr/orientation.js";
export {
  type ParsedImage,
  type ParsedLevel,
  type ParsedOmeZarr,
  type ParseOmeZarrOptions,
  parseOmeZarr,
} from "./ome-zarr/parse.js";
export type { Acquisition, Field, PlateLayout, WellPosition } from "./ome-zarr/plate.js";
export { openTransformation, PointTransformation } from "./ome-zarr/point-transformation.js";
export type { Channel, ChannelWindow, ImageLabel, Rendering } from "./ome-zarr/rendering.js";
export type { FieldStep, TransformationStep } from "./ome-zarr/steps.js";
export type { CoordinateSystem, SystemName, SystemTransformation } from "./ome-zarr/systems.js";
export type { AffineMap } from "./ome-zarr/transformations.js";
export {
  type ImageData,
  type LabelsOption,
  type MultiscaleProgress,
  type WriteMultiscaleOptions,
  writeMultiscale,
} from "./ome-zarr/write.js";
export type { AxisOption } from "./ome-zarr/write-axes.js";
export { type WritePlateOptions, writePlate } from "./ome-zarr/write-plate.js";
export type { ChannelOption, LabelColor } from "./ome-zarr/write-rendering.js";
