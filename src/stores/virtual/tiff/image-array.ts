/** An image of a file as an array. */
import type { JsonObject } from "../../../core/for-stores.js";
import { CHUNK_KEYS } from "../numbers-array.js";
import { once } from "../once.js";
import type { VirtualArray } from "../port.js";
import { layOut } from "./chunks.js";
import { codecsOf } from "./codecs.js";
import type { Directory } from "./directory.js";
import { bandAttributes, missingSample, nodataAttribute, nodataJson, nodataOf } from "./gdal.js";
import { readImage, type TiffImage } from "./image.js";
import { MAPPING, type Place, placeAttributes } from "./place.js";

/** An image, with the codecs that read it. */
export interface ReadableImage extends TiffImage {
  readonly codecs: readonly JsonObject[];
}

/** @throws StoreError for a damaged directory, UnsupportedError for an image that wazarr cannot read */
export async function readableImage(directory: Directory): Promise<ReadableImage> {
  const image = await readImage(directory);
  return { ...image, codecs: await codecsOf(image) };
}

/** @param dimensions names of rows and columns */
export function imageArray(
  image: ReadableImage,
  place: Place | undefined,
  dimensions: readonly [y: string, x: string],
): VirtualArray {
  const { height, width, samples, isPlanar, dataType, codecs } = image;
  const isComplex = dataType.startsWith("complex");
  const prepared = once(async () => {
    const nodata = await nodataOf(image);
    return { nodata, layout: layOut(image, missingSample(image, nodata)) };
  });
  const isInside = (index: number, count: number): boolean =>
    Number.isInteger(index) && index >= 0 && index < count;
  return {
    kind: "array",
    document: once(async () => {
      const { nodata, layout } = await prepared();
      return {
        zarr_format: 3,
        node_type: "array",
        shape: samples > 1 ? [samples, height, width] : [height, width],
        data_type: dataType,
        chunk_grid: layout.grid,
        chunk_key_encoding: CHUNK_KEYS,
        fill_value: isComplex ? [0, 0] : nodata === undefined ? 0 : nodataJson(nodata),
        codecs: [...codecs],
        dimension_names: samples > 1 ? ["band", ...dimensions] : [...dimensions],
        attributes: {
          ...(nodata === undefined ? {} : { _FillValue: nodataAttribute(nodata, image) }),
          ...(await bandAttributes(image)),
          ...(place === undefined
            ? {}
            : { ...placeAttributes(place, [height, width], dimensions), grid_mapping: MAPPING }),
        },
      };
    }),
    async chunk(coordinates) {
      const { planes, rows, columns, find } = (await prepared()).layout;
      const [plane, row, column] = samples > 1 ? coordinates : [0, ...coordinates];
      if (plane === undefined || row === undefined || column === undefined) return undefined;
      const isThere = isInside(plane, planes) && isInside(row, rows) && isInside(column, columns);
      return isThere ? find(isPlanar ? plane : 0, row, column) : undefined;
    },
    async *chunks() {
      const { planes, rows, columns, find } = (await prepared()).layout;
      for (let plane = 0; plane < planes; plane++)
        for (let row = 0; row < rows; row++)
          for (let column = 0; column < columns; column++)
            if ((await find(plane, row, column)) !== undefined)
              yield samples > 1 ? [plane, row, column] : [row, column];
    },
  };
}
