/**
 * `npm run test:rest`: what `npm test` (vitest.fast.config.ts) leaves out: other implementations, browsers,
 * bundlers, runtimes, hundreds of random cases. The nightly tests are left out here, too.
 */
import { defineConfig } from "vitest/config";
import { fastTests } from "./test/setup/fast-tests.js";
import all from "./vitest.config.js";

const fast = new Set(fastTests());
const projects = (all.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== "object" || !("test" in project)) return [project];
  const { name, include = [] } = project.test ?? {};
  if (name === "nightly") return [];
  // Pages run files that Node has run in the fast lane.
  if (typeof name !== "string" || !name.startsWith("node")) return [project];
  return [{ ...project, test: { ...project.test, include: include.filter((file) => !fast.has(file)) } }];
});

export default defineConfig({ test: { ...all.test, projects } });
