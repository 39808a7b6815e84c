/**
 * What stands on the core and documents may name: codecs beyond its own, the 2020 draft, codecs of zarrita's
 * interface. The core does not import them. Whoever composes an entry of the package fills its slots here,
 * and each is loaded by the first document that needs it.
 */
import { draftHierarchy } from "../array/hierarchy/draft-hierarchy.js";
import { draftNodes } from "../array/open/draft-nodes.js";
import { furtherCodecs } from "../codecs/list.js";
import { foreignCodecs, standaloneCodecs } from "../core/codecs/registry/foreign-codecs.js";
import { addCodecs } from "../core/codecs/registry/registry.js";
import { draftDocuments } from "../metadata/draft.js";

let isFilled = false;

export function fillSlots(): void {
  if (isFilled) return;
  isFilled = true;
  addCodecs(furtherCodecs());
  foreignCodecs.fill(() => import("../zarrita/codecs.js"));
  standaloneCodecs.fill(() => import("../zarrita/standalone-codecs.js"));
  draftDocuments.fill(() => import("../formats/draft/documents.js"));
  draftNodes.fill(() => import("../formats/draft/open.js"));
  draftHierarchy.fill(() => import("../formats/draft/hierarchy.js"));
}

/**
 * A function of the core by which an application comes to arrays or codecs, for a core whose slots are
 * filled. Its calls are marked as pure: an application that does not use the function needs no slots for it,
 * and its bundle has none of what fills them.
 */
export function withCatalogue<Name>(name: Name): Name {
  fillSlots();
  return name;
}
