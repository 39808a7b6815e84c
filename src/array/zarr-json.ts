/** Nodes of v3: what a `zarr.json` says. */

import { preloadCodecs } from "../codecs/preload.js";
import { NotFoundError } from "../errors.js";
import { isDraftEntryPoint } from "../metadata/draft.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { readDocument } from "./document.js";
import { parseV3Document } from "./documents.js";
import type { Location } from "./location.js";
import { Group, type Node, ZarrArray } from "./nodes.js";
import type { OpenOptions } from "./open.js";

/**
 * The node; undefined where there is no `zarr.json`.
 * @param isDraftWelcome a `zarr.json` of the draft is followed; an error without it
 */
export async function openZarrJson(
  location: Location,
  options: OpenOptions,
  isDraftWelcome: boolean,
): Promise<Node | undefined> {
  const document = await readDocument(location.store, keyBelow(location.path, "zarr.json"), options);
  if (document === undefined) return undefined;
  preloadCodecs(document.json);
  if (!isDraftEntryPoint(document.json)) return toNode(location, await parseV3Document(document), options);
  const { openEntryPoint, refuseDraft } = await import("./draft/open.js");
  return isDraftWelcome ? openEntryPoint(location, document, options) : refuseDraft(document);
}

/** @throws NotFoundError for a node of another kind than the one that is asked for */
export function toNode(location: Location, metadata: NodeMetadata, { kind }: OpenOptions): Node {
  if (kind !== undefined && metadata.nodeType !== kind) {
    const found = metadata.nodeType;
    throw new NotFoundError(`expected ${kind}, found ${found}`, {
      path: location.path,
      found,
    });
  }
  return metadata.nodeType === "array"
    ? new ZarrArray(location.store, location.path, metadata)
    : new Group(location.store, location.path, metadata);
}
