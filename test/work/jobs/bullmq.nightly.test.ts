/**
 * examples/distributed on a real Redis: workers that are killed, chunks that are damaged, the same plan by
 * way of a function.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { planCopy, runLocal } from "../../../src/work/jobs.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { contentsOf, copyWithKills, LAYOUT, produce, writeImages } from "./copy-with-kills.js";
import { type Distributed, startDistributed } from "./distributed.js";

const redis = readOracles().redis?.executable;
if (redis === undefined) {
  warnLoudly(
    "No redis-server: the tests of examples/distributed are SKIPPED. scripts/oracles/install.sh installs Debian's.",
  );
}

describe.skipIf(redis === undefined)("examples/distributed", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-distributed-"));
  const at = (name: string): string => join(folder, name);
  const layout = JSON.stringify(LAYOUT);
  let programs: Distributed;
  let whole: ReadonlyMap<string, Uint8Array | undefined>;

  async function contents(name: string): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
    const store = new FileSystemStore(at(name));
    await store.removeTemporaryFiles();
    return contentsOf(store);
  }

  beforeAll(async () => {
    programs = await startDistributed(redis ?? "");
    await writeImages(at("images.zarr"));
    const plan = await planCopy(at("images.zarr"), at("whole.zarr"), LAYOUT);
    expect(plan.stages).toHaveLength(4);
    await runLocal(plan);
    whole = await contents("whole.zarr");
  });
  afterAll(async () => {
    await programs?.close();
    rmSync(folder, { recursive: true });
  });

  test("4 workers that are killed at random leave what one process does", async () => {
    await copyWithKills(programs, at("images.zarr"), at("killed.zarr"));
    expect(await contents("killed.zarr")).toEqual(whole);
  });

  test("a damaged chunk ends in the dead letters with its key, the rest goes on, and mended all is done", async () => {
    cpSync(at("images.zarr"), at("damaged.zarr"), { recursive: true });
    truncateSync(at("damaged.zarr/c/7/0/0"), 20);
    const plan = await produce(programs, at("damaged.zarr"), at("mended.zarr"));
    const worker = programs.start("worker");
    const stopped = await programs.run("watch", plan);
    expect(stopped.status).toBe(1);
    const letters = stopped.output.split("\n").filter((line) => line.startsWith("dead letter"));
    expect(letters).toEqual([expect.stringMatching(/^dead letter \w{16}_1-0-\d+: \/c\/7\/0\/0 .*zstd/)]);
    const [, done, total] = /: (\d+) of (\d+) tasks, 1 failed\nstopped: \d/.exec(stopped.output) ?? [];
    expect(Number(done)).toBe(Number(total) - 1);
    cpSync(at("images.zarr/c/7/0/0"), at("damaged.zarr/c/7/0/0"));
    expect(await programs.run("watch", plan, "--retry")).toMatchObject({ status: 0 });
    await worker.stop("SIGTERM");
    expect(await contents("mended.zarr")).toEqual(whole);
  });

  test("the same plan by way of a function", async () => {
    const module: { default: { fetch(request: Request): Promise<Response> } } = await import(
      /* @vite-ignore */ programs.fileOf("handler")
    );
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const answer = await module.default.fetch(new Request("http://function/", { method: "POST", body }));
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    const sent = await programs.run("dispatch", url, at("images.zarr"), at("function.zarr"), layout);
    expect(sent).toEqual({ status: 0, output: expect.stringMatching(/^\w{16} done\n$/) });
    expect(await contents("function.zarr")).toEqual(whole);
    const refused = await module.default.fetch(
      new Request("http://function/", { method: "POST", body: "{}" }),
    );
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ tag: "UnsupportedError" });
    server.close();
  });

  test("the handler has the lines that are promised", () => {
    const lines = readFileSync("examples/distributed/handler.mjs", "utf8").trim().split("\n");
    expect(lines.length).toBeLessThanOrEqual(20);
  });
});
