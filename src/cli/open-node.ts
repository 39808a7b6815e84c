/** Opens the node that a command names, with advice if it does not exist. */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { didYouMean } from "../extend.js";
import {
  children,
  type Group,
  isZarrError,
  type Location,
  type Node,
  NotFoundError,
  open,
  root,
  type Array as ZarrArray,
} from "../index.js";
import { addressKind } from "../stores/addresses/open-store.js";
import { type NodeName, openHierarchy, openSource } from "./stores.js";

interface OpenNodeOptions {
  /** Whether the nodes below are going to be listed. */
  readonly isHierarchy?: boolean;
}

/** @throws NotFoundError with the nearest name, and what `open` throws */
export async function openNode(name: NodeName, { isHierarchy = false }: OpenNodeOptions = {}): Promise<Node> {
  return withAdvice(name, async () => {
    return open(await (isHierarchy ? openHierarchy : openSource)(name));
  });
}

/** @throws NotFoundError with the nearest name, or for a group; what `open` throws */
export async function openArray(name: NodeName): Promise<ZarrArray> {
  return withAdvice(name, async () => open(await openSource(name), { kind: "array" }));
}

/** Runs `action`. If it does not find the node, the error names the nearest node or file. */
export async function withAdvice<Result>(name: NodeName, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (!isZarrError(error, "NotFoundError") || error.found === "array") throw error;
    const advice = await adviceFor(name).catch(() => "");
    if (advice === "") throw error;
    throw new NotFoundError(`${error.reason}; ${advice}`, { path: error.path, cause: error });
  }
}

async function adviceFor(name: NodeName): Promise<string> {
  if (addressKind(name.store) === "path" && !existsSync(name.store)) return adviceForHost(name.store);
  return adviceForPath(root((await openHierarchy({ ...name, path: "/" })).store), name.path);
}

/** The host of a URL without its scheme: "example.com/a.zarr", "localhost:8080", "www.example.com". */
const HOST = /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?=:\d+(?:\/|$)|\/)|^www(?:\.[\w-]+)+$/;

/** Advice about a path that may have been meant as a URL; otherwise "". */
function adviceForHost(store: string): string {
  const [host] = HOST.exec(store) ?? [];
  // Not for a missing node of a directory: "a.zarr/b".
  return host !== undefined && !existsSync(host) ? "a URL begins with https://" : "";
}

/** The nearest name among the files next to a missing one. */
export async function adviceForFile(store: string): Promise<string> {
  const file = resolve(store);
  const advice = adviceForHost(store);
  if (advice !== "") return `no directory ${store}; ${advice}`;
  const nearest = didYouMean(basename(file), await readdir(dirname(file)).catch(() => []));
  return `no file or directory ${store}${nearest}`;
}

/**
 * The nearest name among the children of the last group on the way to a path; what a group at the path has.
 */
async function adviceForPath(location: Location, path: string): Promise<string> {
  let group = await open(location, { kind: "group" });
  for (const name of path.split("/").filter(Boolean)) {
    const nodes = await children(group);
    const names = namesOf(nodes);
    const next = nodes[names.indexOf(name)];
    if (next?.kind === "group") {
      group = next;
      continue;
    }
    if (next !== undefined) return `${next.path} is an array`;
    return didYouMean(name, names).replace(/^: /, "") || whatHas(group, names);
  }
  return whatHas(group, namesOf(await children(group)));
}

const namesOf = (nodes: readonly Node[]): string[] =>
  nodes.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));

/** Names to print if none is near. */
const MOST_NAMES = 8;

function whatHas(group: Group, names: readonly string[]): string {
  const listed = names.length === 0 ? "nothing" : names.slice(0, MOST_NAMES).join(", ");
  return `${group.path} has ${listed}${names.length > MOST_NAMES ? ", ..." : ""}`;
}
