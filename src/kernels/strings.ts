/**
 * Chooses the kernels for elements of variable length: the WASM module `strings`, or its JavaScript fallback.
 */
import { strings as fallback } from "./javascript/strings.js";
import type { Kernels } from "./kernels.js";
import stringsModule from "./modules/strings.generated.js";
import type { Strings } from "./strings-kernels.js";
import { createStrings } from "./strings-wasm.js";

const loaded = new WeakMap<Kernels, Strings>();

/** Loads the module; afterwards `stringsOf` returns its functions. */
export async function loadStrings(kernels: Kernels): Promise<Strings> {
  const module = await kernels.loadModule("strings", stringsModule);
  const strings = loaded.get(kernels) ?? (module === undefined ? fallback : createStrings(kernels, module));
  loaded.set(kernels, strings);
  return strings;
}

/** The functions for these kernels; the fallback until `loadStrings` has loaded the module. */
export function stringsOf(kernels: Kernels): Strings {
  return loaded.get(kernels) ?? fallback;
}
