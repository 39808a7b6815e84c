/** The page of page.ts in Chromium. */
import { expect } from "vitest";
import { bundled, openDrawnPage } from "../../../test/setup/drawn-page.js";
import type { Scenarios } from "./page.js";

const PAGE = `<!doctype html><meta charset="utf-8">
<style>body { margin: 0 } #map { width: 600px; height: 400px } #map canvas { position: absolute }</style>
<div id="map"></div><script type="module" src="/main.js"></script>`;

export interface Driven {
  /** What a function of the page returns; fails if the page wrote an error. */
  run<Name extends keyof Scenarios>(
    name: Name,
    ...given: Parameters<Scenarios[Name]>
  ): Promise<Awaited<ReturnType<Scenarios[Name]>>>;
  close(): Promise<void>;
}

export async function openPage(): Promise<Driven> {
  const scripts = await bundled("packages/maplibre/test/page.ts");
  const { page, server, errors, close } = await openDrawnPage(
    { scripts, page: PAGE, store: new Map() },
    [600, 400],
  );
  await page.goto(server.url);
  await page.waitForFunction(() => "scenarios" in globalThis);
  async function run<Name extends keyof Scenarios>(
    name: Name,
    ...given: Parameters<Scenarios[Name]>
  ): Promise<Awaited<ReturnType<Scenarios[Name]>>> {
    const result = await page.evaluate(`scenarios.${name}(...${JSON.stringify(given)})`);
    expect(errors).toEqual([]);
    // A page gives back JSON of what its function returns.
    return result as Awaited<ReturnType<Scenarios[Name]>>;
  }
  return { run, close };
}
