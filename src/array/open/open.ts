/** Opens arrays and groups: chooses the formats to look for, in which order and at once. */

import { Stop, untilAborted } from "../../base/abort.js";
import {
  describeGiven,
  InvalidArgumentError,
  invalid,
  isZarrError,
  NotFoundError,
  StoreError,
} from "../../base/errors.js";
import { checkNames } from "../../base/option-names.js";
import { checkStore, describeStore } from "../../core/stores/check-store.js";
import { adviceForKeys } from "../../core/stores/keys-and-ranges.js";
import { isUnanswered, unrepeated } from "../../core/stores/requests/retry.js";
import type { Store, StoreOptions } from "../../core/stores/store.js";
import { isFar } from "../../core/stores/values.js";
import type { DataTypeName } from "../../data-types/names.js";
import { loadKernels } from "../../kernels/load.js";
import { isDraftEntryPoint } from "../../metadata/draft.js";
import type { DataTypeQuery, NarrowDataType } from "../nodes/data-type-query.js";
import { type Group, type Location, type Node, toLocation, ZarrArray } from "../nodes/nodes.js";
import { draftNodes } from "./draft-nodes.js";
import { FORMATS, type Format, type FormatName, type ProbeOptions } from "./formats.js";
import { type NodeKind, OPEN, type OpenOptions } from "./open-options.js";
import { readDocument } from "./read-document.js";

type OpenNode = (location: Location, options: OpenOptions) => Promise<Node>;

/** Makes `open`, or one of `open.v2`, `open.v3` and `open.draft`. */
function makeOpen(openLocated: OpenNode) {
  function openNode<S extends Store, const Q extends DataTypeQuery>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "array"; dtype: Q },
  ): Promise<ZarrArray<NarrowDataType<DataTypeName, Q>, S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "array" },
  ): Promise<ZarrArray<DataTypeName, S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "group" },
  ): Promise<Group<S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options?: OpenOptions,
  ): Promise<ZarrArray<DataTypeName, S> | Group<S>>;
  async function openNode(where: Location | Store, options: OpenOptions = {}): Promise<ZarrArray | Group> {
    checkNames(options, "open", OPEN);
    // WebAssembly compiles while the metadata are fetched. The first read reports a failure.
    loadKernels().catch(() => {});
    return untilAborted(options.signal, async () => {
      const { dtype, kind } = options;
      if (kind !== undefined && kind !== "array" && kind !== "group")
        throw invalid("kind", '"array" or "group"', kind);
      const node = await openLocated(toLocation(where), options);
      const array = node.kind === "array" ? node : undefined;
      if (dtype !== undefined && !array?.is(dtype)) {
        const found = array?.dtype ?? "a group";
        throw new NotFoundError(`expected an array of ${dtype}, found ${found}`, {
          path: node.path,
          found: node.kind,
        });
      }
      const { arrayExtensions } = node.store;
      return arrayExtensions ? extendOpened(node, arrayExtensions) : node;
    });
  }
  return openNode;
}

type Open = ReturnType<typeof makeOpen>;

const only =
  (...formats: readonly FormatName[]): OpenNode =>
  (location, options) =>
    openFirst(location, options, formats);

/**
 * Nodes below a v2 node are nearly always v2. Looking for v2 first there saves the request for a missing
 * `zarr.json`.
 */
const kin =
  (...formats: readonly FormatName[]): OpenNode =>
  (location, options) =>
    openFirst(
      location,
      options,
      location.zarrFormat === 2 ? [...new Set(["v2", ...formats] as const)] : formats,
    );

const inAnyFormat = /* @__PURE__ */ kin("v3OrDraft", "v2", "draftBelowRoot");
/**
 * There is no draft below a v3 node. Looking for it would parse the root document again for each missing
 * node.
 */
const belowV3 = /* @__PURE__ */ only("v3", "v2");
const draft = /* @__PURE__ */ only("draft");

/** `open` of the package, whose doc comment is at src/main/open.ts, with the slots as they are. */
export const open: Open & { readonly v2: Open; readonly v3: Open; readonly draft: Open } =
  /* @__PURE__ */ Object.assign(
    /* @__PURE__ */ makeOpen((location, options) => {
      const { format } = options;
      if (format !== undefined) return openFirst(location, options, [format].flat());
      if (location.entryPoint !== undefined) return draft(location, options);
      return (location.zarrFormat === 3 ? belowV3 : inAnyFormat)(location, options);
    }),
    {
      v2: /* @__PURE__ */ makeOpen(/* @__PURE__ */ only("v2")),
      v3: /* @__PURE__ */ makeOpen(/* @__PURE__ */ only("v3")),
      draft: /* @__PURE__ */ makeOpen(draft),
    },
  );

/** `open` for v3 and v2 only, never the draft. */
export const openFinal: Open = /* @__PURE__ */ makeOpen(/* @__PURE__ */ kin("v3", "v2"));

/** Opens the node at a location. @returns undefined if `openNode` throws NotFoundError */
export async function openIfThere<S extends Store>(
  location: Location<S>,
  options: OpenOptions,
  openNode: Open = open,
): Promise<Node<S> | undefined> {
  try {
    return await openNode(location, options);
  } catch (error) {
    if (isZarrError(error, "NotFoundError")) return undefined;
    throw error;
  }
}

/** The kind of the node at a location, undefined if it has none. */
export async function nodeKind(
  location: Location,
  { signal }: StoreOptions,
  openNode: Open = open,
): Promise<NodeKind | undefined> {
  return (await openIfThere(location, { attrs: false, signal }, openNode))?.kind;
}

