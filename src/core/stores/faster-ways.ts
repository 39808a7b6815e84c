/**
 * What a store may be asked for beside `get`, `getRange`, `set` and `delete`. Its other methods, and what it
 * promises, stand for these four. An application wraps a store without knowing that: its Proxy, its subclass
 * or its object with some members of a store replaces `get`, to cache or to decrypt, and still shows the
 * `getParts` of the store inside. So a member counts only if what it stands for is what its class has.
 */
import type { Store } from "./store.js";

/** The name of a member that counts under this condition. */
export type FasterWay =
  | ("getParts" | "openNow" | "files" | "place" | "has")
  | ("setNow" | "setIfMissing" | "copiesValues" | "conditionalWrites" | "deletePrefix" | "deleteMany");

const READS = ["get", "getRange", "getParts", "openNow"];

/** The methods that each of them stands for. */
export const STANDS_FOR: ReadonlyMap<FasterWay, readonly string[]> = /* @__PURE__ */ new Map<
  FasterWay,
  readonly string[]
>([
  ["getParts", ["get", "getRange"]],
  ["openNow", ["get", "getRange", "getParts"]],
  ["files", READS],
  ["place", READS],
  ["has", ["get"]],
  ["setNow", ["set"]],
  ["setIfMissing", ["set"]],
  ["copiesValues", ["set"]],
  ["conditionalWrites", ["set"]],
  ["deletePrefix", ["delete"]],
  ["deleteMany", ["delete"]],
]);

/** Wrappers that hide what does not count, so that it need not be found out again (`putInFrontOfStore`). */
export const checkedWrappers = /* @__PURE__ */ new WeakSet<object>();

/** A member of a store; undefined when it has none, or one that would bypass a replaced method. */
export function wayOf<Name extends FasterWay, S extends Partial<Pick<Store, Name>>>(
  store: S,
  name: Name,
): S[Name] | undefined {
  if (checkedWrappers.has(store)) return store[name];
  const owner = levelWith(store, name);
  const isOwn =
    owner && STANDS_FOR.get(name)?.every((method) => Reflect.get(store, method) === memberOf(owner, method));
  return isOwn ? store[name] : undefined;
}

/**
 * The object or prototype that has a member. Descriptors are those of a Proxy's target, and show nothing of
 * what its `get` trap replaces.
 */
function levelWith(store: object, name: string): object | undefined {
  for (let level: object | null = store; level !== null; level = Object.getPrototypeOf(level))
    if (Object.getOwnPropertyDescriptor(level, name) !== undefined) return level;
  return undefined;
}

function memberOf(owner: object, name: string): unknown {
  const level = levelWith(owner, name);
  return level && Object.getOwnPropertyDescriptor(level, name)?.value;
}
