/** The slot for nodes of the 2020 draft: src/formats/draft/open.ts fills it. */
import { type Slot, slot } from "../../base/slot.js";
import type { AbsolutePath, Store } from "../../core/stores/store.js";
import type { DraftEntryPoint } from "../../metadata/draft.js";
import type { JsonObject } from "../../metadata/json.js";
import type { NodeMetadata } from "../../metadata/model.js";
import type { Location, Node } from "../nodes/nodes.js";
import type { NodeKind, OpenOptions } from "./open-options.js";
import type { Document } from "./read-document.js";

export interface DraftNodes {
  /**
   * Opens a node of the hierarchy whose entry point `document` is.
   * @throws NotFoundError, InvalidMetadataError
   */
  openEntryPoint(location: Location, document: Document, options: OpenOptions): Promise<Node>;
  /**
   * Opens a node at any location; undefined outside of hierarchies of the draft.
   * @throws as openEntryPoint
   */
  openIfDraft(location: Location, options: OpenOptions): Promise<Node | undefined>;
  /**
   * Adds the entry point to a location.
   * @throws InvalidMetadataError if it is not at the root of the store
   */
  locateIn<S extends Store>(location: Location<S>, document: Document): Location<S>;
  /** Throws for a document of the draft in place of a v3 document. @throws InvalidMetadataError */
  refuseDraft(document: Document): never;
  documentKey(location: Location, nodeType: NodeKind): AbsolutePath;
  /** The prefix of the keys of all documents below a node. */
  draftDocumentPrefix(path: AbsolutePath): AbsolutePath;
  /** The document of a new node, with its key. @throws InvalidArgumentError, UnsupportedError */
  draftDocuments(
    path: AbsolutePath,
    metadata: NodeMetadata,
    entryPoint?: DraftEntryPoint,
  ): [key: AbsolutePath, document: JsonObject][];
}

export const draftNodes: Slot<DraftNodes> = /* @__PURE__ */ slot("the 2020 draft");
