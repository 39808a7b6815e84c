/**
 * Types of the web platform for declarations, which programs without the DOM library read too: there, a type
 * that only browsers have is `object`, and what Node's types have is taken from them.
 */

/** The instances of a global class, if the program's libraries declare it. */
export type WebWorker = typeof globalThis extends { readonly Worker: { readonly prototype: infer Instance } }
  ? Instance
  : object;

/** A compiled WebAssembly module, if the program's libraries declare WebAssembly. */
export type WasmModule = typeof globalThis extends {
  readonly WebAssembly: { readonly Module: { readonly prototype: infer Instance } };
}
  ? Instance
  : object;

/** What `fetch` takes as headers. */
export type HeadersGiven = NonNullable<RequestInit["headers"]>;
/** How `fetch` uses a cache. Node's types of `fetch` do not know it in every version. */
export type CacheMode = MemberOf<RequestInit, "cache">;

type MemberOf<T, Name extends string> = Name extends keyof T ? NonNullable<T[Name]> : string;
