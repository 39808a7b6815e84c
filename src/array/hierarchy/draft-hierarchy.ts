/** The slot for hierarchies of the 2020 draft: src/formats/draft/hierarchy.ts fills it. */
import { type Slot, slot } from "../../base/slot.js";
import type { DraftEntryPoint } from "../../metadata/draft.js";
import type { NewNode, NewNodeOptions } from "../create/write-documents.js";
import type { HierarchyLayout } from "./hierarchy-layout.js";

export interface DraftHierarchy {
  readonly draftLayout: HierarchyLayout;
  /** Writes new nodes as `writeNewNodes` does. @returns the entry point, which is written if it is missing */
  writeNewDraftNodes(
    nodes: readonly NewNode[],
    options: NewNodeOptions,
    fill?: () => Promise<void>,
  ): Promise<DraftEntryPoint>;
}

export const draftHierarchy: Slot<DraftHierarchy> = /* @__PURE__ */ slot("the 2020 draft");
