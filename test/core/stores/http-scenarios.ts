/**
 * What an HttpStore makes of servers that misbehave. The same in Node and in pages of another origin, for
 * which this is bundled: the server misbehaves by the first name of a path.
 */
import { get, HttpStore, type HttpStoreOptions, isZarrError, open, slice } from "../../../src/index.js";
import { RequestQueue } from "../../../src/main/stores.js";

export const VALUE = Uint8Array.from({ length: 20_000 }, (_, i) => (i * i) % 251);
export const PART = { offset: 1000, length: 5000 } as const;
const retry = { baseDelay: 1 } as const;

type Key = `/${string}`;
type Outcome = Readonly<Record<string, unknown>>;

/** What came, compared with what should have: nothing but what is right, or an error of which kind. */
async function outcomeOf(work: () => Promise<Uint8Array | undefined>, expected = VALUE): Promise<Outcome> {
  try {
    const bytes = await work();
    const isRight = bytes?.length === expected.length && bytes.every((byte, i) => byte === expected[i]);
    return { isRight };
  } catch (error) {
    if (!isZarrError(error, "StoreError")) return { thrown: String(error) };
    const { status, isTransient, retryAfter } = error;
    return { error: "StoreError", status, isTransient, retryAfter };
  }
}

const value = (url: string, options?: HttpStoreOptions) =>
  outcomeOf(async () => new HttpStore(url, { retry, ...options }).get("/v"));
const part = (url: string, options?: HttpStoreOptions) =>
  outcomeOf(
    async () => new HttpStore(url, { retry, ...options }).getRange("/v", PART),
    VALUE.subarray(PART.offset, PART.offset + PART.length),
  );

/** By the name of the path below which the server misbehaves. */
export const SCENARIOS: Readonly<Record<string, (url: string) => Promise<Outcome>>> = {
  unavailable: value,
  "unavailable-part": part,
  "too-many": value,
  "too-many-for-long": value,
  reset: value,
  "reset-part": part,
  "reset-in-body": value,
  "reset-in-body-always": value,
  "half-body": value,
  "half-body-always": part,
  "slow-headers": (url) => value(url, { timeout: 1000 }),
  "slow-body": (url) => value(url, { timeout: 1000 }),
  "no-headers": (url) => value(url, { timeout: 600 }),
  "body-stops": (url) => part(url, { timeout: 600 }),
  "wrong-content-range": part,
  gzip: value,
  "gzip-part": part,
  async "changing-etag"(url) {
    const array = await open(new HttpStore(url, { retry }), { kind: "array", dtype: "int32" });
    // Not all of it, which would be one request.
    const { data } = await get(array, [slice(0, 40), slice(0, 40)], { coalesce: { maximumSize: 1000 } });
    const found = new Set(data);
    return { isRight: found.size === 1, is: [...found] };
  },
  async "expired-token"(url) {
    let token = "old";
    let renewals = 0;
    const store = new HttpStore(url, {
      retry,
      async authorize({ expired }) {
        if (expired) {
          renewals++;
          token = await Promise.resolve("new");
        }
        return { headers: { authorization: `Bearer ${token}` } };
      },
    });
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(async () => store.get("/v"))));
    return { isRight: outcomes.every(({ isRight }) => isRight), renewals };
  },
  async presigned(url) {
    const store = new HttpStore(url, {
      retry,
      authorize: ({ url: unsigned, method, range }) => ({
        url: `${unsigned}?signature=${method}${range ?? ""}`,
      }),
    });
    const end = VALUE.subarray(-100);
    const outcomes = [
      await outcomeOf(async () => store.get("/v")),
      await outcomeOf(async () => store.getRange("/v", { suffixLength: 100 }), end),
    ];
    return { isRight: outcomes.every(({ isRight }) => isRight), has: await store.has("/v") };
  },
  async aborted(url) {
    const store = new HttpStore(url, { retry, queue: new RequestQueue({ limit: 1 }) });
    const abort = new AbortController();
    const keys: readonly Key[] = ["/v", "/never", "/urgent"];
    const all = keys.map((key, i) => store.get(key, i === 1 ? { signal: abort.signal } : { priority: i }));
    abort.abort(new Error("scrolled away"));
    return { settled: (await Promise.allSettled(all)).map(({ status }) => status) };
  },
};

/** @param url of the server */
export async function runScenarios(url: string): Promise<Readonly<Record<string, Outcome>>> {
  const outcomes = Object.entries(SCENARIOS).map(async ([name, run]) => {
    const outcome = await run(`${url}/${name}`).catch((error: unknown) => ({ thrown: String(error) }));
    return [name, outcome] as const;
  });
  return Object.fromEntries(await Promise.all(outcomes));
}
