/** The modules that run copies, as files: for Node. */
import { readFileSync } from "node:fs";
import type { Builds } from "./implementations.js";

const modules = (target: string) => ({
  core: readFileSync(`build/wasm/core.${target}.wasm`),
  filled: readFileSync(`build/wasm/filled.${target}.wasm`),
  transposition: readFileSync(`build/wasm/transposition.${target}.wasm`),
});

export const builds: Builds = {
  "wasm with transposition": modules("release"),
  "wasm debug build": modules("debug"),
};
