/**
 * From an address to a node in a store. A document of STAC leads on to the address of one of its assets;
 * every other address names its store itself.
 */

import type { Store } from "../../core/for-stores.js";
import { isZarrError, Location, shownAddress } from "../../core/for-stores.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import type { OpenedFile } from "../file-ranges/addressed-files.js";
import { readDocument } from "../file-ranges/read-document.js";
import type { StacAsset } from "../stac/assets.js";
import type { StacDocument } from "../stac/document.js";
import { type Address, parseAddress, splitNode } from "./addresses.js";
import { openInside } from "./inside.js";

/** The place of an asset, with the document of STAC that led to it. */
export class AssetLocation<S extends Store = Store> extends Location<S> {
  /** The document that the address names. */
  readonly document: StacDocument;
  /** The one of the document's assets. */
  readonly asset: StacAsset;

  constructor({ store, path }: Location<S>, document: StacDocument, asset: StacAsset) {
    super(store, path);
    this.document = document;
    this.asset = asset;
  }
}

/** What is at addresses, for somebody: the user, or a document. */
export interface Places {
  /** Makes a place of what is before the first "|". */
  readonly rootOf: (root: string) => string;
  /** Opens the store at an address, without what its segments lead to within it. */
  readonly open: (address: Address, json?: unknown) => Promise<Store>;
  /** The file at an address, if there may be a document; undefined for a folder. */
  readonly file: (address: Address) => Promise<OpenedFile | undefined>;
  /**
   * The places that a document may name; undefined for those of such places: nothing leads on twice.
   * @param buckets what the document says of the bucket
   */
  readonly named: ((document: Address, buckets: BucketsOptions) => Places) | undefined;
}

/** Longest document of STAC, in bytes. Some hold references to all chunks of their data. */
const LONGEST_DOCUMENT = 64 << 20;

/** @throws what `openStore` throws */
export async function locate(text: string, places: Places): Promise<Location | AssetLocation> {
  // The whole store is opened, because the consolidated metadata may be those of its root.
  const { store, path } = splitNode(text);
  return below(await open(parseAddress(store, places.rootOf), places), path);
}

async function open(address: Address, places: Places): Promise<Location | AssetLocation> {
  const json = places.named === undefined ? undefined : await documentAt(address, places);
  if (json !== undefined && places.named !== undefined) {
    const { isStac } = await import("../stac/document.js");
    const isMeant = address.asset !== undefined && address.isExplicit;
    if (isMeant || isStac(json)) return openAsset(json, address, places, places.named);
  }
  return new Location(await openInside(await places.open(address, json), address));
}

/** The JSON at an address that may be of STAC: one that says so, or a document of JSON. */
async function documentAt(address: Address, places: Places): Promise<unknown> {
  const { form, isExplicit, asset } = address;
  const isJson = form === "references" && !isExplicit;
  if (asset === undefined && !isJson) return undefined;
  const file = await places.file(address);
  if (file === undefined) return undefined;
  const name = shownAddress(address.address);
  if (isJson) return readDocument(file.store, file.key, name);
  const what = { what: "document of STAC", maximumBytes: LONGEST_DOCUMENT };
  try {
    return await readDocument(file.store, file.key, name, what);
  } catch (error) {
    // A hierarchy may lie at what looks like the URL of an item: there is no document then.
    const isOther = isZarrError(error, "StoreError") && [undefined, 403].includes(error.status);
    if (isExplicit || !isOther || error.isTransient) throw error;
    return undefined;
  }
}

async function openAsset(
  json: unknown,
  address: Address,
  places: Places,
  named: NonNullable<Places["named"]>,
): Promise<AssetLocation> {
  const [{ parseStac }, { chooseAsset, namedAsset }] = await Promise.all([
    import("../stac/document.js"),
    import("../stac/choose.js"),
  ]);
  const { form, isExplicit, asset: name = "", path, archives, zarrFormat, revision } = address;
  const source = shownAddress(address.address);
  const document = parseStac(json, address.address);
  if (isExplicit && form !== "stac") {
    const asset = namedAsset(document, name, source);
    const parsed = parseAddress(asset.href, places.rootOf);
    const parts = { form, isExplicit, path, archives, zarrFormat, revision };
    return new AssetLocation(
      await open({ ...parsed, ...parts }, named(address, asset.options)),
      document,
      asset,
    );
  }
  const asset = chooseAsset(document, name, source);
  const found = await locate(asset.address, named(address, asset.options));
  const store = await openInside(found.store, { archives: [], path: "/", zarrFormat });
  return new AssetLocation(below(new Location(store, found.path), path), document, asset);
}

function below(location: Location | AssetLocation, path: string): Location | AssetLocation {
  if (path === "/") return location;
  const node = location.resolve(path.slice(1));
  return location instanceof AssetLocation
    ? new AssetLocation(node, location.document, location.asset)
    : node;
}
