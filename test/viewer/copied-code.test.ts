/** The programs that Share copies: they read the selection that is on the screen. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { writeDataset } from "../../src/formats/xarray.js";
import { create, root, set } from "../../src/index.js";
import { readOracles } from "../setup/oracles.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-copied-"));
const { python } = readOracles();
const SHAPE = [3, 4, 5];

/** Along three dimensions. */
const elementAt = (t: number, y: number, x: number): number => 100 * t + 10 * y + x;
const ALL = Float64Array.from({ length: 60 }, (_, i) =>
  elementAt(Math.floor(i / 20), Math.floor((i % 20) / 5), i % 5),
);

describe.skipIf(options === undefined)("copied programs", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    const store = new FileSystemStore(folder);
    await writeDataset(store, {
      dataVars: { named: { dims: ["t", "y", "x"], shape: SHAPE, data: ALL } },
    });
    const nameless = await create(root(store).resolve("below/nameless"), { shape: SHAPE, dtype: "float64" });
    await set(nameless, null, { data: ALL, shape: SHAPE });
    viewer = await openViewer(store);
    await viewer.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  });
  afterAll(async () => {
    await viewer?.close();
    rmSync(folder, { recursive: true });
  });

  async function copied(hash: string, name: string): Promise<string> {
    await viewer.show(hash);
    await viewer.page.getByRole("button", { name: "Share" }).click();
    const button = viewer.page.getByRole("button", { name }).first();
    await button.click();
    return button.locator("xpath=../pre").innerText();
  }
  const STATES = ["#url=/data/&path=/named&at=t:2", "#url=/data/&path=/below/nameless&at=dim 0:2"];
  const expected = [...ALL.subarray(40)];

  test.each(STATES)("JavaScript: %s", async (hash) => {
    const code = await copied(hash, "Copy JavaScript");
    // Inside the package its name is its own.
    const file = `dist/copied-${process.pid}.mjs`;
    writeFileSync(file, `${code}\nconsole.log(JSON.stringify([[...data], shape]));`);
    try {
      // The server is in this process, so the program does not wait for it.
      const printed = await new Promise<string>((resolve, reject) =>
        execFile(process.execPath, [file], (error, stdout) => (error ? reject(error) : resolve(stdout))),
      );
      expect(JSON.parse(printed)).toEqual([expected, [4, 5]]);
    } finally {
      rmSync(file);
    }
  });

  test.skipIf(!python?.xarray).each(STATES)("Python: %s", async (hash) => {
    const code = await copied(hash, "Copy Python");
    const address = `${viewer.url}/data/`;
    expect(code).toContain(JSON.stringify(address));
    // Python reads the folder: whether it reads the web is not what is tested.
    const local = code.replace(JSON.stringify(address), JSON.stringify(folder));
    const program = `${local}\nimport json, numpy\nprint(json.dumps(numpy.asarray(values).ravel().tolist()))`;
    const printed = execFileSync(python?.executable ?? "python3", ["-c", program], { encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual(expected);
  });

  test("CSV of the same selection", async () => {
    await viewer.show(STATES[0] ?? "");
    await viewer.page.getByRole("button", { name: "Share" }).click();
    const [download] = await Promise.all([
      viewer.page.waitForEvent("download"),
      viewer.page.getByRole("button", { name: "Save CSV" }).click(),
    ]);
    const rows = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n")
      .slice(1);
    expect(rows.flatMap((row) => row.split(",").slice(1).map(Number))).toEqual(expected);
  });
});
