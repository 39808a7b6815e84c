/**
 * Names and attributes, which anybody may have written, on a terminal: they are shown, and change nothing
 * there.
 */
import { describe, expect, test } from "vitest";
import { printable } from "../../src/cli/text/printable.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, root } from "../../src/index.js";
import { useCommandLine } from "./use-command-line.js";

const SEQUENCE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u202e";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/;

test("what a terminal would obey is escaped, so that JSON stays the same document", () => {
  const document = JSON.stringify({ name: SEQUENCE, text: "a\tb\nc, é, 漢, 😀" });
  expect(printable(document)).not.toMatch(OBEYED);
  expect(JSON.parse(printable(document))).toEqual(JSON.parse(document));
  expect(printable("a\tb\nc é 漢 😀")).toBe("a\tb\nc é 漢 😀");
});

describe("the command", () => {
  const { at, run } = useCommandLine();

  test("prints no sequence of a store", async () => {
    const store = new FileSystemStore(at("escapes.zarr"));
    await create(store, { attributes: { title: SEQUENCE, [`name${SEQUENCE}`]: 1 } });
    const options = { shape: [2], dtype: "float32" } as const;
    const named = { dimensionNames: [`x${SEQUENCE}`], attributes: { units: SEQUENCE } };
    await create(root(store).resolve("t"), { ...options, ...named });
    await create(root(store).resolve(`evil${SEQUENCE}`), options);
    for (const args of [["info"], ["tree"], ["tree", "--json"], ["verify"], ["info", `none${SEQUENCE}`]]) {
      const [command = "", ...more] = args;
      const { stdout, stderr } = await run(command, at("escapes.zarr"), ...more);
      expect(stdout + stderr, args.join(" ")).not.toMatch(OBEYED);
      expect(stdout + stderr).not.toBe("");
    }
    const { stdout } = await run("info", at("escapes.zarr"), "t");
    expect(stdout).not.toMatch(OBEYED);
    expect(stdout).toContain("\\u001b]0;owned\\u0007");
  });
});
