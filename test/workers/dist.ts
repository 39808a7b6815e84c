/** The built package: workers are started from it, as Node cannot run one that is written in TypeScript. `npm test` builds it first. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

type Api = typeof import("../../src/index.js");
type Workers = typeof import("../../src/workers/pool.js");

export const dist = (file: string): string => pathToFileURL(resolve("dist", file)).href;
export const loadApi = (): Promise<Api> => import(dist("index.js"));
export const loadWorkers = (): Promise<Workers> => import(dist("workers/pool.js"));
