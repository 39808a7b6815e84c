/**
 * Puts members in front of an object: the members replace its own, and everything else is forwarded to it.
 * All wrappers of stores are made so.
 */

/**
 * Wraps `target` in a Proxy that prefers `members`. Other methods are bound to `target`, so that its private
 * fields work. A getter in `members` runs on every access. Assignments stay in the wrapper.
 */
export function putInFront<Target extends object, Members extends object>(
  target: Target,
  members: Members,
): Target & Members;
export function putInFront(target: object, members: object): object {
  const assigned = new Map<PropertyKey, unknown>();
  const isMember = (name: PropertyKey): boolean => name in members && !(name in Object.prototype);
  // Not a proxy of `target` itself: that may answer nothing else than `target` for members that cannot
  // change, as those of a frozen store.
  return new Proxy(Object.create(Reflect.getPrototypeOf(target)), {
    get(_, name) {
      if (assigned.has(name)) return assigned.get(name);
      if (isMember(name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      // Error messages read the store's class name from `constructor`, so it stays unbound.
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
    has: (_, name) => assigned.has(name) || isMember(name) || Reflect.has(target, name),
    set(_, name, value) {
      assigned.set(name, value);
      return true;
    },
    ownKeys: () => Reflect.ownKeys(target),
    getOwnPropertyDescriptor(front, name) {
      const isOwn = assigned.has(name) || isMember(name);
      const own = isOwn
        ? { value: Reflect.get(front, name), writable: true, enumerable: true }
        : Reflect.getOwnPropertyDescriptor(target, name);
      return own && { ...own, configurable: true };
    },
  });
}

/**
 * Faster alternatives to each method, and what is promised of it. The engine prefers them, so they would
 * bypass a method that is replaced; a `set` that is replaced may keep values (`copiesValues`).
 */
const FASTER_WAYS: Readonly<Record<string, readonly string[]>> = {
  get: ["getParts", "openNow", "has", "files"],
  getRange: ["getParts", "openNow", "files"],
  set: ["setNow", "copiesValues", "conditionalWrites"],
  delete: ["deletePrefix", "deleteMany"],
};

/**
 * `putInFront` for a store. It hides the faster alternatives to a replaced method, unless `members` replace
 * them too.
 */
export function putInFrontOfStore<Store extends object, Members extends object>(
  store: Store,
  members: Members,
): Store & Members {
  const front = putInFront(store, members);
  // The members may change keys and values, so the storage counts as another one unless `members` say
  // otherwise.
  if (!("place" in members)) Reflect.set(front, "place", undefined);
  for (const [method, ways] of Object.entries(FASTER_WAYS)) {
    if (!(method in members)) continue;
    for (const way of ways) if (!(way in members)) Reflect.set(front, way, undefined);
  }
  return front;
}
