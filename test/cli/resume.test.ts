/**
 * `wazarr copy` in tasks: plans that are printed, copies that are killed and resumed, chunks that are
 * damaged.
 */
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { listPrefix } from "../../src/core/stores/capabilities.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, set } from "../../src/index.js";
import { DATA, lines, useCommandLine } from "./use-command-line.js";

const { at, here, run, runFor, wazarr } = useCommandLine();

/** Images that are to become time series. */
const SHAPE = [48, 96, 96];
const LAYOUT = ["--chunks", "48,8,8", "--max-memory", "33.7MB"];

beforeAll(async () => {
  const array = await create(new FileSystemStore(at("images.zarr")), {
    shape: SHAPE,
    dtype: "uint16",
    chunkShape: [1, 96, 96],
  });
  const data = Uint16Array.from({ length: 48 * 96 * 96 }, (_, i) => (i * 40503) >> 7);
  await set(array, null, { data, shape: SHAPE });
});

async function contents(folder: string): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
  const store = new FileSystemStore(at(folder));
  const found = new Map<string, Uint8Array | undefined>();
  for (const key of (await listPrefix(store, "/")).toSorted()) found.set(key, await store.get(key));
  return found;
}

test("--dry-run prints stages, tasks, bytes and memory, and writes nothing", async () => {
  const text = await here("copy", at("images.zarr"), at("none.zarr"), ...LAYOUT, "--dry-run");
  expect(text.replace(/^(plan +)\w{16}$/m, "$1ID")).toMatch(
    /^plan +ID\nstage 0 +create the nodes: 1 task\nstage 1 +copy, or into .*: \d+ tasks\nstage 2 +copy from .*: \d+ tasks\nstage 3 +remove .*: 1 task\ntasks +\d+\n/,
  );
  expect(text).toMatch(
    /\nreads +864\.0 KiB .*\nwrites +864\.0 KiB .*\nmoves +1\.7 MiB .*\nmemory +3\d\.\d MiB .*\n$/,
  );
  expect(existsSync(at("none.zarr"))).toBe(false);
});

test("a copy that ended, through an array between two stages, is not resumed: it is finished", async () => {
  await wazarr("copy", at("images.zarr"), at("ended.zarr"), ...LAYOUT);
  const again = await here("copy", at("images.zarr"), at("ended.zarr"), ...LAYOUT, "--resume");
  expect(again).toMatch(/^already finished: /);
});

test("killed at any moment and resumed, a copy ends with the bytes of one that was not", async () => {
  await wazarr("copy", at("images.zarr"), at("whole.zarr"), ...LAYOUT);
  const whole = await contents("whole.zarr");
  let killed = 0;
  // Longer each time, since a task that was killed begins anew; a busy machine needs seconds for one.
  for (let wait = 250; ; wait *= 1.4) {
    expect(wait).toBeLessThan(15_000);
    const resume = ["copy", at("images.zarr"), at("killed.zarr"), ...LAYOUT, "--resume"];
    const { status, stderr } = await runFor(Math.floor(wait + Math.random() * 100), ...resume);
    expect(stderr).toBe("");
    if (status === 0) break;
    expect(status).toBe(null);
    killed++;
  }
  expect(killed).toBeGreaterThan(0);
  await new FileSystemStore(at("killed.zarr")).removeTemporaryFiles();
  expect(await contents("killed.zarr")).toEqual(whole);
}, 120_000);

test("a damaged chunk: status 1 and its key, the rest is copied, and --resume does what is left", async () => {
  cpSync(DATA, at("bad.zarr"), { recursive: true });
  truncateSync(at("bad.zarr/elevation/c/1/1"), 100);
  const copy = ["copy", at("bad.zarr"), at("part.zarr"), "--codecs", "zstd:1"];
  const failed = await run(...copy);
  expect(failed.status).toBe(1);
  expect(lines(failed)).toEqual([
    expect.stringMatching(/^wazarr: .*"\/elevation\/c\/1\/1".*codec gzip/),
    "wazarr: 1 task failed; fix the cause, then run the command again with --resume",
  ]);
  expect(existsSync(at("part.zarr/latitude/c/0"))).toBe(true);
  const unfinished = /\nNote: a copy to this node is unfinished.*--resume.*\n$/;
  expect(await here("info", at("part.zarr"))).toMatch(unfinished);
  expect(await here("info", at("part.zarr"), "elevation")).toMatch(unfinished);
  expect(JSON.parse(await here("info", at("part.zarr"), "--json")).notes).toEqual([
    expect.stringContaining("a copy to this node is unfinished"),
  ]);
  expect((await run("verify", at("part.zarr"))).stdout).toMatch(unfinished);
  expect((await run("doctor", at("part.zarr"))).stdout).toMatch(
    /\nadvice +a copy to this node is unfinished.*--resume/,
  );
  const again = await run(...copy);
  expect(again.status).toBe(1);
  expect(lines(again)).toEqual([
    expect.stringMatching(/begun there and is unfinished; --resume continues it/),
  ]);
  const changed = await run(...copy.slice(0, -1), "zstd:2", "--max-memory", "45MB", "--resume");
  expect(changed.status).toBe(1);
  expect(changed.stderr).toMatch(
    /an unfinished copy there was begun with another (?=.*--codecs \(.*zstd.* there, .* here\))(?=.*--max-memory \(not given there, 45000000 here\)).*; pass the same options with --resume to continue it/,
  );
  expect(changed.stderr).not.toContain("--overwrite");
  writeFileSync(at("bad.zarr/elevation/c/1/1"), readFileSync(`${DATA}/elevation/c/1/1`));
  // The same copy, however it is spelt.
  await wazarr(...copy.with(2, `${at("")}/./part.zarr`), "--resume");
  await wazarr("verify", at("part.zarr"), "--against", DATA);
  expect(await here("info", at("part.zarr"))).not.toContain("Note:");
  const nothing = await run(...copy, "--resume");
  expect(nothing).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^already finished: /),
    stderr: "",
  });
  expect(await here(...copy, "--resume", "--quiet")).toBe("");
  // What is there is not what this copy leaves.
  const other = await run(...copy.slice(0, -1), "zstd:2", "--resume");
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining("nothing to resume") });
  rmSync(at("part.zarr"), { recursive: true });
});

test("what is asked of a plan is wrong usage where there can be none", async () => {
  for (const [option, target, message] of [
    ["--resume", at("a.zip"), "--resume: expected a directory to copy to"],
    ["--dry-run", at("a.zip"), "--dry-run: expected a directory"],
    ["--max-memory=1GB", at("a.zip"), "--max-memory: expected a directory"],
    ["--max-memory=much", at("x.zarr"), "--max-memory: expected bytes, or a number of B, KB, MB"],
    ["--max-memory=5 kilos", at("x.zarr"), "--max-memory: expected bytes"],
    ["--max-memory=1KiB", at("x.zarr"), "--max-memory: expected 3"],
    ["--max-memory=5 kb", at("x.zarr"), "got 5000"],
  ] as const) {
    const finished = await run("copy", DATA, target, option);
    expect(finished, option).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  }
  expect(existsSync(at("x.zarr"))).toBe(false);
});
