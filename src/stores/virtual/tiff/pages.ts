/** Which directories are images, which of them overviews of others, and which masks. */
import type { Chain } from "./chain.js";
import type { Directory } from "./directory.js";
import { MASK, REDUCED, TAG } from "./tags.js";

/** An image of a file, or an overview of one. */
export interface Level {
  readonly image: Directory;
  /** Which of its pixels are valid: GDAL's mask. */
  readonly mask: Directory | undefined;
}

export interface Page extends Level {
  /** The widest first. */
  readonly overviews: readonly Level[];
}

/** A page while its directories are read. */
interface Parts {
  readonly image: Directory;
  readonly overviews: Directory[];
  readonly masks: Directory[];
}

const REDUCED_OLD = 2;

async function kindOf(directory: Directory): Promise<"image" | "overview" | "mask"> {
  const old = (await directory.number(TAG.oldSubfileType, 1)) === REDUCED_OLD ? REDUCED : 0;
  const type = await directory.number(TAG.subfileType, old);
  if ((type & MASK) !== 0) return "mask";
  return (type & REDUCED) !== 0 ? "overview" : "image";
}

/** Overviews and masks are those of the last image before them; an overview without one is an image. */
export async function readPages(chain: Chain): Promise<Page[]> {
  const pages: Parts[] = [];
  const add = async (directory: Directory, below: Parts | undefined): Promise<Parts | undefined> => {
    const kind = await kindOf(directory);
    if (kind === "image" || below === undefined) {
      const page: Parts = { image: directory, overviews: [], masks: [] };
      pages.push(page);
      return page;
    }
    (kind === "mask" ? below.masks : below.overviews).push(directory);
    return below;
  };
  for (const directory of await chain.all()) {
    const page = await add(directory, pages.at(-1));
    if (page?.image !== directory) continue;
    for (const inner of await chain.below(directory)) await add(inner, page);
  }
  return Promise.all(pages.map(pageOf));
}

async function pageOf({ image, overviews, masks }: Parts): Promise<Page> {
  const sizes = new Map<Directory, readonly [height: number, width: number]>();
  for (const each of [image, ...overviews, ...masks]) sizes.set(each, await each.size());
  const levelOf = (of: Directory): Level => ({
    image: of,
    mask: masks.find((mask) => sizes.get(mask)?.join() === sizes.get(of)?.join()),
  });
  const widthOf = (directory: Directory): number => sizes.get(directory)?.[1] ?? Number.NaN;
  const sorted = [...overviews].sort((one, other) => widthOf(other) - widthOf(one));
  return { ...levelOf(image), overviews: sorted.map(levelOf) };
}