/**
 * Opens the node in the first format that has it. Remote stores are asked for the first two formats at once,
 * unless the store is known to hold v3: one format after the other costs a page a round trip before its first
 * v2 array.
 * @throws NotFoundError that names the missing keys, InvalidArgumentError for an unknown format
 */
async function openFirst(
  location: Location,
  options: OpenOptions,
  names: readonly FormatName[],
): Promise<Node> {
  const { store } = location;
  checkStore(store);
  const atOnce = isFar(store) && !storesOfV3.has(store) && location.zarrFormat !== 3 ? 2 : 1;
  if (atOnce === 1 || names.length === 1) return openFormats(location, options, names, 1);
  const stop = new Stop(options.signal);
  const stoppable = { ...options, signal: stop.signal() };
  try {
    return await openFormats(location, { ...stoppable, isProbe: true }, names, atOnce);
  } catch (error) {
    // A request that asks whether a document is there is not repeated (`isProbe`) if it gets no answer: now
    // it is.
    if (!isUnanswered(error) || !unrepeated.has(error)) throw error;
    return await openFormats(location, stoppable, names, atOnce);
  } finally {
    // Cancels the requests for the second format once the first has the node.
    stop.abort(undefined);
    stop.end();
  }
}

/** @param atOnce how many of the formats are asked for at once */
async function openFormats(
  location: Location,
  options: ProbeOptions,
  names: readonly FormatName[],
  atOnce: number,
): Promise<Node> {
  const { store, path } = location;
  const begin = (name: FormatName) => {
    const format: Format | undefined = FORMATS[name];
    if (!format) throw new InvalidArgumentError(`format: expected "v3", "v2" or "draft", got ${name}`);
    const sought: string[] = [];
    return { sought, node: format(location, options, sought) };
  };
  const probes = names.slice(0, atOnce).map(begin);
  for (const { node } of probes) node.catch(() => {});
  const sought: string[] = [];
  const unanswered: StoreError[] = [];
  for (const [i, name] of names.entries()) {
    const one = probes[i] ?? begin(name);
    const node = await one.node.catch((error: unknown) => {
      if (!isUnanswered(error) || error.key === undefined) throw error;
      unanswered.push(error);
      return "unanswered" as const;
    });
    // Whether the other documents of that format exist is not known.
    if (node === "unanswered") continue;
    sought.push(...one.sought);
    if (node === undefined) continue;
    if (node.metadata.zarrFormat === 3) storesOfV3.add(store);
    return node;
  }
  const [first, ...others] = unanswered;
  if (first !== undefined) throw withOthers(first, others, sought);
  throw new NotFoundError(
    `no Zarr ${options.kind ?? "array or group"} in ${describeStore(store)}: looked for ${sought.join(", ")}${adviceFor(store)}`,
    { path },
  );
}

/** The error of a document without an answer, if no other document was found. */
function withOthers(first: StoreError, others: readonly StoreError[], sought: readonly string[]): StoreError {
  const unanswered = [first, ...others].map(({ key }) => key);
  const rest = sought.filter((key) => !unanswered.includes(key));
  const notes = [
    ...others.map(({ key }) => `no answer for ${key} either`),
    ...(rest.length > 0 ? [`${rest.join(", ")}: not found`] : []),
  ];
  const { reason, key, status, isTransient, cause } = first;
  const error = new StoreError([reason, ...notes].join("; "), { key, status, isTransient, cause });
  if (unrepeated.has(first)) unrepeated.add(error);
  return error;
}

/** Advice about a store in which there is no node, after "; ". Empty if there is none to give. */
export function adviceFor(store: Store): string {
  const where = "url" in store ? describeStore(store) : "";
  const [, document] = /\/(zarr\.json|\.z(?:array|group|attrs|metadata))\/?$/.exec(where) ?? [];
  if (document !== undefined) return `; the URL names a document; remove /${document} from it`;
  const [, extension] = /\.(zip|h5|hdf5|nc)\/?$/i.exec(where) ?? [];
  if (extension?.toLowerCase() === "zip")
    return "; the URL may name a zip archive, which ZipStore.fromUrl reads";
  if (extension !== undefined) return "; the URL may name an HDF5 or NetCDF file, not Zarr";
  const advice = store instanceof Map ? adviceForKeys(store) : "advice" in store && store.advice;
  return advice ? `; ${advice}` : "";
}

const storesOfV3 = new WeakSet<Store>();

/**
 * Applies the `arrayExtensions` of a store to an array.
 * @throws InvalidArgumentError unless each is a function that returns an array
 */
async function extendOpened(node: Node, extensions: readonly unknown[]): Promise<Node> {
  if (node.kind === "group") return node;
  let array: ZarrArray = node;
  for (const extension of extensions) {
    const extended: unknown =
      typeof extension === "function" ? await Reflect.apply(extension, undefined, [array]) : extension;
    if (!(extended instanceof ZarrArray)) {
      throw new InvalidArgumentError(
        `arrayExtensions of the store: expected functions that return an array, got ${describeGiven(extended)}`,
        { path: node.path },
      );
    }
    array = extended;
  }
  return array;
}

/**
 * Adds the entry point of a 2020-draft hierarchy to a location; other locations stay as they are. Only
 * `/zarr.json` marks the draft, so this takes one request, or none if the entry point is known.
 * @throws InvalidMetadataError for a malformed entry point, StoreError
 */
export async function locate<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Location<S>> {
  if (location.entryPoint !== undefined) return location;
  const document = await readDocument(location.store, "/zarr.json", options);
  if (document === undefined || !isDraftEntryPoint(document.json)) return location;
  return (await draftNodes.load()).locateIn(location, document);
}
