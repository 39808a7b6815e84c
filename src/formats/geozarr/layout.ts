/**
 * The `layout` of the convention `multiscales`: levels, and how their pixels are made of those of another.
 */
import { itemAt, type Member } from "../../extend.js";
import { InvalidMetadataError } from "../../index.js";

/** One item of `layout`, resolved through its chain of `derived_from`. */
export interface LayoutItem {
  readonly asset: string;
  readonly member: Member;
  /** Asset at the start of the chain. `scale` and `translation`, both [y, x], are relative to it. */
  readonly root: string;
  readonly scale: readonly [number, number];
  readonly translation: readonly [number, number];
}

/** @throws InvalidMetadataError for a cycle of `derived_from`, or one that names a missing asset */
export function layoutOf(layout: Member): LayoutItem[] {
  const items = layout.list();
  if (items.length === 0) throw layout.invalid("at least one level");
  const byAsset = new Map(items.map((item) => [item.get("asset").path(), item]));
  const resolved = new Map<string, Chain>();
  return items.map((item) => ({
    asset: item.get("asset").string(),
    member: item,
    ...chainOf(item, byAsset, resolved),
  }));
}

type Chain = Pick<LayoutItem, "root" | "scale" | "translation">;

/**
 * Follows `derived_from` up to the first level that is resolved, then resolves all levels in between, so that
 * each is visited once.
 */
function chainOf(item: Member, byAsset: ReadonlyMap<string, Member>, resolved: Map<string, Chain>): Chain {
  const steps = new Map<string, Member>();
  let chain: Chain | undefined;
  for (let at = item; chain === undefined; ) {
    const asset = at.get("asset").string();
    const from = at.get("derived_from");
    if (steps.has(asset))
      throw new InvalidMetadataError(
        "expected levels that are not derived from each other in a cycle",
        item.get("derived_from").where(),
      );
    chain =
      resolved.get(asset) ?? (from.isNull ? { root: asset, scale: [1, 1], translation: [0, 0] } : undefined);
    if (chain !== undefined) break;
    steps.set(asset, at);
    const next = byAsset.get(from.string());
    if (next === undefined) throw from.invalid("the asset of a level");
    at = next;
  }
  for (const [asset, at] of [...steps].reverse()) {
    chain = derived(chain, at.get("transform"));
    resolved.set(asset, chain);
  }
  return chain;
}

/** The chain of a level whose pixels are those of another one, scaled and moved by `step`. */
function derived({ root, scale, translation }: Chain, step: Member): Chain {
  const [sy = 1, sx = 1] = step.isNull ? [] : pairOf(step.get("scale"), [1, 1], (value) => value !== 0);
  const [ty = 0, tx = 0] = step.isNull ? [] : pairOf(step.get("translation"), [0, 0]);
  return {
    root,
    scale: [scale[0] * sy, scale[1] * sx],
    translation: [scale[0] * ty + translation[0], scale[1] * tx + translation[1]],
  };
}

/** Returns the last two numbers: [y, x]. */
function pairOf(
  member: Member,
  missing: readonly number[],
  isValid: (value: number) => boolean = () => true,
): readonly number[] {
  if (member.isNull) return missing;
  const numbers = member.numbers();
  const wrong = numbers.findIndex((value) => !isValid(value));
  if (wrong >= 0) throw itemAt(member.list(), wrong).invalid("a number other than 0");
  if (numbers.length < 2)
    throw new InvalidMetadataError(`expected 2 numbers, got ${numbers.length}`, member.where());
  return numbers.slice(-2);
}
