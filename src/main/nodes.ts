/**
 * Functions by which applications come to nodes besides `open`, with all codecs and formats of the package.
 * Their doc comments are those of the functions that they are.
 */
import * as codecText from "../array/codec-text.js";
import * as consolidated from "../array/consolidated.js";
import * as consolidatedCheck from "../array/consolidated-check.js";
import { create as createInCore } from "../array/create.js";
import * as hierarchy from "../array/hierarchy.js";
import { openIfThere as openIfThereInCore } from "../array/open.js";
import { copyNode as copyNodeInCore } from "../work/copy.js";
import { verify as verifyInCore } from "../work/verify.js";
import { withCatalogue } from "./catalogue.js";

export const create: typeof createInCore = /* @__PURE__ */ withCatalogue(createInCore);
export const openIfThere: typeof openIfThereInCore = /* @__PURE__ */ withCatalogue(openIfThereInCore);
export const children: typeof hierarchy.children = /* @__PURE__ */ withCatalogue(hierarchy.children);
export const members: typeof hierarchy.members = /* @__PURE__ */ withCatalogue(hierarchy.members);
export const tree: typeof hierarchy.tree = /* @__PURE__ */ withCatalogue(hierarchy.tree);
export const exists: typeof hierarchy.exists = /* @__PURE__ */ withCatalogue(hierarchy.exists);
export const deleteNode: typeof hierarchy.deleteNode = /* @__PURE__ */ withCatalogue(hierarchy.deleteNode);
export const consolidateMetadata: typeof consolidated.consolidateMetadata = /* @__PURE__ */ withCatalogue(
  consolidated.consolidateMetadata,
);
export const checkConsolidated: typeof consolidatedCheck.checkConsolidated = /* @__PURE__ */ withCatalogue(
  consolidatedCheck.checkConsolidated,
);
export const copyNode: typeof copyNodeInCore = /* @__PURE__ */ withCatalogue(copyNodeInCore);
export const verify: typeof verifyInCore = /* @__PURE__ */ withCatalogue(verifyInCore);
export const codecsOfText: typeof codecText.codecsOfText = /* @__PURE__ */ withCatalogue(
  codecText.codecsOfText,
);
