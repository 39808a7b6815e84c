/**
 * The values of today's stores (stores/store.ts), as the core reads them. This file goes away when stores
 * implement `Values` themselves; what concurrent reads share is then a layer over such a store.
 */
import { noItem } from "../at.js";
import { type Exchange, exchange, exchangesOf } from "../engine/exchange.js";
import { checkByteLength, checkBytes } from "../stores/check-store.js";
import { ignoredRanges, isAbsolutePath, sliceRange } from "../stores/keys-and-ranges.js";
import { identityOf, storageOf } from "../stores/storage-identity.js";
import type { AbsolutePath, OpenValue, Store } from "../stores/store.js";
import { readNow, type Values as TodaysValues, valuesOf, wholeNow } from "../stores/values.js";
import { writesOf } from "../stores/write-log.js";
import type { Parts, Requests, Values } from "./ports.js";

export function valuesFrom(store: Store): Values {
  if (isMap(store)) return mapValues(store);
  const values = valuesOf(store);
  return values.kind === "network" ? farValues(values) : nearValues(values);
}

function isMap(store: Store): store is Store & Map<string, Uint8Array> {
  return store.get === Map.prototype.get;
}

/** A Map answers at once. A value that was replaced is another array. */
function mapValues(map: Map<string, Uint8Array>): Values {
  const ranges: Values["ranges"] = (key, wanted) => {
    const bytes = checkBytes(map.get(key), key);
    if (bytes === undefined) return undefined;
    const parts = wanted.map((range) => sliceRange(bytes, range));
    return { parts, byteLength: bytes.length, version: identityOf(bytes), isCertain: true };
  };
  return {
    isFar: false,
    readsRanges: true,
    whole(key, most) {
      const bytes = checkBytes(map.get(key), key);
      if (bytes !== undefined) checkByteLength(bytes.length, most, key);
      return bytes;
    },
    ranges,
    shared: (key, range, requests) => ranges(key, [range], requests),
  };
}

/** Stores of files, and others that say that they answer at once: mostly they do. */
function nearValues(values: TodaysValues): Values {
  const { store } = values;
  const ranges: Values["ranges"] = (name, wanted, requests, allocate = ownMemory) => {
    const key = pathOf(name);
    const now = readNow(values, key, undefined, (value): Parts => {
      const parts = wanted.map((range) => value.read(range, allocate));
      return { parts, ...versionOf(store, key, value) };
    });
    if (now !== "later") return now;
    return inTurn(requests, (options) => exchange(values, key, wanted, options)).then(partsOf);
  };
  return {
    isFar: false,
    readsRanges: values.readsRanges,
    whole(name, maximumBytes, requests, allocate = ownMemory) {
      const key = pathOf(name);
      const now = wholeNow(values, key, maximumBytes, allocate);
      if (now !== "later") return now;
      return inTurn(requests, (options) =>
        values.getParts(key, undefined, { ...options, maximumBytes }).then((answer) => answer?.parts[0]),
      );
    },
    ranges,
    shared: (key, range, requests) => ranges(key, [range], requests),
  };
}

/** Stores behind a network. Reads at the same time share what no write of this process can change. */
function farValues(values: TodaysValues): Values {
  const exchanges = exchangesOf(values.store);
  return {
    isFar: true,
    get readsRanges() {
      return values.readsRanges && !ignoredRanges.has(storageOf(values.store));
    },
    whole: (name, maximumBytes, requests) =>
      inTurn(requests, (options) => exchanges.value(pathOf(name), { ...options, maximumBytes })),
    async ranges(name, wanted, requests) {
      const key = pathOf(name);
      // Each range is a request, and counts as one.
      const answers = await Promise.all(
        wanted.map((range) => inTurn(requests, (options) => exchange(values, key, [range], options))),
      );
      const found = answers.map(partsOf);
      const parts: Uint8Array[] = [];
      for (const answer of found) {
        if (answer === undefined) return undefined;
        parts.push(...answer.parts);
      }
      const [first = noItem(found, 0), ...others] = found;
      const isOne = others.every((other) => other?.version === first.version);
      return { ...first, parts, version: isOne ? first.version : Number.NaN };
    },
    shared: (key, range, requests) =>
      inTurn(requests, (options) => exchanges.join(pathOf(key), range, options)).then(partsOf),
  };
}

/** Sends a request when it is its turn, unless the read has ended by then. */
function inTurn<Answer>(
  { limiter, stop }: Requests,
  send: (options: Pick<Requests["stop"], "priority"> & { readonly signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  return limiter.run(async () => {
    stop.check();
    return send({ signal: stop.signal(), priority: stop.priority });
  });
}

function partsOf({ parts, told }: Exchange): Parts | undefined {
  if (parts === undefined) return undefined;
  const { byteLength, version, stamp = Number.NaN } = told;
  return { parts, byteLength, version: version ?? stamp, isCertain: version !== undefined };
}

function versionOf(store: Store, key: string, { byteLength, version }: OpenValue): Omit<Parts, "parts"> {
  if (version !== undefined) return { byteLength, version, isCertain: true };
  return { byteLength, version: writesOf(store).stamp(key), isCertain: false };
}

const ownMemory = (byteLength: number): Uint8Array => new Uint8Array(byteLength);

function pathOf(key: string): AbsolutePath {
  if (isAbsolutePath(key)) return key;
  throw new RangeError(`internal error: the key ${key}`);
}
