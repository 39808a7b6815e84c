/** Finding nodes of v2; loaded, with what parses them, where there is no `zarr.json`. */

import { preloadCodecs } from "../codecs/preload.js";
import { withAllDataTypes } from "../data-types/registry.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { parseV2Array, parseV2Group } from "../metadata/v2.js";
import type { StoreOptions } from "../stores/store.js";
import { readDocument } from "./document.js";
import type { NodeKind } from "./documents.js";
import type { Location } from "./location.js";

/** `.zarray` or `.zgroup`, with `.zattrs` requested beside it; undefined when there is neither. Two or three requests. */
export async function readV2(
  location: Location,
  kind: NodeKind | undefined,
  attrs: boolean,
  options: StoreOptions,
): Promise<NodeMetadata | undefined> {
  const read = (name: string) => readDocument(location.store, keyBelow(location.path, name), options);
  const attributes = attrs ? read(".zattrs") : Promise.resolve(undefined);
  const document = read(kind === "group" ? ".zgroup" : ".zarray");
  const [zattrs, first] = await Promise.all([attributes, document]);
  if (first !== undefined && kind !== "group") {
    preloadCodecs(first.json);
    return withAllDataTypes(() => parseV2Array(first.json, zattrs?.json, first.context));
  }
  const zgroup = kind === "group" ? first : kind === undefined ? await read(".zgroup") : undefined;
  return zgroup && parseV2Group(zgroup.json, zattrs?.json, zgroup.context);
}
