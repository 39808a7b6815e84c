/** The error for codecs that stand in the wrong order. */
import { InvalidMetadataError } from "../../base/errors.js";

/** @param place required position relative to the array-to-bytes codec, such as "before" */
export function outOfOrder(name: string, kind: string, place: string): InvalidMetadataError {
  return new InvalidMetadataError(`${kind} codec "${name}" must stand ${place} the array-to-bytes codec`, {
    member: "codecs",
    codec: name,
  });
}
