/**
 * Addresses of virtual chunks: `vcc://NAME/PATH` is relative to a container that the repository's
 * configuration names, and buckets are read from their public endpoints, or from those of a container.
 * https://icechunk.io/en/stable/virtual/
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  ownMember,
  StoreError,
  shownAddress,
} from "../../core/for-stores.js";
import { endpointOf, isOfBuckets, resolveUri } from "../file-ranges/address-urls.js";

/** A place of virtual files. */
interface Container {
  /** Beginning of the addresses of its files. Ends in "/". */
  readonly prefix: string;
  readonly name: string | undefined;
  /** Settings for its kind of store: region and endpoint of S3, the account of Azure. */
  readonly settings: JsonObject;
}

/** The containers of a repository, those with the longest prefixes first. */
export type Containers = readonly Container[];

/** @param configuration what the file "repo" says; anything else than containers is left out */
export function containersOf(configuration: Json | undefined): Containers {
  const containerOptions = isJsonObject(configuration) ? configuration.virtual_chunk_containers : undefined;
  const containers = isJsonObject(containerOptions)
    ? Object.values(containerOptions).flatMap((each) => containerOf(each) ?? [])
    : [];
  return containers.sort((one, other) => other.prefix.length - one.prefix.length);
}

function containerOf(container: Json): Container | undefined {
  if (!isJsonObject(container) || typeof container.url_prefix !== "string") return undefined;
  const [settings] = isJsonObject(container.store) ? Object.values(container.store) : [];
  return {
    prefix: container.url_prefix.replace(/\/?$/, "/"),
    name: typeof container.name === "string" ? container.name : undefined,
    settings: isJsonObject(settings) ? settings : {},
  };
}

/**
 * Whether `expandAddress` and `urlOfAddress` look at containers for this address: not for URLs, nor for files
 * of the repository itself.
 */
export const needsContainers = (address: string): boolean => !/^(?:(?:https?|file):|\/)/i.test(address);

/** The absolute address for one that is relative to a container, if there is such; others as they are. */
export function expandAddress(address: string, containers: Containers): string {
  const [, name, path = ""] = /^vcc:\/\/([^/]*)\/(.*)$/is.exec(address) ?? [];
  const container = containers.find((each) => name !== undefined && each.name === name);
  return container === undefined ? address : container.prefix + path;
}

/**
 * The URL of an absolute address.
 * @throws StoreError for addresses that only the option `open` can read, and for names of objects that no URL
 * can have
 */
export function urlOfAddress(address: string, containers: Containers): URL {
  const [, bucket = "", authority = "", path = ""] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)\/?([^?#]*)/i.exec(address) ?? [];
  const scheme = bucket.toLowerCase();
  if (scheme === "vcc") {
    const names = containers.flatMap((each) => each.name ?? []).slice(0, 20);
    throw new StoreError(
      `${JSON.stringify(shownAddress(address))}: the repository has no virtual chunk container ${JSON.stringify(authority)}, it has ${names.join(", ") || "none with a name"}; the option \`open\` can read this address`,
    );
  }
  if (!isOfBuckets(scheme)) return resolveUri(address);
  const { settings = {} } = containers.find(({ prefix }) => address.startsWith(prefix)) ?? {};
  const endpoint = endpointOf(scheme, authority, (name) => {
    const setting = ownMember(settings, name);
    return typeof setting === "string" && setting !== "" ? setting : undefined;
  });
  const url = endpoint && `${endpoint}/${nameOfObject(path, address)}`;
  if (url !== undefined && URL.canParse(url)) return resolveUri(url);
  throw new StoreError(
    `${JSON.stringify(shownAddress(address))}: the repository does not say where to read this address; pass the option \`open\``,
  );
}

/** The name of an object, which is percent-encoded in the address, as in a URL; other "%" are as they are. */
function nameOfObject(path: string, address: string): string {
  let segments: string[];
  try {
    segments = path
      .split("/")
      .map((segment) => decodeURIComponent(segment.replace(/%(?![\da-f]{2})/gi, "%25")));
  } catch (cause) {
    throw new StoreError(`${JSON.stringify(shownAddress(address))}: expected percent-encoded UTF-8`, {
      cause,
    });
  }
  if (!segments.some((segment) => segment === "." || segment === ".."))
    return segments.map((segment) => encodeURIComponent(segment)).join("/");
  throw new StoreError(
    `${JSON.stringify(shownAddress(address))}: a URL cannot have the names "." and ".."; the option \`open\` can read them`,
  );
}
