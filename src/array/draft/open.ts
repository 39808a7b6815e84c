/** Finding nodes of the 2020 draft ("Determine if a node exists"). */
import { NotFoundError } from "../../errors.js";
import { checkDraftPath } from "../../metadata/draft/keys.js";
import { canList } from "../../stores/capabilities.js";
import { describeStore } from "../describe-store.js";
import type { Document } from "../document.js";
import type { NodeKind } from "../documents.js";
import { locate } from "../locate.js";
import type { Location } from "../location.js";
import type { Node } from "../nodes.js";
import type { OpenOptions } from "../open.js";
import { documentKey, hasChildren, implicitGroup, readDraft } from "./documents.js";
import { locateIn } from "./locate.js";

export { refuseDraft } from "./locate.js";

/**
 * Opens a node of a located hierarchy: the array, else the explicit group, else an implicit one, with as many requests;
 * a group that is asked for by its document first. The root is at least an implicit group, as its entry point is there.
 * @throws NotFoundError, InvalidArgumentError for a name that the draft does not allow, InvalidMetadataError, StoreError
 */
async function openDraft(location: Location, { kind, signal }: OpenOptions): Promise<Node> {
  checkDraftPath(location.path);
  const options = { signal };
  const order: readonly NodeKind[] =
    kind === undefined ? ["array", "group"] : kind === "array" ? ["array"] : ["group", "array"];
  for (const nodeType of order) {
    const node = await readDraft(location, nodeType, options);
    if (node === undefined) continue;
    if (kind === undefined || kind === node.kind) return node;
    throw new NotFoundError("expected group, found array", { path: location.path, found: "array" });
  }
  if (kind !== "array" && (location.path === "/" || (await hasChildren(location, options)))) {
    return implicitGroup(location);
  }
  throw notFound(location, kind);
}

/** `openDraft` where the entry point was just read. @throws InvalidMetadataError when it is not at the root */
export function openEntryPoint(location: Location, document: Document, options: OpenOptions): Promise<Node> {
  return openDraft(locateIn(location, document), options);
}

/** `openDraft` for a location of any hierarchy; undefined in others than the draft's. */
export async function openIfDraft(location: Location, options: OpenOptions): Promise<Node | undefined> {
  const located = await locate(location, options);
  return located.entryPoint && openDraft(located, options);
}

function notFound(location: Location, kind: NodeKind | undefined): NotFoundError {
  const { store, path } = location;
  const kinds: readonly NodeKind[] = kind === undefined ? ["array", "group"] : [kind];
  const keys = kinds.map((nodeType) => documentKey(location, nodeType));
  const implied =
    kind === "array" || canList(store) ? "" : "; implicit groups show only in stores that can be listed";
  return new NotFoundError(
    `no ${kind ?? "array or group"} in the 2020-draft hierarchy of ${describeStore(store)}: looked for ${keys.join(", ")}${implied}`,
    { path },
  );
}
