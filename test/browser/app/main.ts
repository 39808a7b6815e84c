/**
 * A page that reads arrays over HTTP: bundled by http.test.ts and run in Chromium, under several
 * Content-Security-Policies.
 */

import { HttpStore } from "../../../src/core/stores/http/http.js";
import { get, open, root } from "../../../src/index.js";
import { loadKernels } from "../../../src/kernels/load.js";

export interface PageResult {
  readonly kernels: string;
  /** Shape and hex of the elements of each array, or the scalar as text. */
  readonly arrays: readonly {
    readonly path: string;
    readonly shape: readonly number[];
    readonly data: string;
  }[];
}

async function readAll(paths: readonly `/${string}`[]): Promise<PageResult> {
  const location = root(new HttpStore(new URL("/store", document.baseURI)));
  const arrays = await Promise.all(
    paths.map(async (path) => {
      const array = await open(location.resolve(path), { kind: "array" });
      const { data, shape } = await get(array);
      if (Array.isArray(data)) throw new Error("expected elements of fixed size");
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return { path, shape, data: hex };
    }),
  );
  return { kernels: (await loadKernels()).name, arrays };
}

declare global {
  interface Window {
    readAll: typeof readAll;
  }
}
window.readAll = readAll;
