/** Opens OME-Zarr images, plates, wells and label groups. */
import {
  checkNames,
  checkObject,
  type NamesOf,
  openIfThere,
  STORE_OPTIONS,
  toLocation,
  untilAborted,
} from "../../extend.js";
import {
  Group,
  InvalidMetadataError,
  isZarrError,
  type Location,
  NotFoundError,
  open,
  type Store,
  type StoreOptions,
} from "../../index.js";
import { contentOf } from "./content.js";
import { OmeImageList, OmePlate, OmeScene, OmeWell, type OpenBelow } from "./hierarchy.js";
import { type OmeImage, type OpenImageOptions, openImage } from "./image.js";
import { metadataOf } from "./metadata.js";

/** Options of `openOmeZarr`. */
export interface OpenOmeZarrOptions extends OpenImageOptions {
  /** Index in `multiscales`, for a group that has several. Default: 0. */
  readonly multiscale?: number | undefined;
}

const OPTIONS: NamesOf<OpenOmeZarrOptions> = { ...STORE_OPTIONS, multiscale: true, levels: "list" };

/** An opened OME-Zarr group. `kind` is "image", "plate", "well", "labels", "scene" or "collection". */
export type OmeNode<S extends Store = Store> =
  | OmeImage<S>
  | OmePlate<S>
  | OmeWell<S>
  | OmeImageList<S, "labels">
  | OmeImageList<S, "collection">
  | OmeScene<S>;

/**
 * Opens a group by its OME-Zarr metadata, versions 0.1 to 0.6 and 0.9, in Zarr v2 or v3. A group that is open
 * already is not read again. An image opens its arrays at once, all or those of `levels`; plates, wells and
 * lists of images open their images on request.
 * @example
 * ```ts
 * const image = await openOmeZarr(new HttpStore("https://example.com/image.ome.zarr"));
 * if (image.kind === "image") console.log(image.levels.length);
 * ```
 * @throws NotFoundError for a missing group, or a missing array that the metadata name; InvalidMetadataError
 * with the node and member (`open` can still read the arrays); UnsupportedError for another version, and for
 * a transformation that is not affine
 */
export async function openOmeZarr<S extends Store>(
  where: Location<S> | S,
  options: OpenOmeZarrOptions = {},
): Promise<OmeNode<S>> {
  checkNames(options, "openOmeZarr", OPTIONS);
  const { signal, multiscale = 0, levels } = options;
  return untilAborted(signal, async () => {
    const location = toLocation(where);
    // A group that was opened without its attributes has none.
    const isOpen = location instanceof Group && Object.keys(location.metadata.attributes).length > 0;
    const group = isOpen ? location : await open(location, { kind: "group", signal });
    return openNode(group, multiscale, { signal, levels });
  });
}

async function openNode<S extends Store>(
  group: Group<S>,
  multiscale: number,
  options: OpenImageOptions,
): Promise<OmeNode<S>> {
  const metadata = metadataOf(group.metadata.attributes, group.path);
  const { version, warnings } = metadata;
  const content = contentOf(metadata, multiscale);
  const list = { version, warnings };
  switch (content.kind) {
    case "image":
      return openImage(group, metadata, content, options);
    case "plate":
      return new OmePlate(group, version, content.layout, opener(group));
    case "well":
      return new OmeWell(group, version, content.fields, opener(group));
    case "labels":
      return new OmeImageList("labels", group, content.names, list, opener(group));
    case "scene":
      return new OmeScene(group, content, list, opener(group));
    case "collection":
      return new OmeImageList("collection", group, await seriesOf(group, options), list, opener(group));
  }
}

/** The functions throw NotFoundError for a missing node, InvalidMetadataError for a node of another kind. */
function opener<S extends Store>(group: Group<S>): OpenBelow<S> {
  const below = async (path: string, options: OpenImageOptions) => {
    try {
      return await openOmeZarr(group.resolve(path), options);
    } catch (cause) {
      if (!isZarrError(cause, "NotFoundError") || cause.member !== undefined) throw cause;
      throw new NotFoundError(
        `no group at ${JSON.stringify(group.resolve(path).path)}, which the metadata name`,
        { path: group.path, cause },
      );
    }
  };
  const other = (path: string, expected: string, found: string) =>
    new InvalidMetadataError(`expected the metadata of ${expected}, found ${found}`, {
      path: group.resolve(path).path,
    });
  return {
    async image(path, options) {
      const node = await below(path, options);
      if (node.kind === "image") return node;
      throw other(path, "an image", node.kind);
    },
    async well(path, options) {
      const node = await below(path, options);
      if (node.kind === "well") return node;
      throw other(path, "a well", node.kind);
    },
  };
}

/** Opens the list of label images of an image; undefined if it has none. @throws what `openOmeZarr` throws */
export async function openLabels<S extends Store>(
  image: OmeImage<S>,
  options: StoreOptions = {},
): Promise<OmeImageList<S, "labels"> | undefined> {
  checkNames(options, "openLabels", STORE_OPTIONS);
  return untilAborted(options.signal, async () => {
    checkObject(image, "image", "an image of openOmeZarr");
    checkObject(image.group, "image.group", "a group");
    const location = image.group.resolve("labels");
    const group = await openIfThere(location, { kind: "group", signal: options.signal });
    if (group?.kind !== "group") return undefined;
    const node = await openNode(group, 0, options);
    if (node.kind === "labels") return node;
    throw new InvalidMetadataError(`expected a list of labels, found the metadata of ${node.kind}`, {
      path: location.path,
    });
  });
}

/** Maximum series to probe if the metadata list none. */
const MOST_SERIES = 10_000;

/**
 * Paths of the images of bioformats2raw: `series` of the group OME, else the groups 0, 1, 2, ... up to the
 * first missing one.
 */
async function seriesOf(group: Group, { signal }: StoreOptions): Promise<string[]> {
  const listed = await openIfThere(group.resolve("OME"), { kind: "group", signal });
  const series =
    listed?.kind === "group"
      ? metadataOf(listed.metadata.attributes, listed.path).member.get("series")
      : undefined;
  if (series !== undefined && !series.isNull) return series.list().map((item) => item.path());
  const names: string[] = [];
  for (let i = 0; i < MOST_SERIES; i++) {
    if ((await openIfThere(group.resolve(String(i)), { kind: "group", signal })) === undefined) break;
    names.push(String(i));
  }
  return names;
}
