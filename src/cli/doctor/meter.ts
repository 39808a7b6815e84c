/** Counts requests and bytes, of HTTP or of another store. */
import { CheckedStore } from "../../extend.js";
import {
  type AbsolutePath,
  defineStoreExtension,
  type RangeQuery,
  type Store,
  type StoreOptions,
} from "../../index.js";
import type { Steps } from "./steps.js";

export class Meter {
  readonly #steps: Steps;
  requests = 0;
  /** Bytes of values that exist. */
  bytes = 0;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** `fetch`, for HttpStore. It ends with the step that it is part of. */
  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests++;
    const signal = AbortSignal.any([request.signal, this.#steps.signal]);
    const response = await fetch(request, { signal });
    const { body, status, statusText, headers } = response;
    if (body === null || !response.ok) return response;
    // Only its header tells how many bytes a compressed answer took on the way.
    const [sent] = headers.has("content-encoding")
      ? (/^\d{1,15}$/.exec(headers.get("content-length") ?? "") ?? [])
      : [];
    if (sent !== undefined) this.bytes += Number(sent);
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        if (sent === undefined) this.bytes += part.length;
        controller.enqueue(part);
      },
    });
    return new Response(body.pipeThrough(counter), { status, statusText, headers });
  };

  /** A view of a store whose reads are counted. */
  over(store: Store): Store {
    // A read counts when it begins: the answer to one that turns out to be needless may come too late.
    const count = async (read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> => {
      this.requests++;
      const value = await read();
      this.bytes += value?.length ?? 0;
      return value;
    };
    const checked = new CheckedStore(store);
    return defineStoreExtension(() => ({
      get: (key: AbsolutePath, options?: StoreOptions) => count(async () => checked.get(key, options)),
      getRange: (key: AbsolutePath, range: RangeQuery, options?: StoreOptions) =>
        count(async () => (await checked.getParts(key, [range], options))?.parts[0]),
    }))(store);
  }
}
