/** The arrays of one resolution: images and masks of all pages, and the coordinates of the first. */
import { isZarrError, type JsonObject, StoreError, UnsupportedError } from "../../../core/for-stores.js";
import { numbersArray } from "../numbers-array.js";
import type { VirtualNode } from "../port.js";
import type { Directory } from "./directory.js";
import { imageArray, type ReadableImage, readableImage } from "./image-array.js";
import type { Level, Page } from "./pages.js";
import {
  coordinateAttributes,
  coordinatesAlong,
  MAPPING,
  mappingAttributes,
  type Place,
  placeAttributes,
  placeOf,
  scaled,
} from "./place.js";

/** A group: its nodes by name, or why one cannot be read. */
export interface Contents {
  readonly attributes: JsonObject;
  readonly nodes: ReadonlyMap<string, VirtualNode | Error>;
}

/** The number of a level: 0 for the images themselves, and 1 for the widest of the overviews. */
const levelOf = (page: Page, level: number): Level | undefined =>
  level === 0 ? page : page.overviews[level - 1];

/** The path of the group of a level, with "/" at its end; "" for the root. */
const folderOf = (level: number): string => (level === 0 ? "" : `overviews/${level}/`);

const named = (name: string, page: number): string => (page === 0 ? name : `${name}_${page}`);

export async function levelContents(pages: readonly Page[], level: number): Promise<Contents> {
  const nodes = new Map<string, VirtualNode | Error>();
  const [first] = pages;
  const size = first && (await sizeOf(levelOf(first, level)?.image));
  let bands = 0;
  for (const [i, page] of pages.entries()) {
    const found = levelOf(page, level);
    if (found === undefined) continue;
    const place = await placeOfLevel(page, found.image);
    // Pages of another size have dimensions of their own.
    const isAlike = (await sizeOf(found.image)) === size;
    const dimensions = isAlike ? (["y", "x"] as const) : ([`y_${i}`, `x_${i}`] as const);
    for (const [name, directory] of [
      ["image", found.image],
      ["mask", found.mask],
    ] as const) {
      if (directory === undefined) continue;
      const image = await unlessRefused(directory, `/${folderOf(level)}${named(name, i)}`);
      nodes.set(named(name, i), image instanceof Error ? image : imageArray(image, place, dimensions));
      if (i > 0 || name !== "image" || image instanceof Error) continue;
      bands = image.samples;
      if (place !== undefined) for (const each of coordinates(image, place)) nodes.set(...each);
    }
  }
  if (bands > 1) nodes.set("band", bandNumbers(bands));
  return { attributes: {}, nodes };
}

const sizeOf = async (directory: Directory | undefined): Promise<string> =>
  directory === undefined ? "" : (await directory.size()).join();

/** Overviews have no place of their own: they are as wide and high as the image. */
async function placeOfLevel(page: Page, image: Directory): Promise<Place | undefined> {
  const place = await placeOf(page.image);
  if (place === undefined || image === page.image) return place;
  const [[height, width], [rows, columns]] = [await page.image.size(), await image.size()];
  return { ...place, transform: scaled(place.transform, width / columns, height / rows) };
}

const bandNumbers = (bands: number): VirtualNode =>
  numbersArray({
    ...{ type: "int32", shape: [bands], dimensions: ["band"], attributes: {} },
    values: () => Array.from({ length: bands }, (_, i) => i + 1),
  });

function coordinates({ width, height }: ReadableImage, place: Place): [string, VirtualNode][] {
  const along = (axis: "x" | "y", length: number): [string, VirtualNode][] => {
    const values = coordinatesAlong(place, axis, length);
    if (values === undefined) return [];
    const attributes = coordinateAttributes(place, axis);
    return [
      [axis, numbersArray({ type: "float64", shape: [length], dimensions: [axis], attributes, values })],
    ];
  };
  const mapping = numbersArray({
    ...{ type: "int32", shape: [], dimensions: [], attributes: mappingAttributes(place) },
    values: () => [0],
  });
  return [...along("y", height), ...along("x", width), [MAPPING, mapping]];
}

/** The image of a directory, or why it cannot be read. */
async function unlessRefused(directory: Directory, path: string): Promise<ReadableImage | Error> {
  try {
    return await readableImage(directory);
  } catch (error) {
    if (isZarrError(error, "UnsupportedError")) return new UnsupportedError(error.reason, { path });
    if (isZarrError(error, "StoreError")) return new StoreError(error.reason, { path, cause: error });
    throw error;
  }
}

/** The levels of the first page, as the convention `multiscales` lists them. */
export async function rasterAttributes(pages: readonly Page[]): Promise<JsonObject> {
  const [page] = pages;
  if (page === undefined) return {};
  const layout: JsonObject[] = [];
  const [height, width] = await page.image.size();
  for (const [level, { image }] of [page, ...page.overviews].entries()) {
    if ((await unlessRefused(image, "")) instanceof Error) continue;
    const [rows, columns] = await image.size();
    const place = await placeOfLevel(page, image);
    layout.push({
      asset: `${folderOf(level)}image`,
      ...(level === 0
        ? {}
        : {
            derived_from: "image",
            transform: { scale: [height / rows, width / columns], translation: [0, 0] },
          }),
      ...(place === undefined ? {} : placeAttributes(place, [rows, columns], ["y", "x"])),
    });
  }
  // Levels are counted from the first.
  return layout.length > 0 && layout[0]?.asset === "image" ? { multiscales: { layout } } : {};
}
