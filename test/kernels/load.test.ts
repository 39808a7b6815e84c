import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import type { Kernels } from "../../src/kernels/kernels.js";

type Load = typeof import("../../src/kernels/load.js");

const coreBytes = readFileSync("build/wasm/core.release.wasm");

import inlineCore from "../../src/kernels/modules/core.generated.js";

let load: Load;
beforeEach(async () => {
  vi.resetModules();
  load = await import("../../src/kernels/load.js");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function works(kernels: Kernels): boolean {
  const target = new Uint8Array(4);
  kernels.swap(target, new Uint8Array([1, 2, 3, 4]), 4);
  return target.join() === "4,3,2,1";
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
}

describe("loadKernels", () => {
  it("gives WASM, compiled once", async () => {
    const compile = vi.spyOn(WebAssembly, "compile");
    const [first, second] = await Promise.all([load.loadKernels(), load.loadKernels()]);
    expect(first.name).toBe("wasm");
    expect(second).toBe(first);
    expect(await load.loadKernels()).toBe(first);
    expect(compile).toHaveBeenCalledTimes(1);
    expect(works(first)).toBe(true);
  });

  it("compiles nothing until it is called", async () => {
    const compile = vi.spyOn(WebAssembly, "compile");
    vi.resetModules();
    await import("../../src/kernels/load.js");
    expect(compile).not.toHaveBeenCalled();
  });

  it("gives what setKernels chose, and goes back to the same WASM kernels", async () => {
    const wasm = await load.loadKernels();
    load.setKernels("javascript");
    const javascript = await load.loadKernels();
    expect(javascript.name).toBe("javascript");
    expect(works(javascript)).toBe(true);
    expect(await load.loadKernels()).toBe(javascript);
    load.setKernels("auto");
    expect(await load.loadKernels()).toBe(wasm);
  });

  it("does not need DecompressionStream", async () => {
    vi.stubGlobal("DecompressionStream", undefined);
    const kernels = await load.loadKernels();
    expect(kernels.name).toBe("wasm");
    expect(works(kernels)).toBe(true);
  });
});

/** Ways in which an engine or a page refuses WebAssembly. */
const refusals: readonly (readonly [string, () => void])[] = [
  ["WebAssembly is missing", () => vi.stubGlobal("WebAssembly", undefined)],
  [
    "a Content-Security-Policy forbids compiling",
    () => {
      const refused = () => new WebAssembly.CompileError("Refused to compile: 'unsafe-eval' is not allowed");
      vi.spyOn(WebAssembly, "compile").mockImplementation(() => Promise.reject(refused()));
      vi.spyOn(WebAssembly, "Module").mockImplementation(function refuseModule() {
        throw refused();
      });
    },
  ],
  [
    "memory cannot be reserved",
    () =>
      vi.spyOn(WebAssembly, "Memory").mockImplementation(function refuseMemory() {
        throw new RangeError("could not allocate memory");
      }),
  ],
];

describe.each(refusals)("where %s", (_, refuse) => {
  it("gives the JavaScript fallback", async () => {
    refuse();
    const kernels = await load.loadKernels();
    expect(kernels.name).toBe("javascript");
    expect(works(kernels)).toBe(true);
    expect(await kernels.loadModule("core", inlineCore)).toBeUndefined();
  });

  it("says so when WASM was demanded", async () => {
    refuse();
    load.setKernels("wasm");
    const error = await failure(load.loadKernels());
    expect(isZarrError(error, "UnsupportedError")).toBe(true);
    expect(String(error)).toContain("cannot start WebAssembly with SIMD");
  });
});

describe("setWasm", () => {
  it.each([
    ["bytes", () => new Uint8Array(coreBytes)],
    ["a buffer", () => new Uint8Array(coreBytes).buffer],
    ["a module", () => new WebAssembly.Module(coreBytes)],
  ] as const)("takes %s", async (_, source) => {
    load.setWasm(source());
    const kernels = await load.loadKernels();
    expect(kernels.name).toBe("wasm");
    expect(works(kernels)).toBe(true);
  });

  it("takes a URL, asks again after a failure, and never hides one behind the fallback", async () => {
    let status = 503;
    const server = createServer((_, response) => response.writeHead(status).end(coreBytes));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const address = server.address();
      const port = typeof address === "object" ? (address satisfies AddressInfo | null)?.port : undefined;
      const url = `http://127.0.0.1:${port}/core.wasm`;
      load.setWasm(url);
      const error = await failure(load.loadKernels());
      expect(isZarrError(error, "UnsupportedError") && String(error.cause)).toContain("got HTTP 503");
      status = 200;
      expect((await load.loadKernels()).name).toBe("wasm");
      load.setWasm(new URL(url));
      expect(works(await load.loadKernels())).toBe(true);
    } finally {
      server.close();
    }
  });

  it.each([
    ["bytes that are no module", new Uint8Array([1, 2, 3])],
    ["a module without kernels", new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])],
    ["a URL that nobody serves", "http://127.0.0.1:1/core.wasm"],
  ])("refuses %s", async (_, source) => {
    load.setWasm(source);
    expect(isZarrError(await failure(load.loadKernels()), "UnsupportedError")).toBe(true);
  });
});

describe("loadModule", () => {
  it("loads a module once, on the memory of the arena", async () => {
    const kernels = await load.loadKernels();
    const module = await kernels.loadModule("again", inlineCore);
    expect(await kernels.loadModule("again", inlineCore)).toBe(module);
    kernels.begin(64);
    const bytes = kernels.allocate(8);
    bytes.set([1, 2, 3, 4, 5, 6, 7, 8]);
    const pointer = module?.pointer(bytes) ?? Number.NaN;
    module?.exports.swap?.(pointer, pointer, 8, 2);
    expect([...bytes]).toEqual([2, 1, 4, 3, 6, 5, 8, 7]);
    expect(module?.pointer(new Uint8Array(8))).toBeUndefined();
    kernels.begin(80 * 2 ** 20);
    expect(module?.pointer(kernels.allocate(8))).toBe(pointer);
  });

  it("takes the source that setWasm names, and tries again after a failure", async () => {
    const kernels = await load.loadKernels();
    const broken = "eJwDAAAAAAE=";
    await expect(kernels.loadModule("lost", broken)).rejects.toThrow(WebAssembly.CompileError);
    expect(await kernels.loadModule("lost", inlineCore)).toBeDefined();
    load.setWasm(new Uint8Array(coreBytes), "supplied");
    const module = await kernels.loadModule("supplied", broken);
    expect(Object.keys(module?.exports ?? {})).toEqual(["copy", "swap"]);
  });
});
