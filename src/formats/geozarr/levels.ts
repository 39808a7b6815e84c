/** The levels of a raster: which arrays they are, and what the metadata around them say. */
import { isJsonObject, type Member } from "../../extend.js";
import { InvalidArgumentError, InvalidMetadataError, NotFoundError } from "../../index.js";
import {
  type ArrayFacts,
  below,
  type Conversation,
  folderOf,
  memberOf,
  type NodeFacts,
  nodesAt,
} from "./facts.js";
import { type LayoutItem, layoutOf } from "./layout.js";
import { pyramidLevels, type TiledLevel, tileMatrixLevels } from "./tiles.js";

/** An array of a raster. */
export interface LevelFacts {
  /** Path below the group, as the metadata name it; "" if the array itself was opened. */
  readonly label: string;
  readonly node: NodeFacts;
  readonly array: ArrayFacts;
  /** Attributes of the level, the nearest first: its item in a list, those of its array and of its group. */
  readonly attributes: readonly Member[];
  /** Attributes of the group around all levels, which count if those of the level say nothing. */
  readonly inherited: readonly Member[];
  /** Whether these attributes have those of the group in which the array is. */
  readonly knowsFolder: boolean;
  /** How its pixels are made of those of another level. */
  readonly derivation: LayoutItem | undefined;
  /** The item of the level at the start of its derivation, which may not have the variable. */
  readonly root: Member | undefined;
  /** The transform that a set of tiles gives it. */
  readonly transformOf: TiledLevel["transformOf"] | undefined;
}

/** The groups in which products of EOPF have the bands of an image in several resolutions. */
const EOPF_RESOLUTIONS = ["r10m", "r20m", "r60m"];

/** An item of a list of levels. */
export interface Item {
  readonly label: string;
  /** The member that names the level, for errors. */
  readonly named: Member;
  readonly attributes: Member | undefined;
  readonly derivation?: LayoutItem;
  readonly root?: Member | undefined;
  readonly transformOf?: TiledLevel["transformOf"];
}

/**
 * @param variable the array in the group, or in the group of each level
 * @throws NotFoundError, InvalidMetadataError, InvalidArgumentError
 */
export function* levelsAt(start: NodeFacts, variable: string | undefined): Conversation<LevelFacts[]> {
  const named = memberOf(start);
  if (start.array !== undefined) return [levelOf({ label: "", named, attributes: undefined }, start)];
  const items = itemsOf(named);
  if (items !== undefined) return definedOf(yield* levelsOf(start, items, variable));
  if (variable === undefined) throw variableMissing(start);
  const [found] = yield* nodesAt([below(start.path, variable)]);
  if (found !== undefined)
    return [levelOf({ label: variable, named, attributes: undefined }, arrayOf(found, start), start)];
  const eopf = yield* resolutionsIn(start);
  const resolutions = eopf.map(({ name }): Item => ({ label: name, named, attributes: undefined }));
  if (eopf.length > 0) return definedOf(yield* levelsOf(start, resolutions, variable));
  throw nothingAt(below(start.path, variable), named);
}

/** The groups in which a variable may be; empty if the levels are arrays. */
export function* variableFolders(start: NodeFacts): Conversation<NodeFacts[]> {
  const items = itemsOf(memberOf(start));
  if (items !== undefined) {
    const nodes = yield* nodesAt(items.map(({ label }) => below(start.path, label)));
    return groupsIn(nodes);
  }
  return [start, ...(yield* resolutionsIn(start))];
}

function* resolutionsIn({ path }: NodeFacts): Conversation<NodeFacts[]> {
  const nodes = yield* nodesAt(EOPF_RESOLUTIONS.map((name) => below(path, name)));
  return groupsIn(nodes);
}

function groupsIn(nodes: readonly (NodeFacts | undefined)[]): NodeFacts[] {
  return nodes.flatMap((node) => (node === undefined || node.array !== undefined ? [] : [node]));
}

