/** A notebook in JupyterLab with Chromium, and the wheel as it is published. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as resolvePath } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";

/** scripts/oracles/requirements-jupyter.txt */
export const PYTHON = resolvePath(".oracles/jupyter/bin/python");
/** Programs start slowly on a machine that has other work. */
const PATIENCE = 300_000;

export class Lab {
  readonly page: Page;
  /** Bytes of the wheel. */
  readonly wheelSize: number;
  readonly #browser: Browser;
  readonly #server: ChildProcess;
  readonly #folder: string;

  private constructor(page: Page, wheelSize: number, parts: [Browser, ChildProcess, string]) {
    this.page = page;
    this.wheelSize = wheelSize;
    [this.#browser, this.#server, this.#folder] = parts;
  }

  /** @param cells of the notebook, which `run` runs one after another */
  static async open(cells: readonly string[]): Promise<Lab> {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-lab-"));
    execFileSync("node", ["packages/jupyter/scripts/build.mjs"]);
    execFileSync(PYTHON, ["-m", "hatchling", "build", "-t", "wheel", "-d", folder], {
      cwd: "packages/jupyter",
      stdio: "ignore",
    });
    const wheel = join(folder, readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "");
    const packages = join(folder, "packages");
    execFileSync(PYTHON, ["-m", "pip", "install", "--quiet", "--no-deps", "--target", packages, wheel]);
    writeFileSync(join(folder, "test.ipynb"), JSON.stringify(notebookOf(cells)));
    const server = spawn(
      PYTHON,
      [
        ...["-m", "jupyterlab", "--allow-root", "--no-browser", "--ip=127.0.0.1", "--port=0"],
        ...["--IdentityProvider.token=test", `--ServerApp.root_dir=${folder}`, "--LabApp.news_url=None"],
      ],
      { env: { ...process.env, PYTHONPATH: packages, JUPYTER_CONFIG_DIR: folder, JUPYTER_DATA_DIR: folder } },
    );
    const address = await new Promise<string>((resolve, reject) => {
      let words = "";
      server.stderr.on("data", (text) => {
        words += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+\/lab/.exec(words) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.once("exit", () => reject(new Error(words)));
    });
    const options = chromiumLaunchOptions();
    const args = (options?.args ?? []).filter((flag) => flag !== "--disable-gpu");
    const flags = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    const browser = await chromium.launch({ ...options, args: [...args, ...flags] });
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${address}/tree/test.ipynb?token=test`);
    await page.locator(".jp-Notebook .jp-CodeCell").first().click();
    return new Lab(page, statSync(wheel).size, [browser, server, folder]);
  }

  /** Runs the cell that is selected, and gives what it has printed; the next cell is selected then. */
  async run(cell: number): Promise<string> {
    const place = this.page.locator(".jp-Notebook .jp-CodeCell").nth(cell);
    await place.locator(".jp-InputArea-editor").click();
    await this.page.keyboard.press("Shift+Enter");
    // A cell that runs has a star, and a number when it has ended.
    await place.locator(".jp-InputPrompt", { hasText: /\[\d+\]/ }).waitFor();
    const printed = await place.locator(".jp-OutputArea-output pre").allTextContents();
    return printed.join("").trim();
  }

  async close(): Promise<void> {
    await this.#browser.close();
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.kill("SIGINT");
    this.#server.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function notebookOf(cells: readonly string[]): object {
  return {
    cells: cells.map((source, i) => ({
      cell_type: "code",
      id: `cell-${i}`,
      metadata: {},
      execution_count: null,
      outputs: [],
      source,
    })),
    metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}
