/** Finds a node of one format: v3, v2, or the 2020 draft. */

import { NotFoundError } from "../../base/errors.js";
import { preloadCodecs } from "../../core/codecs/preload.js";
import { isUnanswered } from "../../core/stores/requests/retry.js";
import type { StoreOptions } from "../../core/stores/store.js";
import { withAllDataTypes } from "../../data-types/registry.js";
import { isDraftEntryPoint } from "../../metadata/draft.js";
import type { NodeMetadata } from "../../metadata/model.js";
import { keyBelow } from "../../metadata/path.js";
import { parseV2Array, parseV2Group } from "../../metadata/v2.js";
import { parseV3 } from "../../metadata/v3.js";
import { Group, type Location, type Node, ZarrArray } from "../nodes/nodes.js";
import { draftNodes } from "./draft-nodes.js";
import type { OpenOptions } from "./open-options.js";
import { readDocument } from "./read-document.js";

/**
 * Finds a node of one format; undefined if the location has none.
 * @param sought the function adds the keys that it looks for, for error messages
 */
export type Format = (
  location: Location,
  options: ProbeOptions,
  sought: string[],
) => Promise<Node | undefined>;
export type ProbeOptions = OpenOptions & Pick<StoreOptions, "isProbe">;

/**
 * @param isDraftWelcome whether the `zarr.json` of a draft hierarchy is followed; otherwise it is an error
 */
const zarrJson =
  (isDraftWelcome: boolean): Format =>
  async (location, options, sought) => {
    const key = keyBelow(location.path, "zarr.json");
    sought.push(key);
    const document = await readDocument(location.store, key, options);
    if (document === undefined) return undefined;
    preloadCodecs(document.json);
    if (!isDraftEntryPoint(document.json)) {
      const { json, context } = document;
      return toNode(location, await withAllDataTypes(() => parseV3(json, context)), options);
    }
    const { openEntryPoint, refuseDraft } = await draftNodes.load();
    return isDraftWelcome ? openEntryPoint(location, document, options) : refuseDraft(document);
  };

/**
 * Reads `.zarray`, then `.zgroup`, with `.zattrs` at the same time. Two or three requests; one fewer with
 * `attrs: false`.
 */
const v2: Format = async (location, options, sought) => {
  const { kind, attrs } = options;
  const read = (name: string) => {
    const key = keyBelow(location.path, name);
    if (name !== ".zattrs") sought.push(key);
    return readDocument(location.store, key, options);
  };
  const attributes = attrs === false ? undefined : read(".zattrs");
  const document = read(kind === "group" ? ".zgroup" : ".zarray");
  // A `.zarray` without an answer may be a missing one, of a group.
  let unanswered: unknown;
  const answered = document.catch((error) => {
    if (kind !== undefined || !isUnanswered(error)) throw error;
    unanswered = error;
    return undefined;
  });
  // `.zattrs` may take longer.
  answered.then((found) => preloadCodecs(found?.json ?? null)).catch(() => {});
  const [zattrs, first] = await Promise.all([attributes, answered]);
  if (first !== undefined && kind !== "group") {
    const array = await withAllDataTypes(() => parseV2Array(first.json, zattrs?.json, first.context));
    return toNode(location, array, options);
  }
  const zgroup = kind === undefined ? await read(".zgroup") : first;
  if (zgroup === undefined && unanswered !== undefined) throw unanswered;
  return zgroup && toNode(location, parseV2Group(zgroup.json, zattrs?.json, zgroup.context), options);
};

const draft: Format = async (location, options, sought) => {
  sought.push("/zarr.json of the 2020 draft");
  return (await draftNodes.load()).openIfDraft(location, options);
};

export const FORMATS = {
  v3: /* @__PURE__ */ zarrJson(false),
  /** Whether `open` also follows the `zarr.json` of a draft hierarchy. */
  v3OrDraft: /* @__PURE__ */ zarrJson(true),
  v2,
  draft,
  /** The draft without a known entry point. At the root, `v3OrDraft` has read `zarr.json` already. */
  draftBelowRoot: async (location, options, sought) =>
    location.path === "/" ? undefined : draft(location, options, sought),
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof FORMATS;

/** @throws NotFoundError for a node of another kind than `options.kind` */
function toNode(location: Location, metadata: NodeMetadata, { kind }: OpenOptions): Node {
  if (kind !== undefined && metadata.nodeType !== kind) {
    const found = metadata.nodeType;
    throw new NotFoundError(
      kind === "array" ? "expected an array, found a group" : "expected a group, found an array",
      {
        path: location.path,
        found,
      },
    );
  }
  return metadata.nodeType === "array"
    ? new ZarrArray(location.store, location.path, metadata)
    : new Group(location.store, location.path, metadata);
}
