/** Stores in front of stores: methods that take the place of another store's, which does everything else itself. */
import type { Awaitable, Store } from "../store.js";

/** Methods that would go past one in front: the engine prefers them where a store has them. */
const FASTER_WAYS: Readonly<Record<string, readonly string[]>> = {
  get: ["getInto", "getRangeInto", "openNow", "has", "files"],
  getInto: ["files"],
  getRange: ["getRanges", "getRangeInto", "getRangesInto", "openNow", "files"],
  getRanges: ["getRangesInto", "openNow", "files"],
  set: ["setNow"],
};

/**
 * A store whose `methods` stand in front of those of `store`. Everything else is `store`'s own, private fields included. Where
 * one of them is among the methods and a faster way to the same values is not, the store seems not to have that way.
 */
export function putInFront<S extends object, Methods extends object>(
  store: S,
  methods: Methods,
): S & Methods {
  const own = new Map<PropertyKey, unknown>();
  const front = new Proxy(store, {
    get(target, name) {
      if (own.has(name)) return own.get(name);
      const value: unknown = Reflect.get(target, name, target);
      // Errors call a store by the name of its class.
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
    has: (target, name) => own.has(name) || Reflect.has(target, name),
    set(_, name, value) {
      own.set(name, value);
      return true;
    },
  });
  for (const [method, ways] of Object.entries(FASTER_WAYS)) {
    if (method in methods) for (const way of ways) own.set(way, undefined);
  }
  return Object.assign(front, methods);
}

/** What an extension makes of a store, now or later. */
type Extended<S, Methods> = Methods extends Promise<infer Later> ? Promise<S & Later> : S & Methods;

/** A function that puts the methods that `factory` makes for a store in front of it. `factory` may be asynchronous. */
export function defineStoreExtension<Methods extends object, Options = void>(
  factory: (store: Store, options?: Options) => Promise<Methods>,
): <S extends Store>(store: S, options?: Options) => Promise<S & Methods>;
export function defineStoreExtension<Methods extends object, Options = void>(
  factory: (store: Store, options?: Options) => Methods,
): <S extends Store>(store: S, options?: Options) => Extended<S, Methods>;
export function defineStoreExtension<Options>(
  factory: (store: Store, options?: Options) => Awaitable<object>,
): (store: Store, options?: Options) => Awaitable<object> {
  return (store, options) => {
    const methods = factory(store, options);
    return methods instanceof Promise
      ? methods.then((later) => putInFront(store, later))
      : putInFront(store, methods);
  };
}

/** The result of extensions of which any may be asynchronous: a promise when the last one's input or output is. */
type Chained<Results extends readonly unknown[], Last> =
  Extract<Results[number], Promise<unknown>> extends never ? Last : Promise<Awaited<Last>>;

/** Puts extensions in front of a store, the last one outermost; a promise when one of them gives one. */
export function extendStore<S extends Store>(store: S): S;
export function extendStore<S extends Store, A>(store: S, a: (store: S) => A): A;
export function extendStore<S extends Store, A, B>(
  store: S,
  a: (store: S) => A,
  b: (store: Awaited<A>) => B,
): Chained<[A, B], B>;
export function extendStore<S extends Store, A, B, C>(
  store: S,
  a: (store: S) => A,
  b: (store: Awaited<A>) => B,
  c: (store: Awaited<B>) => C,
): Chained<[A, B, C], C>;
export function extendStore(
  store: unknown,
  ...extensions: readonly ((store: unknown) => unknown)[]
): unknown {
  return extensions.reduce<unknown>(
    (inner, extension) => (inner instanceof Promise ? inner.then(extension) : extension(inner)),
    store,
  );
}
