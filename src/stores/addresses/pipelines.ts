/**
 * URL pipelines, the one syntax of addresses: a root, then steps into what is there, each after a "|".
 * `s3://bucket/data.zip|zip:inner/|zarr3:t2m` is the array t2m of the hierarchy inner of an archive. This
 * file only takes addresses apart and puts them together. addresses.ts says what the steps mean.
 * The syntax is that of https://github.com/jbms/url-pipeline (version 0).
 */
import { describe, InvalidArgumentError, shownAddress } from "../../core/for-stores.js";

/** A step of an address: "zip:inner/". */
export interface Segment {
  /** As it is written, for errors. */
  readonly text: string;
  /** In lower case, without the colon. */
  readonly scheme: string;
  /** What is after "//": the version of a repository. Percent-decoded. */
  readonly authority: string | undefined;
  /** Percent-decoded: "/" or "/inner". */
  readonly path: `/${string}`;
}

/** An address, taken apart at its "|". */
export interface Pipeline {
  /** A path of this machine or a URL, as it is written. */
  readonly root: string;
  readonly segments: readonly Segment[];
}

/**
 * What fsspec calls the steps, in whose chains the last is written first: `zip://inner::s3://bucket/a.zip`.
 */
const FSSPEC: Readonly<Record<string, string>> = { zip: "zip", reference: "kerchunk" };
const LINK = /^([a-z][a-z\d]+)(?::\/\/(.*?))?::(.+)$/s;

/**
 * Takes an address apart. @throws InvalidArgumentError that names the segment that is wrong, or says how
 * `zip:ADDRESS` and `icechunk:ADDRESS@BRANCH` are written
 */
export function splitPipeline(address: string): Pipeline {
  if (typeof address !== "string")
    throw new InvalidArgumentError(`expected an address, got ${describe(address)}`);
  const chain = splitChain(address);
  if (chain !== undefined) return chain;
  const [root = "", ...rest] = address.split("|");
  if (root === "" && rest.length > 0)
    throw wrong(address, "", 'expected a path or a URL before the first "|"');
  const [, adapter, inner = ""] = /^(zip|icechunk|kerchunk|virtual|zarr[23]?|auto):(.*)$/s.exec(root) ?? [];
  if (adapter !== undefined)
    throw new InvalidArgumentError(`${quoted(address)}: ${adviceFor(adapter, inner)}`);
  return { root, segments: rest.map((text) => parseSegment(text, address)) };
}

/** The node at a path of what an address names, as an address: the one spelling that is printed. */
export function addressOfNode(address: string, path: string): string {
  if (path === "/" || path === "") return address;
  return `${address}|zarr:${encodePath(path)}`;
}

/** An error about one segment of an address. */
export function wrong(address: string, segment: string, why: string): InvalidArgumentError {
  const where = segment === "" ? "" : `"|${shownAddress(segment)}": `;
  return new InvalidArgumentError(`${quoted(address)}: ${where}${why}`);
}

const quoted = (address: string): string => JSON.stringify(shownAddress(address));

function parseSegment(text: string, address: string): Segment {
  const [, scheme, rest = ""] = /^([a-z][a-z\d+.-]*)(?::(.*))?$/is.exec(text) ?? [];
  if (scheme === undefined)
    throw wrong(
      address,
      text,
      'expected a scheme after "|", as in "|zip:" or "|zarr3:PATH" (a "|" in a name is %7C, in a URL)',
    );
  if (/[?#]/.test(rest)) throw wrong(address, text, '"?" and "#" in a path are written %3F and %23');
  const [, authority, path = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  return {
    text,
    scheme: scheme.toLowerCase(),
    authority: authority === undefined ? undefined : decode(authority, text, address),
    path: joinNames(decode(path, text, address), text, address),
  };
}

/** @returns undefined for an address that is no chain of fsspec */
function splitChain(address: string): Pipeline | undefined {
  const segments: Segment[] = [];
  let root = address;
  for (let link = LINK.exec(root); link !== null; link = LINK.exec(root)) {
    const [, name = "", path = "", next = ""] = link;
    const scheme = FSSPEC[name];
    const isChain = /^[a-z][a-z\d+.-]+:(?:\/\/|:)/.test(next);
    if (scheme === undefined && link[2] === undefined && isChain)
      throw wrong(address, "", `"${name}::" is not known, of fsspec's only zip:: and reference::`);
    if (scheme === undefined) break;
    segments.unshift({
      text: `${name}::`,
      scheme,
      authority: undefined,
      path: joinNames(path, name, address),
    });
    root = next;
  }
  return segments.length === 0 ? undefined : { root, segments };
}

function adviceFor(adapter: string, inner: string): string {
  const [, place = inner, kind = "branch", name] = /^(.*)@(?:(tag|snapshot):)?([^@/?#]+)$/s.exec(inner) ?? [];
  const isVersion = adapter === "icechunk" && name !== undefined && !/^\w+:\/\/[^/]*$/.test(place);
  const root = isVersion ? place : inner;
  const shown = root === "" || root.startsWith("//") ? "ADDRESS" : shownAddress(root);
  const prefix = kind === "snapshot" ? "" : `${kind}.`;
  const version = isVersion ? `//${prefix}${encodeURIComponent(name)}/` : "";
  return `an address begins with a path or a URL; write "${shown}|${adapter}:${version}"`;
}

function decode(text: string, segment: string, address: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(address, segment, 'expected percent-encoded UTF-8 (a "%" is written %25)');
  }
}

/** @throws InvalidArgumentError for "." and "..", which no node and no file in an archive is called */
function joinNames(path: string, segment: string, address: string): `/${string}` {
  const names = path.split("/").filter((name) => name !== "");
  if (names.some((name) => name === "." || name === ".."))
    throw wrong(address, segment, 'a path has no "." and ".."');
  return `/${names.join("/")}`;
}

const encodePath = (path: string): string =>
  path.split("/").filter(Boolean).map(encodeURIComponent).join("/");
