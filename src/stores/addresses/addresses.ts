/**
 * What an address names, told by its spelling alone: the one table of addresses, which
 * docs/stores-addresses.md explains. Nothing is opened, so pages read addresses with it, too.
 */
import type { Revision } from "../icechunk/references.js";
import { type Pipeline, type Segment, splitPipeline, wrong } from "./pipelines.js";

/** Whether an address is an http(s) URL. */
export const isUrl = (address: string): boolean => /^https?:\/\//i.test(address);

/** Schemes of addresses of S3, Google Cloud Storage and Azure. */
export const BUCKET_SCHEMES: readonly string[] = ["s3", "gs", "gcs", "az", "abfs", "abfss"];

/** Whether an address is of a bucket of one of these. */
export const isBucket = (address: string): boolean =>
  BUCKET_SCHEMES.some((scheme) => address.startsWith(`${scheme}://`));

/** An address, taken apart. */
export interface Address {
  /** What is there. A path may be anything: its directory or file says. */
  readonly form: "hierarchy" | "zip" | "references" | "parquet" | "icechunk" | "virtual" | "stac";
  /** Whether a segment says so, and not only the ending of the name. */
  readonly isExplicit: boolean;
  /** Where it is. */
  readonly place: "path" | "url" | "bucket";
  /** The root, without the name of a metadata document. */
  readonly address: string;
  /**
   * Of a document of STAC: the key of the asset, "" for the only one. `form` is then that of the asset, or
   * "stac" if the document says what the asset is.
   */
  readonly asset: string | undefined;
  /** Of Icechunk: branch, tag or snapshot. */
  readonly revision: Revision;
  /** Paths of archives, each in what is named before it. */
  readonly archives: readonly `/${string}`[];
  /** Path of the node in what is named before it. "/" is the root. */
  readonly path: `/${string}`;
  /** The version of Zarr that the address says. */
  readonly zarrFormat: 2 | 3 | undefined;
}

/** What an address names: a place alone, or by its segments. "node" is a node of a hierarchy. */
export type AddressKind = Address["place"] | Exclude<Address["form"], "hierarchy"> | "node";

/** What an address of `openStore` names: nothing is opened. */
export function addressKind(address: string): AddressKind {
  const { form, place } = parseAddress(address);
  if (splitPipeline(address).segments.length === 0) return place;
  return form === "hierarchy" ? "node" : form;
}

/** Endings of names. "/zarr.json" is a metadata document of a hierarchy. */
const FORMS: readonly (readonly [Address["form"], RegExp])[] = [
  ["zip", /\.(?:zip|ozx)$/i],
  ["parquet", /\.parq(?:uet)?\/?$/i],
  ["references", /(?<!(?:^|\/)zarr)\.json$/i],
  // NetCDF, HDF5, GRIB and TIFF, which are files of one hierarchy each.
  ["virtual", /\.(?:nc4?|h5|hdf5|grib2?|grb2?|tiff?)$/i],
];
/** Items and collections of an API of STAC, whose URLs end in no name of a file (OGC API Features, 7.14). */
const OF_API = /\/collections\/[^/]+(?:\/items\/[^/]+)?$/;
/** Names of metadata documents: who copied the address of one means the hierarchy. */
const DOCUMENT = /\/(?:zarr\.json|\.zarray|\.zgroup|\.zattrs|\.zmetadata)$/;
/** Segments that open what is before them. */
const CONTAINERS: ReadonlyMap<string, Address["form"]> = new Map([
  ["zip", "zip"],
  ["icechunk", "icechunk"],
  ["kerchunk", "references"],
  ["virtual", "virtual"],
  ["stac", "stac"],
]);
/** Segments that name a node of a hierarchy. `zarr:` and `auto:` are of either version. */
const NODES: ReadonlyMap<string, 2 | 3 | undefined> = new Map([
  ["zarr", undefined],
  ["auto", undefined],
  ["zarr2", 2],
  ["zarr3", 3],
]);
const KNOWN = [...CONTAINERS.keys(), ...NODES.keys()].map((scheme) => `${scheme}:`).join(", ");

/**
 * Takes an address of `openStore` apart.
 * @param rootOf makes a place of what is before the first "|", such as a path of a `file:` URL
 * @throws InvalidArgumentError for anything but a string, and for a segment that is unknown or out of place
 */
export function parseAddress(text: string, rootOf = (root: string): string => root): Address {
  const { root, segments } = splitPipeline(text);
  const place = parseRoot(rootOf(root));
  return segments.reduce((before, segment, i) => enter(before, segment, text, segments[i - 1]), place);
}

/**
 * Takes the node off an address, so that its store can be opened as a whole: "a.zip|zip:|zarr:t2m" is the
 * path "/t2m" of "a.zip|zip:".
 */
