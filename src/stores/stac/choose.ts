/** Which asset of a document is meant: the one that is named, or the only one that can be opened. */
import { didYouMean, InvalidArgumentError, UnsupportedError } from "../../core/for-stores.js";
import type { StacAsset } from "./assets.js";
import type { StacDocument } from "./document.js";

/** Roles of what goes with data: it is opened if it is named. */
const BESIDE = ["thumbnail", "overview", "browse", "metadata", "mask", "documentation"];
/** Assets that an error lists, and variables of each. */
const MOST_LISTED = 24;
const MOST_VARIABLES = 4;
/** Characters of a key or title that an error shows. */
const LONGEST_NAME = 80;

/** An asset that can be opened. */
type OpenableAsset = StacAsset & { readonly address: string };
/** An asset whose place can be opened, whatever is there. */
export type PlacedAsset = StacAsset & { readonly href: string };

/**
 * @param name key of an asset, or "KEY/NAME" of an alternate; "" for the only one
 * @param source the address of the document, for errors
 * @throws InvalidArgumentError for a name that no asset has, and if several may be meant; UnsupportedError if
 * none can be opened
 */
export function chooseAsset(document: StacDocument, name: string, source: string): OpenableAsset {
  if (name !== "") {
    const asset = namedAsset(document, name, source);
    if (isOpenable(asset)) return asset;
    throw new UnsupportedError(
      `${source}: asset ${short(name)}: its media type and name are none that wazarr opens; if it is one, say what it is, as in ${JSON.stringify(`${source}|stac:${encodeURIComponent(name)}|virtual:`)}`,
    );
  }
  const data = document.assets.map(reachable).filter(isOpenable);
  const [first, ...others] = mainOf(data);
  if (first === undefined) throw noneRefusal(document, source);
  if (others.length === 0) return first;
  throw new InvalidArgumentError(
    `${source}: expected one asset, found ${others.length + 1} that can be opened; name one, ` +
      `as in ${JSON.stringify(`${source}|stac:${encodeURIComponent(first.key)}`)}: ${listed([first, ...others])}`,
  );
}

/** The alternate that can be opened if the asset itself cannot: `href` may be of a scheme that few know. */
function reachable(asset: StacAsset): StacAsset {
  return isOpenable(asset) ? asset : (asset.alternates.find(isOpenable) ?? asset);
}

const isOpenable = (asset: StacAsset): asset is OpenableAsset => asset.address !== undefined;
const isPlaced = (asset: StacAsset): asset is PlacedAsset => asset.href !== undefined;

/** Data, rather than what goes with them; and stores in a zip only if there is nothing else. */
function mainOf(assets: readonly OpenableAsset[]): readonly OpenableAsset[] {
  const isData = ({ roles }: StacAsset): boolean =>
    roles.includes("data") || !roles.some((role) => BESIDE.includes(role));
  const data = assets.filter(isData);
  const unpacked = data.filter(({ form }) => form !== "zip");
  return unpacked.length > 0 ? unpacked : data.length > 0 ? data : assets;
}

/**
 * The asset of a name, whatever it is.
 * @throws InvalidArgumentError for a name that no asset has; UnsupportedError for one at an address that
 * `openStore` does not open
 */
export function namedAsset({ assets }: StacDocument, name: string, source: string): PlacedAsset {
  const all = assets.flatMap((asset) => [asset, ...asset.alternates]);
  const found = all.find(({ key }) => key === name);
  if (found === undefined) {
    const keys = assets.map(({ key }) => key);
    throw new InvalidArgumentError(
      `${source}: no asset ${short(name)}${didYouMean(name, keys) || `; the assets are ${shownKeys(keys)}`}`,
    );
  }
  const asset = [found, ...found.alternates].find(isPlaced);
  if (asset !== undefined) return asset;
  throw new UnsupportedError(
    `${source}: asset ${short(name)} is at no address that wazarr opens: expected http(s)://, s3://, gs://, az:// or a relative path`,
  );
}

function noneRefusal({ kind, assets }: StacDocument, source: string): UnsupportedError {
  const has = assets.length === 0 ? "it has none" : `it has ${shownKeys(assets.map(({ key }) => key))}`;
  return new UnsupportedError(
    `${source}: no asset of the ${kind} can be opened: expected Zarr, Icechunk, references of kerchunk, TIFF, NetCDF, HDF5 or GRIB, by media type; ${has}`,
  );
}

const short = (text: string): string =>
  JSON.stringify(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}...` : text);

const shownKeys = (keys: readonly string[]): string => cut(keys.map(short), MOST_LISTED);

function listed(assets: readonly OpenableAsset[]): string {
  const lines = assets.map(({ key, title, form, variables, alternates }) => {
    const names = variables.map(({ name, dims }) => `${name} (${dims.join(", ")})`.slice(0, LONGEST_NAME));
    const others = alternates.map((alternate) =>
      alternate.key.slice(key.length + 1, key.length + LONGEST_NAME),
    );
    const parts = [
      WORDS[form ?? ""] ?? form,
      title?.slice(0, LONGEST_NAME),
      names.length > 0 ? `variables ${cut(names, MOST_VARIABLES)}` : undefined,
      others.length > 0 ? `also at ${cut(others, MOST_VARIABLES)}` : undefined,
    ];
    return `${short(key)} (${parts.filter(Boolean).join("; ")})`;
  });
  return cut(lines, MOST_LISTED);
}

const WORDS: Readonly<Record<string, string>> = {
  hierarchy: "Zarr",
  icechunk: "Icechunk",
  references: "kerchunk",
  parquet: "kerchunk",
  virtual: "file",
};

function cut(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : "";
  return texts.slice(0, most).join(", ") + more;
}
