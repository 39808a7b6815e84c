/** Decoders that Emscripten built: a function that makes an instance, and a file of WebAssembly beside it. */
import { loadBuiltin } from "../../core/for-codecs.js";

/** Options of such a function. */
export interface InstanceOptions {
  readonly locateFile?: (file: string, folder: string) => string;
  readonly wasmBinary?: Uint8Array;
  readonly print?: (line: string) => void;
  readonly printErr?: (line: string) => void;
  readonly noInitialRun?: boolean;
}

/** The function, and where the WebAssembly is if it cannot know that itself. */
export interface Emscripten<Instance> {
  readonly make: (options: InstanceOptions) => Promise<Instance>;
  /** An address for pages; Node finds the file beside the module. */
  readonly wasm?: URL | undefined;
  /** For Node, if its modules look for the file as pages do. */
  readonly file?: string | undefined;
}

export interface Made<Instance> {
  readonly instance: Instance;
  /** What it printed last: its reason for a failure. */
  messages(): string;
}

/** In Node modules find their files themselves: the address that a bundler makes is none there. */
export const isNode: boolean = globalThis.process?.versions?.node !== undefined;

export async function makeInstance<Instance>({
  make,
  wasm,
  file,
}: Emscripten<Instance>): Promise<Made<Instance>> {
  let last = "";
  const note = (line: string): void => {
    if (line !== "") last = line;
  };
  const options: InstanceOptions = {
    noInitialRun: true,
    print: note,
    printErr: note,
    ...(wasm === undefined || isNode ? {} : { locateFile: () => wasm.href }),
    ...(file === undefined || !isNode ? {} : { wasmBinary: await readFile(file) }),
  };
  const instance = await make(options);
  return {
    instance,
    messages() {
      const reason = last;
      last = "";
      return reason;
    },
  };
}

async function readFile(file: string): Promise<Uint8Array> {
  const { createRequire } = (await loadBuiltin<typeof import("node:module")>("node:module")) ?? {};
  const fs = await loadBuiltin<typeof import("node:fs/promises")>("node:fs/promises");
  if (createRequire === undefined || fs === undefined) throw new Error("cannot load node:module and node:fs");
  return fs.readFile(createRequire(import.meta.url).resolve(file));
}
