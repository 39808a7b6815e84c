/**
 * The page of browsers.ts: it reads the same arrays from a `Map` with wazarr (with and without WebAssembly
 * and workers) and with zarrita. It fetches its task and posts its results.
 */
import { FetchStore } from "zarrita";
import { HttpStore } from "../../src/core/stores/http/http.js";
import { get } from "../../src/index.js";
import { WorkerPool } from "../../src/workers/pool.js";
import { arrayNamed } from "../arrays.js";
import { openWith, ownReader } from "../peers/own.js";
import { zarritaReader } from "../peers/zarrita.js";
import { type Effort, here, type Rival, race } from "../race.js";

export interface PageRequest {
  readonly array: string;
  /** URL and keys of the stored values of the array. */
  readonly root: string;
  readonly keys: readonly string[];
  readonly effort: Effort;
}

export interface PageResult {
  readonly operation: string;
  /**
   * Turns: wazarr, wazarr into existing memory, its fallback, with workers, zarrita; empty if not measured.
   */
  readonly turns: readonly (readonly number[])[];
}

export interface PageReport {
  readonly results: readonly PageResult[];
  readonly failure: string | undefined;
}

/** Rounds of the fallback. Few, because it takes seconds if it has to decompress: five and more in WebKit. */
const FALLBACK_ROUNDS = 1;
const pool = new WorkerPool({
  size: 2,
  createWorker: () => new Worker("/worker.js", { type: "module" }),
});

async function benchInPage({ array: name, root, keys, effort }: PageRequest): Promise<PageResult[]> {
  const store = new Map<string, Uint8Array>();
  for (const key of keys) {
    const response = await fetch(root + key);
    if (!response.ok) throw new Error(`${key}: ${response.status}`);
    store.set(key, new Uint8Array(await response.arrayBuffer()));
  }
  const results: PageResult[] = [];
  for (const { name: read, selection } of arrayNamed(name).group.reads.slice(0, 2)) {
    const array = await openWith("wasm", store);
    const { data: there } = await get(array, selection);
    const elements = array.shape.reduce((product, length) => product * length, 1);
    const shared = selection === null ? new Float32Array(new SharedArrayBuffer(4 * elements)) : undefined;
    const rivals: readonly (Rival | undefined)[] = [
      here(() => get(array, selection)),
      here(() => get(array, selection, { out: there })),
      { ...(await ownReader("javascript", store, selection)), rounds: FALLBACK_ROUNDS },
      shared && here(() => get(array, null, { workers: pool, out: shared })),
      await zarritaReader(store, selection),
    ];
    results.push({ operation: `read ${read}`, turns: await race(rivals, effort) });
  }
  const url = new URL(root, location.href);
  const array = await openWith("wasm", new HttpStore(url));
  const { data: there } = await get(array);
  const overHttp: readonly (Rival | undefined)[] = [
    here(() => get(array)),
    here(() => get(array, null, { out: there })),
    undefined,
    undefined,
    await zarritaReader(new FetchStore(url), null),
  ];
  results.push({ operation: "read whole over HTTP", turns: await race(overHttp, effort) });
  return results;
}

async function report(): Promise<PageReport> {
  try {
    const response = await fetch("/store/request.json");
    return { results: await benchInPage(await response.json()), failure: undefined };
  } catch (error) {
    return { results: [], failure: String(error) };
  }
}

await fetch("/result", { method: "POST", body: JSON.stringify(await report()) });
