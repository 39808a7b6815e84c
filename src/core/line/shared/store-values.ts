/**
 * The values of today's stores (core/stores/store.ts), as the core reads them. This file goes away when
 * stores implement `Values` themselves; what concurrent reads share is then a layer over such a store.
 */
import { noItem } from "../../../base/at.js";
import { checkByteLength, checkBytes } from "../../stores/check-store.js";
import { wayOf } from "../../stores/faster-ways.js";
import { ignoredRanges, isAbsolutePath } from "../../stores/keys-and-ranges.js";
import { partsOf } from "../../stores/open-bytes.js";
import { identityOf, storageOf } from "../../stores/storage-identity.js";
import type { AbsolutePath, OpenValue, PartsOptions, Store } from "../../stores/store.js";
import { readNow, type Values as TodaysValues, valuesOf, wholeNow } from "../../stores/values.js";
import { writesOf } from "../../stores/write-log.js";
import type { Memory, Parts, RangeQuery, Requests, Values } from "../ports.js";
import { type Exchange, exchange, exchangesOf } from "./exchange.js";

export function valuesFrom(store: Store): Values {
  if (isMap(store)) return mapValues(store);
  const values = valuesOf(store);
  const isNear = values.kind !== "network" && wayOf(store, "openNow") !== undefined;
  return isNear ? nearValues(values) : farValues(values);
}

function isMap(store: Store): store is Store & Map<string, Uint8Array> {
  return store.get === Map.prototype.get;
}

/** A Map answers at once. A value that was replaced is another array. */
function mapValues(map: Map<string, Uint8Array>): Values {
  const find = (key: string, most: number): Uint8Array | undefined => {
    const bytes = checkBytes(map.get(key), key);
    if (bytes !== undefined) checkByteLength(bytes.length, most, key);
    return bytes;
  };
  return {
    isFar: () => false,
    rangeSupport: "read",
    whole: (key, _requests, { most }) => find(key, most),
    parts(key, ranges, _requests, { most }) {
      const bytes = find(key, ranges === undefined ? most : Number.POSITIVE_INFINITY);
      if (bytes === undefined) return undefined;
      const { parts, byteLength, version = identityOf(bytes) } = partsOf(bytes, ranges);
      return { parts, byteLength, version, isCertain: true };
    },
  };
}

/** Stores of files, and others that say that they answer at once: mostly they do. */
function nearValues(values: TodaysValues): Values {
  const { store } = values;
  return {
    isFar: () => false,
    rangeSupport: values.readsRanges ? "read" : "none",
    whole(name, requests, { most, memory, probableLength }) {
      const key = pathOf(name);
      const now = wholeNow(values, key, most, memory?.now ?? ownMemory, probableLength);
      if (now !== "later") return now;
      return requests.send((signal) =>
        values
          .getParts(key, undefined, optionsOf(requests, signal, most, memory))
          .then((answer) => answer?.parts[0]),
      );
    },
    parts(name, ranges, requests, { most, memory }) {
      const allocate = memory?.now ?? ownMemory;
      const key = pathOf(name);
      const now = readNow(values, key, ranges === undefined ? most : undefined, (value) => {
        if (isLong(ranges, value)) return "later";
        const parts: Uint8Array[] = [];
        for (const range of ranges ?? [WHOLE]) parts.push(value.read(range, allocate));
        return { parts, ...versionOf(store, key, value) };
      });
      if (now !== "later") return now;
      return requests.send((signal) =>
        exchange(values, key, ranges, optionsOf(requests, signal, most, memory)).then(answerOf),
      );
    },
  };
}

/**
 * Larger values are left to the store's promises: one synchronous read after the other holds up everything
 * else.
 */
const LARGEST_AT_ONCE = 16 << 20;

function isLong(ranges: readonly RangeQuery[] | undefined, value: OpenValue): boolean {
  let length = 0;
  for (const range of ranges ?? [WHOLE])
    length += "suffixLength" in range ? range.suffixLength : range.length;
  // The length of the value costs a call of the system.
  return length > LARGEST_AT_ONCE && value.byteLength > LARGEST_AT_ONCE;
}

const WHOLE = { suffixLength: Number.MAX_SAFE_INTEGER };

/** Stores behind a network. Reads at the same time share what no write of this process can change. */
function farValues(values: TodaysValues): Values {
  const exchanges = exchangesOf(values.store);
  return {
    isFar: () => true,
    get rangeSupport() {
      if (!values.readsRanges) return "none";
      return ignoredRanges.has(storageOf(values.store)) ? "ignored" : "read";
    },
    whole: (name, requests, { most, memory }) =>
      requests.send((signal) => exchanges.value(pathOf(name), optionsOf(requests, signal, most, memory))),
    async parts(name, ranges, requests, { most, isShared, memory }) {
      const key = pathOf(name);
      const ask = (own: readonly RangeQuery[] | undefined): Promise<Exchange> =>
        requests.send(async (signal) => {
          const options = optionsOf(requests, signal, most, memory);
          const [only, ...others] = own ?? [];
          const mayShare = isShared === true && exchanges.sharesValues && others.length === 0;
          return mayShare ? exchanges.join(key, only, options) : exchange(values, key, own, options);
        });
      // Over a network each range is a request, and counts as one.
      const isEach = values.kind === "network" && ranges !== undefined;
      const answers = await Promise.all(isEach ? ranges.map((range) => ask([range])) : [ask(ranges)]);
      const parts: Uint8Array[] = [];
      const found: Parts[] = [];
      for (const answer of answers.map(answerOf)) {
        if (answer === undefined) return undefined;
        parts.push(...answer.parts);
        found.push(answer);
      }
      const [first = noItem(found, 0), ...others] = found;
      const isOne = others.every((other) => other.version === first.version);
      return { ...first, parts, version: isOne ? first.version : Number.NaN };
    },
  };
}

function optionsOf(
  { priority }: Requests,
  signal: AbortSignal,
  maximumBytes: number,
  memory: Memory | undefined,
): PartsOptions {
  return { signal, priority, maximumBytes, allocate: memory?.later };
}

function answerOf({ parts, told }: Exchange): Parts | undefined {
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
