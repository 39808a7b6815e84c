/** The levels of what is shown, and the plane in which they lie. */
import { isZarrError, type Location, open, type Store } from "wazarr";
import { openGeoZarr } from "wazarr/geozarr";
import { OmeImage, openOmeZarr } from "wazarr/ome-zarr";
import { levelsInPixels, type TileLevel } from "wazarr/tiles";

export interface OpenedLevels {
  readonly levels: readonly TileLevel[];
  /** The plane counts rows downwards, as pictures do; else y goes up, as on maps. */
  readonly isDown: boolean;
}

/**
 * @param variable an array of the group; "" if the location is an array or an image itself
 * @throws what `open` throws, and TypeError for a group without a picture
 */
export async function openLevels(location: Location<Store>, variable: string): Promise<OpenedLevels> {
  if (variable !== "") {
    const levels = await levelsOnEarth(location, variable);
    if (levels.length > 0) return { levels, isDown: false };
    const array = await open(location.resolve(variable), { kind: "array" });
    return { levels: levelsInPixels([array]), isDown: true };
  }
  const node = await open(location);
  if (node.kind === "array") return { levels: levelsInPixels([node]), isDown: true };
  const image = await openOmeZarr(node);
  if (!(image instanceof OmeImage))
    throw new TypeError(`expected an array or an image, found a group at ${node.path}`);
  const axes = { yAxis: image.axis("y"), xAxis: image.axis("x") };
  const arrays = image.levels.map(({ array }) => array);
  return { levels: levelsInPixels(arrays, axes), isDown: true };
}

/** None if the metadata do not say where the array lies. */
async function levelsOnEarth(location: Location<Store>, variable: string): Promise<readonly TileLevel[]> {
  try {
    return (await openGeoZarr(location, { variable })).levels;
  } catch (error) {
    if (isZarrError(error, "StoreError")) throw error;
    return [];
  }
}