export function splitNode(text: string): { readonly store: string; readonly path: `/${string}` } {
  const { segments }: Pipeline = splitPipeline(text);
  const last = segments.at(-1);
  if (last === undefined || !NODES.has(last.scheme) || !text.endsWith(`|${last.text}`))
    return { store: text, path: "/" };
  const { path } = parseAddress(text);
  const store = text.slice(0, -last.text.length - 1);
  const { path: inner } = parseAddress(store);
  const isOfVersion = NODES.get(last.scheme) !== undefined;
  return {
    store: isOfVersion ? `${store}|${last.scheme}:` : store,
    path: inner === "/" ? path : `/${path.slice(inner.length + 1)}`,
  };
}

function parseRoot(whole: string): Address {
  const place = placeOf(whole);
  // "?" and "#" are parts of the names of files and objects.
  const [, name = whole, query = ""] = (place === "url" && /^([^?#]*)(.*)$/s.exec(whole)) || [];
  const ending = FORMS.find(([, each]) => each.test(name))?.[0];
  const isOfApi = ending === undefined && place === "url" && OF_API.test(name) && !/\.zarr$/i.test(name);
  const form = ending ?? (isOfApi ? "stac" : "hierarchy");
  const isDocument = place !== "path" && form === "hierarchy";
  const address = isDocument ? name.replace(DOCUMENT, "") + query : whole;
  const nothing = { revision: {}, archives: [], path: "/", zarrFormat: undefined } as const;
  return { form, isExplicit: false, place, address, asset: isOfApi ? "" : undefined, ...nothing };
}

/** What an address names with one more segment. */
function enter(before: Address, segment: Segment, text: string, previous: Segment | undefined): Address {
  const { scheme, authority, path } = segment;
  const form = CONTAINERS.get(scheme);
  if (form === undefined && !NODES.has(scheme)) throw wrong(text, segment.text, `expected one of ${KNOWN}`);
  if (previous !== undefined && NODES.has(previous.scheme))
    throw wrong(text, segment.text, `nothing comes after ${previous.scheme}:, which names the node`);
  if (authority !== undefined && form !== "icechunk")
    throw wrong(text, segment.text, `a path is written without "//": ${scheme}:PATH`);
  if (form === undefined)
    return { ...before, path: joined(before.path, path), zarrFormat: NODES.get(scheme) };
  if (form === "stac" && previous === undefined)
    return { ...before, form, isExplicit: true, asset: path.slice(1) };
  // After the name of an asset, a segment says what the asset is.
  if (previous === undefined || (previous.scheme === "stac" && form !== "stac")) {
    const isParquet = form === "references" && /\.parq(?:uet)?\/?$/i.test(before.address);
    const asset = previous === undefined ? undefined : before.asset;
    const entered = { ...before, form: isParquet ? "parquet" : form, isExplicit: true, path, asset } as const;
    return form === "icechunk" ? { ...entered, ...versionOf(segment, text) } : entered;
  }
  if (form !== "zip")
    throw wrong(text, segment.text, "only an archive is opened within something else: zip:");
  if (before.path === "/")
    throw wrong(
      text,
      segment.text,
      `expected the path of an archive in ${previous.scheme}:, as in zip:inner.zip|zip:`,
    );
  return { ...before, archives: [...before.archives, before.path], path };
}

const joined = (first: `/${string}`, second: `/${string}`): `/${string}` =>
  first === "/" ? second : second === "/" ? first : `${first}${second}`;

function placeOf(address: string): Address["place"] {
  if (isUrl(address)) return "url";
  return isBucket(address) ? "bucket" : "path";
}

/**
 * The version of an Icechunk repository: `icechunk://branch.main/`, `icechunk://tag.v1/`, or the id of a
 * snapshot; also `icechunk:@tag.v1/`, as neuroglancer writes it.
 */
function versionOf({ authority, path, text }: Segment, address: string): Pick<Address, "revision" | "path"> {
  // "@" of a name is written %40.
  const isAt = authority === undefined && /^\w+:\/?@/.test(text);
  const [, at, below] = (isAt && /^\/@([^/]*)(\/.*)?$/s.exec(path)) || [];
  const name = authority ?? at;
  if (name === undefined || name === "") return { revision: {}, path };
  const inside = at === undefined ? path : (`/${(below ?? "").slice(1)}` as const);
  const [, kind, named] = /^(branch|tag)\.(.+)$/s.exec(name) ?? [];
  if (kind !== undefined) return { revision: { [kind]: named }, path: inside };
  if (/^[\dA-Z]{20}$/.test(name)) return { revision: { snapshot: name }, path: inside };
  throw wrong(
    address,
    text,
    "expected icechunk://branch.NAME/, icechunk://tag.NAME/ or icechunk://ID/ of a snapshot (20 letters and digits)",
  );
}
