/**
 * The page of browser.ts: it reads the same arrays from a `Map` with wazarr (with and without WebAssembly and workers) and with zarrita.
 * It fetches its task and posts its results.
 */
import { FetchStore } from "zarrita";
import { get, open, type Store, setKernels } from "../src/index.js";
import { HttpStore } from "../src/stores/http.js";
import { WorkerPool } from "../src/workers/pool.js";
import { type Effort, type Rival, race, timed } from "./race.js";
import { GROUPS } from "./workloads.js";
import { zarritaReader } from "./zarrita-peer.js";

export interface PageRequest {
  readonly workload: string;
  /** URL and keys of the stored values of the array. */
  readonly root: string;
  readonly keys: readonly string[];
  readonly effort: Effort;
}

export interface PageResult {
  readonly operation: string;
  /** Median milliseconds: wazarr, wazarr into existing memory, its fallback, with workers, zarrita. Null if not measured. */
  readonly times: readonly (number | null)[];
}

export interface PageReport {
  readonly results: readonly PageResult[];
  readonly failure: string | undefined;
}

/** Rounds of the fallback. Few, because it takes seconds if it has to decompress: five and more in WebKit. */
const TWIN_ROUNDS = 1;
const pool = new WorkerPool({
  size: 2,
  createWorker: () => new Worker("/worker.js", { type: "module" }),
});

async function benchInPage({ workload, root, keys, effort }: PageRequest): Promise<PageResult[]> {
  const group = GROUPS.find(({ workloads }) => workloads.some(({ name }) => name === workload));
  const store = new Map<string, Uint8Array>();
  for (const key of keys) {
    const response = await fetch(root + key);
    if (!response.ok) throw new Error(`${key}: ${response.status}`);
    store.set(key, new Uint8Array(await response.arrayBuffer()));
  }
  const results: PageResult[] = [];
  for (const { name, selection } of group?.reads.slice(0, 2) ?? []) {
    const fallback = await openWith("javascript", store);
    const array = await openWith("wasm", store);
    const { data: there } = await get(array, selection);
    const elements = array.shape.reduce((product, length) => product * length, 1);
    const shared = selection === null ? new Float32Array(new SharedArrayBuffer(4 * elements)) : undefined;
    const rivals: readonly (Rival | undefined)[] = [
      { run: timed(() => get(array, selection)) },
      { run: timed(() => get(array, selection, { out: there })) },
      { run: timed(() => get(fallback, selection)), rounds: TWIN_ROUNDS },
      shared && { run: timed(() => get(array, null, { workers: pool, out: shared })) },
      await zarritaReader(store, selection),
    ];
    results.push({ operation: `read ${name}`, times: await medians(rivals, effort) });
  }
  const url = new URL(root, location.href);
  const array = await openWith("wasm", new HttpStore(url));
  const { data: there } = await get(array);
  const overHttp: readonly (Rival | undefined)[] = [
    { run: timed(() => get(array)) },
    { run: timed(() => get(array, null, { out: there })) },
    undefined,
    undefined,
    await zarritaReader(new FetchStore(url), null),
  ];
  results.push({ operation: "read whole over HTTP", times: await medians(overHttp, effort) });
  return results;
}

async function medians(rivals: readonly (Rival | undefined)[], effort: Effort): Promise<(number | null)[]> {
  return (await race(rivals, effort)).map((time) => time ?? null);
}

/** Opens an array with one kind of kernels, which are bound at the first use of the array. */
async function openWith(kernels: "wasm" | "javascript", store: Store) {
  setKernels(kernels);
  const array = await open(store, { kind: "array" });
  await array.prepare();
  return array;
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
