/**
 * Chunks that several reads of one store want at the same time are asked for once. The request belongs to nobody: a caller that aborts
 * stops waiting, and only when all have is the request aborted. For stores that cannot be written: a read that begins after a
 * write must not be given what was asked for before it.
 */

import { onAbort } from "../abort.js";
import { isPending } from "../stores/check-store.js";
import type { AbsolutePath, Awaitable, Readable } from "../stores/store.js";
import type { Lease } from "./shards/buffers.js";

type Value = Uint8Array | undefined;
/** @param lease takes the answer when the store gave it away and nobody else has it */
export type SharedGet = (
  key: AbsolutePath,
  signal: AbortSignal,
  lease: Lease | undefined,
) => Awaitable<Value>;

interface Request {
  readonly answer: Promise<Value>;
  readonly abort: AbortController;
  waiting: number;
  /** Whether more than one asked. */
  isShared: boolean;
}

const stores = new WeakMap<Readable, SharedGet>();

export function sharedGets(store: Readable): SharedGet {
  const known = stores.get(store);
  if (known !== undefined) return known;
  const shared = share(store);
  stores.set(store, shared);
  return shared;
}

function share(store: Readable): SharedGet {
  const underWay = new Map<AbsolutePath, Request>();

  return (key, signal, lease) => {
    let request = underWay.get(key);
    if (request === undefined) {
      const abort = new AbortController();
      const answer = store.get(key, { signal: abort.signal });
      if (!isPending(answer)) return answer;
      const made = { answer, abort, waiting: 0, isShared: false };
      const forget = (): void => {
        if (underWay.get(key) === made) underWay.delete(key);
      };
      answer.then(forget, forget);
      abort.signal.addEventListener("abort", forget);
      underWay.set(key, made);
      request = made;
    } else {
      request.isShared = true;
    }
    return wait(request, signal, store.fresh?.get === store.get ? lease : undefined);
  };
}

function wait(request: Request, signal: AbortSignal, lease: Lease | undefined): Promise<Value> {
  request.waiting++;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(signal.reason);
      request.waiting--;
      if (request.waiting === 0) request.abort.abort(signal.reason);
    };
    const take = (value: Value): void => {
      if (value !== undefined && !request.isShared) lease?.take(value);
      resolve(value);
    };
    request.answer.then(take, reject).finally(onAbort(signal, leave));
  });
}
