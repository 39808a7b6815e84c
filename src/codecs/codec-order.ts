/** What is wrong with codecs that do not form a pipeline. Loaded when they do not. */
import { InvalidMetadataError } from "../errors.js";

/** @param place where it must stand, from the array-to-bytes codec */
export function outOfOrder(name: string, kind: string, place: string): InvalidMetadataError {
  return new InvalidMetadataError(`${kind} codec "${name}" must stand ${place} the array-to-bytes codec`, {
    member: "codecs",
    codec: name,
  });
}

export function noSerializer(): InvalidMetadataError {
  return new InvalidMetadataError(
    'expected exactly one array-to-bytes codec such as {"name": "bytes", "configuration": {"endian": "little"}}, got none',
    { member: "codecs" },
  );
}
