/** Objects in front of others: members that take the place of another object's, which does everything else itself. */

/**
 * `target` with `members` in front. Everything else is `target`'s own, private fields included; getters among the members are
 * asked every time.
 */
export function putInFront<Target extends object, Members extends object>(
  target: Target,
  members: Members,
): Target & Members;
export function putInFront(target: object, members: object): object {
  const assigned = new Map<PropertyKey, unknown>();
  const isMember = (name: PropertyKey): boolean => name in members && !(name in Object.prototype);
  return new Proxy(target, {
    get(_, name) {
      if (assigned.has(name)) return assigned.get(name);
      if (isMember(name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      // Errors call a store by the name of its class.
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
    has: (_, name) => assigned.has(name) || isMember(name) || Reflect.has(target, name),
    set(_, name, value) {
      assigned.set(name, value);
      return true;
    },
  });
}

/** Methods that would go past one in front: the engine prefers them where a store has them. */
const FASTER_WAYS: Readonly<Record<string, readonly string[]>> = {
  get: ["getInto", "getRangeInto", "openNow", "has", "files"],
  getInto: ["files"],
  getRange: ["getRanges", "getRangeInto", "getRangesInto", "openNow", "files"],
  getRanges: ["getRangesInto", "openNow", "files"],
  set: ["setNow"],
};

/** `putInFront` of a store: where a method is among the members and a faster way to the same values is not, the store seems not to have that way. */
export function putInFrontOfStore<Store extends object, Members extends object>(
  store: Store,
  members: Members,
): Store & Members {
  const front = putInFront(store, members);
  // What stands in front may change keys and values; who does not says so.
  if (!("place" in members)) Reflect.set(front, "place", undefined);
  for (const [method, ways] of Object.entries(FASTER_WAYS)) {
    if (!(method in members)) continue;
    for (const way of ways) if (!(way in members)) Reflect.set(front, way, undefined);
  }
  return front;
}