/** What lists levels in the attributes of a group; undefined if nothing does. */
export function itemsOf(attributes: Member): Item[] | undefined {
  const multiscales = attributes.get("multiscales");
  if (multiscales.isNull) return undefined;
  const tiled = tileMatrixLevels(multiscales) ?? pyramidLevels(multiscales);
  if (tiled !== undefined)
    return tiled.map(({ asset, attributes: assetAttributes, transformOf }) => ({
      label: asset.path(),
      named: asset,
      attributes: asset.as(assetAttributes),
      transformOf,
    }));
  if (!isJsonObject(multiscales.json)) return undefined;
  const layout = layoutOf(multiscales.get("layout"));
  const byAsset = new Map(layout.map(({ asset, member }) => [asset, member]));
  return layout.map((derivation) => ({
    label: derivation.asset,
    named: derivation.member.get("asset"),
    attributes: derivation.member,
    derivation,
    root: byAsset.get(derivation.root),
  }));
}

export function definedOf<Level>(levels: readonly (Level | undefined)[]): Level[] {
  return levels.filter((level) => level !== undefined);
}

/**
 * A level for each item that has the variable.
 * @param mayBeEmpty whether none need have it
 */
export function* levelsOf(
  group: NodeFacts,
  items: readonly Item[],
  variable: string | undefined,
  mayBeEmpty = false,
): Conversation<(LevelFacts | undefined)[]> {
  const direct = yield* nodesAt(items.map((item) => directPath(group, item, variable)));
  const folders = yield* nodesAt(
    items.map(({ label }, i) => (direct[i]?.array ? undefined : below(group.path, label))),
  );
  const nodes = items.map(({ label, named }, i) => {
    const node = direct[i]?.array ? direct[i] : folders[i];
    if (node !== undefined) return node;
    const path = below(group.path, label);
    if (variable === undefined) throw nothingAt(path, named);
    // The group of a level may have no document of its own.
    return { path, name: path.slice(path.lastIndexOf("/") + 1), attributes: {}, array: undefined };
  });
  if (variable === undefined && nodes.some(({ array }) => array === undefined)) throw variableMissing(group);
  const paths = nodes.map(({ path, array }) => (array === undefined ? below(path, variable ?? "") : path));
  const siblings = yield* nodesAt(paths.filter((_, i) => nodes[i]?.array === undefined));
  const levels = items.map((item, i) => {
    const node = nodes[i];
    if (node?.array !== undefined) return levelOf(item, node, group);
    const found = siblings.shift();
    // Sentinel's bands are not in all resolutions.
    return found && levelOf(item, arrayOf(found, group), group, node);
  });
  if (!mayBeEmpty && levels.every((level) => level === undefined))
    throw nothingAt(paths[0] ?? group.path, items[0]?.named ?? memberOf(group));
  return levels;
}

/** The array of a level whose item states its place, so that nothing need be read of the group around it. */
function directPath(
  group: NodeFacts,
  { label, attributes }: Item,
  variable: string | undefined,
): string | undefined {
  const isPlaced = attributes !== undefined && !attributes.get("spatial:transform").isNull;
  return isPlaced && variable !== undefined ? below(below(group.path, label), variable) : undefined;
}

/**
 * @param group the one around all levels
 * @param facts the group of this level, if it is one
 */
function levelOf(
  { label, attributes, derivation, root, transformOf }: Item,
  node: NodeFacts,
  group?: NodeFacts,
  facts?: NodeFacts,
): LevelFacts {
  const { array, path } = node;
  if (array === undefined) throw new InvalidMetadataError("expected an array, found a group", { path });
  const near = [attributes, memberOf(node), facts && memberOf(facts)];
  return {
    label,
    node,
    array,
    attributes: near.filter((member) => member !== undefined),
    inherited: group === undefined ? [] : [memberOf(group)],
    knowsFolder: [group?.path, facts?.path].includes(folderOf(path)),
    derivation,
    root,
    transformOf,
  };
}

function arrayOf(node: NodeFacts, group: NodeFacts): NodeFacts {
  if (node.array !== undefined) return node;
  throw new NotFoundError(`expected an array, found a group at ${JSON.stringify(node.path)}`, {
    path: group.path,
  });
}

function variableMissing({ path }: NodeFacts): InvalidArgumentError {
  return new InvalidArgumentError(
    "variable: expected the name of an array in the group; rasterVariables lists them",
    { path },
  );
}

function nothingAt(path: string, named: Member): NotFoundError {
  return new NotFoundError(
    `no node at ${JSON.stringify(path)}, which the metadata or the option variable name`,
    named.where(),
  );
}
