/** Several files as one hierarchy: arrays that have a dimension are joined along it. */
import { at, callListener } from "../../../core/for-stores.js";
import type { VirtualArray, VirtualGroup, VirtualNode } from "../port.js";
import type { VirtualStore } from "../virtual-store.js";
import {
  areAlike,
  checkAlike,
  checkSame,
  ELEMENTS,
  expectSame,
  type Joining,
  type Part,
  refusal,
  STORAGE,
  tellAttributes,
} from "./alike.js";
import { alongAxis, checkGrid, endWhole, gathered, isStep, stepOf } from "./arrays.js";
import { namesOf } from "./documents.js";

/**
 * The root of the files together. Arrays that have the dimension are joined along it, in the order of the
 * files; an array that lacks it in a later file is one step of it. If no array of a group has it, each file
 * is one step of a new dimension, the first: arrays that are no coordinates get it, and the scalar array of
 * its name becomes its coordinate. Other arrays, such as grids, have to be the same in all files, and are
 * those of the first.
 */
export function concatenated(
  stores: readonly VirtualStore[],
  dimension: string,
  onDifference?: (difference: string) => void,
): VirtualGroup {
  const differences = new Set<string>();
  const tell = (store: VirtualStore, path: string, message: string): void => {
    const difference = `${store.file.name}, ${path}: ${message}`;
    if (!differences.has(difference)) callListener(onDifference, difference);
    differences.add(difference);
  };
  return joinGroups(
    stores.map((store) => ({ store, node: store.rootGroup })),
    { dimension, tell },
    "/",
  );
}

function joinGroups(parts: readonly Part<VirtualGroup>[], joining: Joining, path: string): VirtualGroup {
  const first = at(parts, 0);
  const { dimension } = joining;
  let isNew: Promise<boolean> | undefined;

  /** Whether no array of the first file has the dimension. */
  async function hasNew(): Promise<boolean> {
    for (const name of await first.node.names()) {
      const child = await first.node.child(name);
      if (child?.kind === "array" && namesOf(await child.document()).includes(dimension)) return false;
    }
    return true;
  }

  return {
    kind: "group",
    async document() {
      const documents = await Promise.all(parts.map(({ node }) => node.document()));
      tellAttributes(parts, documents, joining, path);
      return at(documents, 0);
    },
    names: () => first.node.names(),
    async child(name) {
      const children = await Promise.all(
        parts.map(async ({ store, node }) => ({ store, node: await node.child(name) })),
      );
      const [head] = children;
      if (head?.node === undefined) return undefined;
      const childPath = `${path}${name}`;
      if (head.node.kind === "group")
        return joinGroups(
          children.map((part) => groupOf(part, childPath)),
          joining,
          `${childPath}/`,
        );
      isNew ??= hasNew();
      return joinArrays(
        children.map((part) => arrayOf(part, childPath)),
        name,
        joining,
        await isNew,
        childPath,
      );
    },
  };
}

type MaybePart = { readonly store: VirtualStore; readonly node: VirtualNode | undefined };

function groupOf({ store, node }: MaybePart, path: string): Part<VirtualGroup> {
  if (node?.kind === "group") return { store, node };
  throw refusal(store, path, `expected a group, found ${node === undefined ? "nothing" : "an array"}`);
}

function arrayOf({ store, node }: MaybePart, path: string): Part<VirtualArray> {
  if (node?.kind === "array") return { store, node };
  throw refusal(store, path, `expected an array, found ${node === undefined ? "nothing" : "a group"}`);
}

async function joinArrays(
  found: readonly Part<VirtualArray>[],
  name: string,
  joining: Joining,
  isNew: boolean,
  path: string,
): Promise<VirtualArray> {
  const { dimension } = joining;
  const originals = await Promise.all(found.map(({ node }) => node.document()));
  const document = at(originals, 0);
  const names = namesOf(document);
  const axis = names.indexOf(dimension);
  const isCoordinate = names.length === 1 && names[0] === name;
  const isStacked = axis < 0 && isNew && !isCoordinate;
  if (axis >= 0 || isStacked)
    for (const [i, each] of originals.entries()) checkGrid(at(found, i).store, path, each);
  const parts = found.map((part, i) => {
    const original = at(originals, i);
    return isStep(original, names, dimension) ? stepOf(part, original, dimension) : part;
  });
  const documents = await Promise.all(parts.map(({ node }) => node.document()));
  // An index may have gathered its elements: how they are stored is then nothing that the files differ in.
  const isLine = axis >= 0 && names.length === 1;
  const members = isLine ? ELEMENTS : [...STORAGE, ...ELEMENTS];
  for (const [i, other] of documents.entries())
    checkAlike(at(parts, i).store, path, members, document, other);
  tellAttributes(parts, documents, joining, path);
  if (isLine && !(areAlike(documents, STORAGE) && endWhole(documents)))
    return gathered(parts, documents, path);
  if (axis >= 0) return alongAxis(parts, documents, axis, path);
  if (isStacked) {
    for (const [i, each] of documents.entries())
      expectSame(at(parts, i).store, path, "shape", document.shape, each.shape);
    const steps = parts.map((part, i) => stepOf(part, at(documents, i), dimension));
    return alongAxis(steps, await Promise.all(steps.map(({ node }) => node.document())), 0, path);
  }
  await checkSame(parts, documents, path);
  return at(parts, 0).node;
}
