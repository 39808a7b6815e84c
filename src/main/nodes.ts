/**
 * Functions by which applications come to nodes besides `open`, with all codecs and formats of the package.
 * The functions that they are say more of arguments and errors.
 */
import * as codecText from "../array/create/codec-text.js";
import { create as createInCore } from "../array/create/create.js";
import * as consolidated from "../array/hierarchy/consolidated.js";
import * as consolidatedCheck from "../array/hierarchy/consolidated-check.js";
import * as hierarchy from "../array/hierarchy/hierarchy.js";
import { openIfThere as openIfThereInCore } from "../array/open/open.js";
import { copyNode as copyNodeInCore } from "../work/copy.js";
import { verify as verifyInCore } from "../work/verify.js";
import { withCatalogue } from "./catalogue.js";

/**
 * Creates an array (with `shape` and `dtype`) or a group, and the missing groups above it. @throws
 * AlreadyExistsError without `overwrite`, InvalidArgumentError, UnknownCodecError, StoreError
 */
export const create: typeof createInCore = /* @__PURE__ */ withCatalogue(createInCore);
/** Opens the node at a location. @returns undefined if there is none */
export const openIfThere: typeof openIfThereInCore = /* @__PURE__ */ withCatalogue(openIfThereInCore);
/** Opens the nodes directly below a group (or any location), sorted by name. */
export const children: typeof hierarchy.children = /* @__PURE__ */ withCatalogue(hierarchy.children);
/** Opens all nodes below a group (or any location). A group comes before its children. */
export const members: typeof hierarchy.members = /* @__PURE__ */ withCatalogue(hierarchy.members);
/**
 * Describes a hierarchy in a string of one line per node: its name, and for arrays the shape and data type.
 */
export const tree: typeof hierarchy.tree = /* @__PURE__ */ withCatalogue(hierarchy.tree);
/** Whether a location has a node. @throws InvalidMetadataError if its document is invalid, StoreError */
export const exists: typeof hierarchy.exists = /* @__PURE__ */ withCatalogue(hierarchy.exists);
/**
 * Deletes an array, or a group with everything below it. @throws NotFoundError, UnsupportedError, StoreError
 */
export const deleteNode: typeof hierarchy.deleteNode = /* @__PURE__ */ withCatalogue(hierarchy.deleteNode);
/** Writes the documents of all nodes of a hierarchy into one, which `withConsolidatedMetadata` reads. */
export const consolidateMetadata: typeof consolidated.consolidateMetadata = /* @__PURE__ */ withCatalogue(
  consolidated.consolidateMetadata,
);
/** Compares consolidated metadata with the documents that they are copies of. */
export const checkConsolidated: typeof consolidatedCheck.checkConsolidated = /* @__PURE__ */ withCatalogue(
  consolidatedCheck.checkConsolidated,
);
/** Copies an array, or a group with everything below it, and converts it if options say so. */
export const copyNode: typeof copyNodeInCore = /* @__PURE__ */ withCatalogue(copyNodeInCore);
/** Checks that every chunk decodes, or that every element equals that of another array or hierarchy. */
export const verify: typeof verifyInCore = /* @__PURE__ */ withCatalogue(verifyInCore);
/**
 * Codecs in the forms that `create` takes, from a string such as `shuffle,zstd:5` or JSON.
 * @throws InvalidMetadataError, InvalidArgumentError
 */
export const codecsOfText: typeof codecText.codecsOfText = /* @__PURE__ */ withCatalogue(
  codecText.codecsOfText,
);
