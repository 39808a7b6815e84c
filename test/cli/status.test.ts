/** Exit statuses of the command line: verify finds problems, wrong usage is told from bad data. */
import { closeSync, cpSync, existsSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runHere } from "../setup/command-line.js";
import { DATA, lines, useCommandLine } from "./use-command-line.js";

const { at, run, runInto } = useCommandLine();

describe("verify", () => {
  test("--clean removes what writers that were killed left, and says so", async () => {
    cpSync(DATA, at("killed.zarr"), { recursive: true });
    for (const name of [".wazarr-temporary-1", "elevation/.wazarr-temporary-2"])
      writeFileSync(join(at("killed.zarr"), name), "12345");
    const { status, stdout } = await run("verify", at("killed.zarr"), "--clean");
    expect(stdout).toMatch(/^removed 2 temporary files, 10 bytes\n/);
    expect(status).toBe(0);
    expect(existsSync(join(at("killed.zarr"), ".wazarr-temporary-1"))).toBe(false);
    expect((await run("verify", "https://example.com/a.zarr", "--clean")).status).toBe(2);
  });

  test("a copy that was interrupted: chunks that are missing are counted, and told against the source", async () => {
    await run("copy", DATA, at("whole.zarr"), "--chunks", "100,100");
    const whole = at("whole.zarr/elevation");
    expect(await run("verify", DATA, "--against", at("whole.zarr"))).toEqual({
      status: 0,
      stdout: "1 group, 3 arrays, 14 of 14 chunks stored, 0 problems\n",
      stderr: "",
    });
    rmSync(`${whole}/c/3/4`);
    rmSync(`${whole}/c/1/2`);
    expect((await run("verify", whole)).stdout).toBe(
      "0 groups, 1 array, 18 of 20 chunks stored, 0 problems\n",
    );
    expect((await run("info", whole)).stdout).toMatch(/\nstored +18 of 20 chunks\n/);
    const json: unknown = JSON.parse((await run("info", whole, "--json")).stdout);
    expect(json).toMatchObject({ stored: { unit: "chunk", count: 18, of: 20 } });
    for (const args of [
      ["verify", `${DATA}|zarr:elevation`, "--against", `${at("whole.zarr")}|zarr:elevation`],
      ["verify", DATA, "/elevation", "--against", whole],
      ["verify", DATA, "--against", at("whole.zarr")],
    ]) {
      const compared = await run(...args);
      expect(compared.status).toBe(1);
      expect(compared.stdout).toMatch(/, 1 problem\n$/);
      expect(lines(compared)).toEqual([
        expect.stringMatching(
          /^wazarr: \d+ of 138632 elements differ from .*, the first \[100, 200\]: \d+ here, 0 there/,
        ),
      ]);
    }
    expect((await run("verify", DATA, "--against", at("nowhere"))).status).toBe(1);
  });

  test("one line a problem, and status 1", async () => {
    cpSync(DATA, at("bad.zarr"), { recursive: true });
    truncateSync(at("bad.zarr/elevation/c/1/1"), 100);
    writeFileSync(at("bad.zarr/longitude/zarr.json"), "{\n");
    const finished = await run("verify", at("bad.zarr"));
    expect(finished.status).toBe(1);
    expect(finished.stdout).toBe("1 group, 2 arrays, 13 of 13 chunks stored, 2 problems\n");
    const problems = lines(finished);
    expect(problems).toHaveLength(2);
    expect(problems[1]).toMatch(/^wazarr: .*"\/elevation\/c\/1\/1".*codec gzip.*chunk \[1, 1\]/);
    expect(problems[0]).toMatch(/^wazarr: .*"\/longitude\/zarr.json"/);
    const one = await run("verify", at("bad.zarr"), "/latitude");
    expect(one).toEqual({
      status: 0,
      stdout: "0 groups, 1 array, 1 of 1 chunk stored, 0 problems\n",
      stderr: "",
    });
  });
});

test("an output that takes nothing is told in one line, and status 1", async () => {
  writeFileSync(at("read-only"), "");
  const file = openSync(at("read-only"), "r");
  for (const args of [
    ["get", DATA, "elevation", "--out", "-"],
    ["info", DATA],
  ]) {
    const finished = await runInto(file, ...args);
    expect(finished.status).toBe(1);
    expect(lines(finished)).toEqual([expect.stringMatching(/^wazarr: EBADF/)]);
  }
  closeSync(file);
});

