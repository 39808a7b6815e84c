/**
 * The levels of a raster in a store, in which each question takes a request: levels whose items state place
 * and shape (`spatial:transform` and `spatial:shape`) are not read.
 */
import type { Member } from "../../extend.js";
import { below, type Conversation, memberOf, type NodeFacts } from "./facts.js";
import { definedOf, type Item, itemsOf, type LevelFacts, levelsAt, levelsOf } from "./levels.js";
import { spatialTransform, unlessMalformed } from "./transform.js";

/** A level whose item states place and shape. Its array is like that of `model`, and is not read. */
export interface StatedLevel
  extends Pick<LevelFacts, "label" | "attributes" | "inherited" | "derivation" | "root" | "transformOf"> {
  readonly path: string;
  readonly shape: readonly [rows: number, columns: number];
  readonly model: LevelFacts;
}

interface StatedItem {
  readonly item: Item;
  readonly shape: readonly [rows: number, columns: number];
  /** Of a pixel, in units of the CRS. */
  readonly area: number;
}

/**
 * As `levelsAt`, but of the levels whose items state place and shape only the finest is read. Whether the
 * others have the variable turns out when they are opened; if the finest has not, all are read.
 */
export function* neededLevels(
  group: NodeFacts,
  variable: string | undefined,
): Conversation<(LevelFacts | StatedLevel)[]> {
  const items = group.array === undefined ? itemsOf(memberOf(group)) : undefined;
  const stated = definedOf((items ?? []).map((item) => statedItem(item, group)));
  const [finest, ...others] = stated.sort((a, b) => a.area - b.area);
  if (items === undefined || finest === undefined) return yield* levelsAt(group, variable);
  const later = new Map(others.map((each) => [each.item, each]));
  const sooner = items.filter((item) => !later.has(item));
  const found = yield* levelsOf(group, sooner, variable, later.size > 0);
  const levels = new Map(sooner.map((item, i) => [item, found[i]]));
  const model = levels.get(finest.item);
  if (model === undefined) return yield* levelsAt(group, variable);
  return definedOf(
    items.map((item) => {
      const each = later.get(item);
      return each === undefined ? levels.get(item) : statedLevel(each, model, group);
    }),
  );
}

function statedLevel({ item, shape }: StatedItem, model: LevelFacts, group: NodeFacts): StatedLevel {
  const { label, attributes, derivation, root, transformOf } = item;
  // Both are arrays themselves, or groups in which the array has the same name.
  const inside = model.node.path.slice(below(group.path, model.label).length);
  return {
    ...{ label, derivation, root, transformOf, shape, model },
    path: `${below(group.path, label)}${inside}`,
    attributes: attributes === undefined ? [] : [attributes],
    inherited: [memberOf(group)],
  };
}

/**
 * Undefined for an item that states not both, or states them wrongly: its array tells.
 * @param group around all levels, whose attributes may say how transforms are meant
 */
function statedItem(item: Item, group: NodeFacts): StatedItem | undefined {
  const { attributes } = item;
  if (attributes === undefined || attributes.get("spatial:shape").isNull) return undefined;
  return unlessMalformed(
    () => statedBy(item, attributes, group),
    // Whoever reads the level says it.
    () => undefined,
  );
}

function statedBy(item: Item, attributes: Member, group: NodeFacts): StatedItem | undefined {
  const transform = spatialTransform([attributes], [memberOf(group)]);
  const lengths = attributes.get("spatial:shape").list();
  const [rows, columns] = lengths.map((length) => length.integer());
  if (transform === undefined || rows === undefined || columns === undefined) return undefined;
  const [a, b, , d, e] = transform;
  return { item, shape: [rows, columns], area: Math.abs(a * e - b * d) };
}
