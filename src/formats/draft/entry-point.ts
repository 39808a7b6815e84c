/**
 * Hierarchies of the 2020 draft: the entry point (`zarr.json`, only at the root of the store) and its
 * extensions, the keys of documents ("Storage keys"), the names in paths, and the children of a node in a
 * listing of keys.
 */
import {
  type AbsolutePath,
  type DraftEntryPoint,
  type ErrorContext,
  type InvalidMetadataError,
  invalidName,
  type Json,
  type JsonObject,
  Member,
  namesOf,
  PROTOCOL,
} from "../../core/for-formats.js";
import { type DraftExtension, draftExtensions } from "./extensions.js";

/** The key of the entry point, the document that marks a store as a hierarchy of the draft. */
export const ENTRY_POINT_KEY: AbsolutePath = "/zarr.json";

const VERSION = "3.0";

/**
 * Reads the entry point. Unknown members are ignored: a later version 3.x may add some.
 * @throws InvalidMetadataError for another major version or metadata encoding, and for an extension that must
 * be understood
 */
export function parseDraftEntryPoint(json: Json, context: ErrorContext = {}): DraftEntryPoint {
  const document = new Member(json, context);
  checkProtocol(document.get("zarr_format"));
  // The draft requires the members below. acquire omits them, and each has an obvious default.
  const encoding = document.get("metadata_encoding");
  if (!encoding.isNull) checkProtocol(encoding);
  const suffix = document.get("metadata_key_suffix");
  return {
    metadataKeySuffix: suffix.isNull ? ".json" : checkSuffix(suffix),
    extensions: parseDraftExtensions(document.get("extensions")),
  };
}

/**
 * "3" is the major version, the digits after the dot are the minor version; all minor versions are
 * compatible.
 */
function checkProtocol(member: Member): void {
  const uri = member.string();
  if (!uri.startsWith(PROTOCOL) || !/^3\.\d+$/.test(uri.slice(PROTOCOL.length))) {
    throw member.invalid(`"${PROTOCOL}3.N"`);
  }
}

/** A suffix of key characters without "/", which would make documents look like nodes below others. */
function checkSuffix(member: Member): string {
  const suffix = member.string();
  if (/^[\w.-]*$/.test(suffix)) return suffix;
  throw member.invalid("characters of a-z, A-Z, 0-9, -, _, .");
}

/**
 * The document of the entry point. It has the four members that all readers need; zarr-python refuses others.
 */
export function writeDraftEntryPoint(entryPoint: DraftEntryPoint): JsonObject {
  return {
    zarr_format: PROTOCOL + VERSION,
    metadata_encoding: PROTOCOL + VERSION,
    metadata_key_suffix: entryPoint.metadataKeySuffix,
    extensions: entryPoint.extensions,
  };
}

/**
 * Reads an `extensions` list, which some writers omit.
 * @throws InvalidMetadataError for an unknown extension that must be understood
 */
export function parseDraftExtensions(member: Member): readonly JsonObject[] {
  if (member.isNull) return [];
  return member.list().map((item) => {
    const extension = item.get("extension");
    const isKnown = draftExtensions.has(extension.string());
    if (item.get("must_understand").oneOf(true, false) && !isKnown) throw unknownExtension(extension);
    return item.object();
  });
}

/** The extension of an object with the members `extension` and `type`; undefined if it is unknown. */
export function extensionOf(member: Member): DraftExtension | undefined {
  const type = member.get("type");
  const extension = draftExtensions.get(member.get("extension").string());
  if (type.json === undefined) throw type.invalid("what the extension defines");
  return extension;
}

export function unknownExtension(extension: Member): InvalidMetadataError {
  return extension.invalid(
    "an extension that is known, as it must be understood (draftExtensions adds some)",
  );
}

export type DraftNodeType = "array" | "group" | "implicit_group";

/** The key of a document: "/meta/root/a/b.array.json", and "/meta/root.array.json" for the root. */
export function draftDocumentKey(
  path: AbsolutePath,
  nodeType: "array" | "group",
  suffix: string,
): AbsolutePath {
  return `${metaRoot(path)}.${nodeType}${suffix}`;
}

/** The key prefix of all documents below a node: "/meta/root/a/b/". */
export function draftDocumentPrefix(path: AbsolutePath): AbsolutePath {
  return `${metaRoot(path)}/`;
}

function metaRoot(path: AbsolutePath): AbsolutePath {
  return path === "/" ? "/meta/root" : `/meta/root${path}`;
}

/**
 * The children in a listing of `draftDocumentPrefix`, by name. With documents of both kinds the child is an
 * array, because `open` tries arrays first. A prefix without a document is an implicit group. Names that no
 * node can have are skipped.
 */
export function draftChildren(
  listing: { readonly keys: readonly AbsolutePath[]; readonly prefixes: readonly AbsolutePath[] },
  suffix: string,
): ReadonlyMap<string, DraftNodeType> {
  const children = new Map<string, DraftNodeType>();
  for (const prefix of listing.prefixes) children.set(lastName(prefix.slice(0, -1)), "implicit_group");
  for (const key of listing.keys) {
    for (const nodeType of ["array", "group"] as const) {
      const end = `.${nodeType}${suffix}`;
      const name = lastName(key).slice(0, -end.length);
      if (key.endsWith(end) && children.get(name) !== "array") children.set(name, nodeType);
    }
  }
  return new Map([...children].filter(([name]) => isDraftName(name)));
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Checks the names in a path, to open or to create ("Node names"). Dots are allowed: the draft's text lists
 * "-_.".
 * @param path normalised
 * @throws InvalidArgumentError
 */
export function checkDraftPath(path: AbsolutePath): void {
  const wrong = namesOf(path).find((name) => !isDraftName(name));
  if (wrong === undefined) return;
  throw invalidName("1 to 255 characters of a-z, A-Z, 0-9, -, _, . that are not all periods", wrong, path);
}

function isDraftName(name: string): boolean {
  return /^[\w.-]{1,255}$/.test(name) && !/^\.+$/.test(name);
}

/**
 * `checkDraftPath` for a new node. It also refuses names such as "a.array.json": in a file system, the node's
 * folder would have the path of the array document of "a".
 * @throws InvalidArgumentError
 */
export function checkNewDraftPath(path: AbsolutePath, suffix: string): void {
  checkDraftPath(path);
  const ends = [`.array${suffix}`, `.group${suffix}`];
  for (const name of namesOf(path)) {
    if (ends.some((end) => name.endsWith(end)))
      throw invalidName(`a name that ends in neither ${ends.join(" nor ")}`, name, path);
  }
}
