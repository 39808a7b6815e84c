/** The entry point document of a 2020-draft hierarchy (`zarr.json`, at the root of the store only), and extension objects. */
import type { ErrorContext, InvalidMetadataError } from "../../errors.js";
import { type DraftExtension, draftExtensions, PROTOCOL } from "../draft.js";
import type { Json, JsonObject } from "../json.js";
import { Member } from "../member.js";

/** The settings of a whole hierarchy. */
export interface DraftEntryPoint {
  /** Ends every metadata key: ".json". */
  readonly metadataKeySuffix: string;
  readonly extensions: readonly JsonObject[];
}

const VERSION = "3.0";

/**
 * Reads the entry point. Names that it does not define are ignored, as those of a later 3.x have to be.
 * @throws InvalidMetadataError for another major version or metadata encoding, and for an extension that must be understood
 */
export function parseDraftEntryPoint(json: Json, context: ErrorContext = {}): DraftEntryPoint {
  const document = new Member(json, context);
  checkProtocol(document.get("zarr_format"));
  // The members below "must" be there; all but acquire's writers write them, and each has an obvious default.
  const encoding = document.get("metadata_encoding");
  if (!encoding.isNull) checkProtocol(encoding);
  const suffix = document.get("metadata_key_suffix");
  return {
    metadataKeySuffix: suffix.isNull ? ".json" : checkSuffix(suffix),
    extensions: parseDraftExtensions(document.get("extensions")),
  };
}

/** "3" is the major version and the digits after it the minor one, of which any is compatible. */
function checkProtocol(member: Member): void {
  const uri = member.string();
  if (!uri.startsWith(PROTOCOL) || !/^3\.\d+$/.test(uri.slice(PROTOCOL.length))) {
    throw member.invalid(`"${PROTOCOL}3.N"`);
  }
}

/** Characters of a key; without "/", which would make documents look like nodes below others. */
function checkSuffix(member: Member): string {
  const suffix = member.string();
  if (/^[\w.-]*$/.test(suffix)) return suffix;
  throw member.invalid("characters of a-z, A-Z, 0-9, -, _, .");
}

/** The four members that every reader needs; zarr-python refuses any other. */
export function writeDraftEntryPoint(entryPoint: DraftEntryPoint): JsonObject {
  return {
    zarr_format: PROTOCOL + VERSION,
    metadata_encoding: PROTOCOL + VERSION,
    metadata_key_suffix: entryPoint.metadataKeySuffix,
    extensions: entryPoint.extensions,
  };
}

/**
 * Reads an `extensions` list, which writers leave out now and then.
 * @throws InvalidMetadataError for an extension that must be understood and is not
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

/** The extension of an object with the names `extension` and `type`, if it is known. */
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
