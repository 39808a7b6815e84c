/** Extension objects of the 2020 draft: in `extensions` lists, and in place of a data type, chunk grid or memory layout. */
import type { InvalidMetadataError } from "../errors.js";
import { type DraftExtension, draftExtensions } from "./draft-extensions.js";
import type { JsonObject } from "./json.js";
import type { Member } from "./member.js";

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
