/** The program of the README, in Chromium. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { FileSystemStore } from "wazarr/stores/file-system";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { openPage, REACTS } from "./driven.js";

test.skipIf(chromiumLaunchOptions() === undefined)(
  "shows a row, and the next when the slider moves",
  async () => {
    const [, program = ""] =
      /^```jsx\n(.*?)^```$/ms.exec(readFileSync("packages/react/README.md", "utf8")) ?? [];
    mkdirSync("build", { recursive: true });
    const folder = mkdtempSync(resolve("build", "react-"));
    const file = join(folder, "readme.jsx");
    const mount = `import { createRoot } from "react-dom/client";
createRoot(document.body.appendChild(document.createElement("main"))).render(<App />);`;
    writeFileSync(
      file,
      // tsconfig.json says that JSX is Preact's.
      `/** @jsxImportSource react */
${program.replace('"https://example.com', 'location.origin + "/store')}
${mount}`,
    );
    const files = new FileSystemStore("examples/data/jacksboro.zarr");
    const store = new Map<string, Uint8Array>();
    for await (const key of files.list()) {
      const value = await files.get(key);
      if (value !== undefined) store.set(`/jacksboro.zarr${key}`, value);
    }
    const { page, close } = await openPage(REACTS[19] ?? "", store, file);
    try {
      await page.getByText("483 487 491").waitFor();
      await page.locator("input").fill("1");
      await page.getByText("475 486 489").waitFor();
      expect(await page.locator("p").count()).toBe(1);
    } finally {
      await close();
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
