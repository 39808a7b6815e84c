/**
 * TIFF, BigTIFF and COG as groups of arrays: `image`, and the images of further pages as `image_1` and so on;
 * `mask` with GDAL's mask of an image. Overviews are in the groups `overviews/1`, `overviews/2`, under the
 * same names; the root lists those of the first page as levels of a GeoZarr raster. Arrays are [row, column],
 * or [band, row, column] if pixels have several samples. TIFF 6.0; BigTIFF; GeoTIFF 1.1 (OGC 19-008r4); tags
 * of GDAL.
 */
import { once } from "../once.js";
import type { VirtualFormat, VirtualGroup } from "../port.js";
import { Chain } from "./chain.js";
import { readHeader } from "./directory.js";
import { type Contents, levelContents, rasterAttributes } from "./levels.js";
import { type Page, readPages } from "./pages.js";

export const tiff: VirtualFormat = {
  async open(file) {
    const chain = new Chain(await readHeader(file));
    // A file that has no image at all is refused here.
    await chain.upTo(0);
    const pages = once(() => readPages(chain));
    const overviews = groupOf(async () => overviewGroups(await pages()));
    return groupOf(async () => {
      const all = await pages();
      const { nodes } = await levelContents(all, 0);
      const attributes = await rasterAttributes(all);
      return depthOf(all) === 0
        ? { attributes, nodes }
        : { attributes, nodes: new Map([...nodes, [OVERVIEWS, overviews]]) };
    });
  },
};

const OVERVIEWS = "overviews";

const depthOf = (pages: readonly Page[]): number =>
  Math.max(0, ...pages.map(({ overviews }) => overviews.length));

function overviewGroups(pages: readonly Page[]): Contents {
  const levels = Array.from({ length: depthOf(pages) }, (_, i) => i + 1);
  const group = (level: number): VirtualGroup => groupOf(() => levelContents(pages, level));
  return { attributes: {}, nodes: new Map(levels.map((level) => [String(level), group(level)])) };
}

function groupOf(read: () => Promise<Contents>): VirtualGroup {
  const contents = once(read);
  return {
    kind: "group",
    async document() {
      const { attributes } = await contents();
      return { zarr_format: 3, node_type: "group", attributes };
    },
    async names() {
      const entries = [...(await contents()).nodes];
      const readable = entries.filter(([, node]) => !(node instanceof Error));
      // If nothing can be read, whoever opens the group learns why.
      return (readable.length > 0 ? readable : entries).map(([name]) => name);
    },
    async child(name) {
      const node = (await contents()).nodes.get(name);
      if (node instanceof Error) throw node;
      return node;
    },
  };
}
