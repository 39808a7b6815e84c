/** The page of page.tsx in Chromium, with one version of React. */
import { resolve } from "node:path";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { expect } from "vitest";
import { serve } from "../../../test/browser/server.js";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import type { Scenarios } from "./page.js";

/** The folder of each version that the package supports (scripts/oracles/react-18.json has the older one). */
export const REACTS: Readonly<Record<string, string>> = {
  18: ".oracles/react-18/node_modules",
  19: "node_modules",
};

export interface Driven {
  /** What a function of the page returns; fails if the page threw an error. */
  run<Name extends keyof Scenarios>(
    name: Name,
    ...given: Parameters<Scenarios[Name]>
  ): Promise<Awaited<ReturnType<Scenarios[Name]>>>;
  /** Address of the store of the server. */
  readonly store: string;
  readonly page: Page;
  close(): Promise<void>;
}

/** @param folder of React @param program with the page's functions @param store what the server has */
export async function openPage(
  folder: string,
  store: ReadonlyMap<string, Uint8Array>,
  program: string = resolve("packages/react/test/page.tsx"),
): Promise<Driven> {
  const server = await serve({ scripts: await bundled(program, folder), store });
  const browser: Browser = await chromium.launch(chromiumLaunchOptions());
  const page = await browser.newPage();
  const errors: string[] = [];
  // React 18 throws once more what a boundary has caught.
  page.on("pageerror", ({ name, message }) => name === "NotFoundError" || errors.push(message));
  await page.goto(server.url);
  async function run<Name extends keyof Scenarios>(
    name: Name,
    ...given: Parameters<Scenarios[Name]>
  ): Promise<Awaited<ReturnType<Scenarios[Name]>>> {
    await page.waitForFunction(() => "scenarios" in globalThis);
    const result = await page.evaluate(`scenarios.${name}(...${JSON.stringify(given)})`);
    expect(errors).toEqual([]);
    // A page gives back JSON of what its function returns.
    return result as Awaited<ReturnType<Scenarios[Name]>>;
  }
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  return { run, page, store: `${server.url}store`, close };
}

async function bundled(program: string, folder: string): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: { main: program },
    bundle: true,
    format: "esm",
    target: "es2022",
    outdir: "/",
    write: false,
    external: ["node:*"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    alias: {
      react: resolve(folder, "react"),
      "react-dom": resolve(folder, "react-dom"),
      // As the condition "browser" of package.json says.
      "wazarr/stores/open-store": resolve("src/stores/addresses/open-store-browser.ts"),
    },
    logLevel: "error",
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}