describe("wrong usage has status 2", () => {
  const wrong = [
    [],
    ["info", "http://"],
    ["info", "http://[::1"],
    ["frobnicate"],
    ["info"],
    ["info", DATA, "/", "more"],
    ["info", DATA, "--select", "0"],
    ["get", DATA, "elevation", "--out", "x.txt"],
    ["get", DATA, "elevation", "--out", "-", "--select", "1:2:3:4"],
    ["get", DATA, "elevation", "--out", "-", "--select", "a"],
    ["get", DATA, "elevation", "--out", "-", "--select", "::0"],
    ["get", DATA, "elevation", "--out", "-", "--select", "0,0,0"],
    ["get", DATA, "elevation", "--out", "-", "--select", "344"],
    ["copy", DATA],
    ["copy", DATA, "x.zarr", "--zarr-format", "4"],
    ["copy", DATA, "x.zarr", "--chunks", "0,1"],
    ["copy", DATA, "x.zarr", "--chunks", "1,2,3"],
    ["copy", DATA, "x.zarr", "--codecs", "{"],
    ["copy", DATA, "x.zarr", "--codecs", '[{"id": "gzip"}]'],
    ["copy", DATA, "x.zarr", "--codecs", '["nope"]'],
    ["copy", DATA, "x.zarr", "--fill-value", '"x"'],
    ["copy", DATA, "x.zarr", "--order", "A"],
    ["copy", DATA, "x.zarr", "--endian", "middle"],
    ["copy", DATA, "x.zarr", "--codecs", '{"compresor": {"id": "gzip"}}'],
    ["copy", DATA, "x.zarr", "--attributes", "[]"],
    ["copy", DATA, "x.zarr", "--attributes", "12345678901234567890"],
    ["copy", DATA, "x.zarr", "--dimension-names", "a,b,c"],
    ["copy", DATA, "x.zarr", "--concurrency", "0"],
    ["copy", DATA, "x.zarr", "--nothing"],
  ];
  test.each(wrong.map((args) => ({ args })))("$args", async ({ args }) => {
    const finished = await runHere(...args);
    expect(finished.status).toBe(2);
    expect(finished.stdout).toBe("");
    expect(finished.stderr).toMatch(/^wazarr: /);
    expect(existsSync("x.zarr")).toBe(false);
  });

  test("options that are misspelt, cut off or without their value are told", async () => {
    for (const [args, message] of [
      [
        ["get", DATA, "elevation", "--selcet", "0"],
        'wazarr get has no option --selcet: did you mean "--select"?',
      ],
      [["get", DATA, "elevation", "--sel", "0"], "wazarr get has no option --sel: did you mean --select?"],
      [
        ["get", DATA, "elevation", "-s", "0"],
        "wazarr get has no option -s; wazarr get --help lists the options",
      ],
      [["get", DATA, "elevation", "--out"], "--out: expected FILE after it"],
      [["get", DATA, "elevation", "--out", "--raw"], "--out: expected FILE after it"],
      [["get", DATA, "elevation", "--raw=1"], "--raw: expected no value"],
      [["get", DATA, "elevation", "--format", "cvs"], 'got cvs: did you mean "csv"?'],
      [["help", "coppy"], 'got "coppy": did you mean "copy"?'],
    ] as const) {
      const { status, stderr } = await runHere(...args);
      expect(status).toBe(2);
      expect(stderr).toContain(`${message}\n`);
    }
  });

  test("nodes and stores that are misspelt are told with the nearest", async () => {
    for (const [args, message] of [
      [["info", DATA, "elevaton"], 'did you mean "elevation"?'],
      [["get", DATA, "nothing"], "/ has elevation, latitude, longitude"],
      [["get", DATA], "expected an array, found a group; / has elevation, latitude, longitude"],
      [["info", DATA, "elevation/more"], "/elevation is an array"],
      [["tree", "examples/data/jaksboro.zarr"], 'did you mean "jacksboro.zarr"?'],
      [["verify", "examples/data/jaksboro.zarr"], 'did you mean "jacksboro.zarr"?'],
      ...["info", "tree", "verify", "consolidate"].map(
        (command) => [[command, "data.example.com/a.zarr"], "a URL begins with https://"] as const,
      ),
      [["copy", "data.example.com/a.zarr", at("x.zarr")], "a URL begins with https://"],
      [["copy", "data.example.com/a.zarr", at("x.zip")], "a URL begins with https://"],
      [["info", "localhost:8080"], "a URL begins with https://"],
      [["info", "www.example.com"], "a URL begins with https://"],
      // No URLs: nodes of a directory, or in another one that is misspelt.
      [["info", DATA, "elevation/more"], "/elevation is an array"],
      [["copy", DATA.replace("jack", "jak"), at("x.zarr")], 'did you mean "jacksboro.zarr"?'],
      [["copy", `${DATA}|zarr:elevaton`, at("x.zarr")], 'did you mean "elevation"?'],
    ] as const) {
      const { status, stderr } = await runHere(...args);
      expect(status).toBe(1);
      expect(stderr).toContain(message);
    }
  });

  test("a command that is misspelt is told with the nearest", async () => {
    const { stderr } = await runHere("verfiy", DATA);
    expect(stderr).toContain('got "verfiy": did you mean "verify"?\n');
  });

  test("data that are not there have status 1", async () => {
    for (const args of [
      ["info", at("absent")],
      ["tree", at("absent")],
      ["get", DATA, "/absent", "--out", "-"],
      ["get", DATA, "/", "--out", "-"],
      ["verify", at("absent")],
      ["copy", at("absent"), at("x.zarr")],
      ["info", at("absent.zip")],
      ["info", "http://127.0.0.1:1/x.zarr"],
    ]) {
      const finished = await runHere(...args);
      expect(finished.status, args.join(" ")).toBe(1);
      expect(lines(finished), args.join(" ")).toHaveLength(1);
    }
  });
});
