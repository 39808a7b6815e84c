/**
 * Help, its page among the documents, and completion, which are all made from what the commands say of
 * themselves.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { helpOf, helpOfCommand } from "../../src/cli/help.js";
import { useCommandLine } from "./use-command-line.js";

const { at, here, run } = useCommandLine();

/** docs/command-line.md: `npx vitest run --project 'node*' test/cli/help.test.ts -u` writes it anew. */
const PAGE = "../../docs/command-line.md";

function page(): string {
  const fenced = (text: string): string => `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  const sections = commands.map(
    (command) => `## wazarr ${command.name}\n\n${fenced(helpOfCommand(command))}`,
  );
  return [
    "# Command line\n",
    "`npm install --global wazarr`, or `npx wazarr`. This page is what `wazarr --help` and `wazarr COMMAND --help` print.\n",
    fenced(helpOf(commands)),
    ...sections,
  ].join("\n");
}

test("the page is what the program prints", async () => {
  await expect(page()).toMatchFileSnapshot(PAGE);
});

test("without a command the program prints its help, as wrong usage", async () => {
  expect(await run()).toEqual({ status: 2, stdout: "", stderr: helpOf(commands) });
});

test("help has every option, and fits into a terminal of 100 columns", () => {
  for (const command of commands) {
    const text = helpOfCommand(command);
    for (const option of Object.keys(command.options)) expect(text).toContain(`\n  --${option}`);
    const described = text.split("\n\nExamples")[0]?.split("\n").slice(1) ?? [];
    for (const line of described) expect(line.length, line).toBeLessThanOrEqual(100);
  }
});

describe("completion", () => {
  /** What bash completes after the given words, the last of which is being typed. */
  function completed(script: string, ...words: readonly string[]): string[] {
    const list = words.map((word) => `'${word}'`).join(" ");
    const program = `source '${script}'
COMP_WORDS=(wazarr ${list})
COMP_CWORD=${words.length}
_wazarr
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", program], { encoding: "utf8" })
      .split("\n")
      .filter((word) => word !== "");
  }

  test.skipIf(process.platform === "win32")("in bash", async () => {
    writeFileSync(at("wazarr.bash"), await here("completion", "bash"));
    const complete = (...words: readonly string[]) => completed(at("wazarr.bash"), ...words);
    expect(complete("co")).toEqual(["copy", "consolidate", "completion"]);
    expect(complete("get", "a.zarr", "--s")).toEqual(["--select"]);
    expect(complete("get", "a.zarr", "--format", "")).toEqual(["table", "json", "lists", "csv", "npy"]);
    expect(complete("copy", "a", "b", "--order", "C")).toEqual(["C"]);
    expect(complete("help", "ver")).toEqual(["verify"]);
    expect(complete("completion", "f")).toEqual(["fish"]);
    // Files, by bash itself.
    expect(complete("get", "")).toEqual([]);
    expect(complete("get", "a.zarr", "--out", "--")).toEqual([]);
  });

  test("in zsh and fish", async () => {
    const [zsh, fish] = [await here("completion", "zsh"), await here("completion", "fish")];
    expect(zsh).toMatch(/^#compdef wazarr\n/);
    for (const { name, options } of commands) {
      expect(zsh).toMatch(new RegExp(`^    ${name}\\) _arguments `, "m"));
      expect(fish).toMatch(new RegExp(`^complete -c wazarr -n __fish_use_subcommand -f -a ${name} `, "m"));
      for (const option of Object.keys(options)) {
        expect(zsh).toContain(`--${option}[`);
        expect(fish).toMatch(new RegExp(`seen_subcommand_from ${name}' -l ${option} `));
      }
    }
    expect(zsh).toContain("--format[The format]:value:(table json lists csv npy)");
    expect(fish).toContain("-l format -x -a 'table json lists csv npy'");
    // No quote ends another one.
    for (const line of [...zsh.split("\n"), ...fish.split("\n")])
      expect((line.match(/'/g) ?? []).length % 2, line).toBe(0);
  });
});
