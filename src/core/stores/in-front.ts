/**
 * Puts members in front of an object: the members replace its own, and everything else is forwarded to it.
 * All wrappers of stores are made so.
 */
import { checkedWrappers, STANDS_FOR, wayOf } from "./faster-ways.js";
import type { Store } from "./store.js";

/**
 * Wraps `target` in a Proxy that prefers `members`. Other methods are bound to `target`, so that its private
 * fields work. A getter in `members` runs on every access. Assignments stay in the wrapper.
 * @param hiddenBy names of members that an assignment to this name hides
 */
export function putInFront<Target extends object, Members extends object>(
  target: Target,
  members: Members,
  hiddenBy?: (name: PropertyKey) => readonly string[],
): Target & Members;
export function putInFront(
  target: object,
  members: object,
  hiddenBy?: (name: PropertyKey) => readonly string[],
): object {
  const assigned = new Map<PropertyKey, unknown>();
  const isMember = (name: PropertyKey): boolean => name in members && !(name in Object.prototype);
  // Not a proxy of `target` itself: that may answer nothing else than `target` for members that cannot
  // change, as those of a frozen store.
  const front: object = new Proxy(Object.create(Reflect.getPrototypeOf(target)), {
    get(_, name) {
      if (assigned.has(name)) return assigned.get(name);
      if (isMember(name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      // Error messages read the store's class name from `constructor`, so it stays unbound.
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
    has: (_, name) => assigned.has(name) || isMember(name) || Reflect.has(target, name),
    set(_, name, value, receiver) {
      // An object that inherits from the wrapper gets members of its own.
      if (receiver !== front) return Reflect.set({}, name, value, receiver);
      assigned.set(name, value);
      for (const hidden of hiddenBy?.(name) ?? []) assigned.set(hidden, undefined);
      return true;
    },
    ownKeys: () => Reflect.ownKeys(target),
    getOwnPropertyDescriptor(_, name) {
      const isOwn = assigned.has(name) || isMember(name);
      const member = isOwn
        ? { value: Reflect.get(front, name), writable: true, enumerable: true }
        : Reflect.getOwnPropertyDescriptor(target, name);
      return member && { ...member, configurable: true };
    },
  });
  return front;
}

/**
 * `putInFront` for a store. It hides members of the store that would bypass a method that is replaced, here
 * or in the store already, unless `members` replace them too.
 */
export function putInFrontOfStore<Inner extends Store, Members extends object>(
  store: Inner,
  members: Members,
): Inner & Members {
  const front = putInFront(store, members, waysAround);
  for (const [name, methods] of STANDS_FOR) {
    if (name in members || !(name in store)) continue;
    // The members may change keys and values, so the storage counts as another one unless they say otherwise.
    const isHidden = name === "place" || methods.some((method) => method in members);
    if (isHidden || wayOf(store, name) === undefined) Reflect.set(front, name, undefined);
  }
  checkedWrappers.add(front);
  return front;
}

/** The members that would bypass a method. */
function waysAround(method: PropertyKey): string[] {
  return [...STANDS_FOR].flatMap(([name, methods]) =>
    methods.some((each) => each === method) ? [name] : [],
  );
}
