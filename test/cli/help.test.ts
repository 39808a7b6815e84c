/**
 * Help, its page among the documents, and completion, which are all made from what the commands say of
 * themselves.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Command, Options } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { helpOf, helpOfCommand, spelling } from "../../src/cli/help.js";
import { useCommandLine } from "./use-command-line.js";

const { at, here, run } = useCommandLine();

/** docs/command-line.md: `npx vitest run --project 'node*' test/cli/help.test.ts -u` writes it anew. */
const PAGE = "../../docs/command-line.md";

/** Options that several commands have and explain alike, by how they are written. */
function sharedOptions(): ReadonlyMap<string, string> {
  const rows = commands.flatMap(({ options }) => rowsOf(options));
  const isShared = ([term, help]: readonly [string, string]): boolean => {
    const same = rows.filter(([other]) => other === term);
    return same.length > 1 && same.every(([, other]) => other === help);
  };
  return new Map(rows.filter(isShared));
}

const rowsOf = (options: Options): [term: string, help: string][] =>
  Object.entries(options).map(([name, option]) => [spelling(name, option), option.help]);

function tableOf(rows: Iterable<readonly [term: string, text: string]>): string {
  const escaped = (text: string): string => text.replaceAll("|", "\\|");
  const lines = Array.from(rows, ([term, text]) => `| \`${escaped(term)}\` | ${escaped(text)} |\n`);
  return `| | |\n| --- | --- |\n${lines.join("")}`;
}

function sectionOf({ name, operands, summary, description, options, examples }: Command): string {
  const shared = sharedOptions();
  const rows = rowsOf(options);
  const own = rows.filter(([term]) => !shared.has(term));
  const others = rows.filter(([term]) => shared.has(term)).map(([term]) => `\`${term.split(" ")[0]}\``);
  return [
    `## wazarr ${name}\n`,
    `\`${["wazarr", name, ...operands].join(" ")}\` ${summary}.\n`,
    ...description.map((paragraph) => `${paragraph}\n`),
    ...(own.length > 0 ? [tableOf(own)] : []),
    ...(others.length > 0 ? [`[Shared options](#shared-options): ${others.join(", ")}.\n`] : []),
    `\`\`\`sh\n${examples.join("\n")}\n\`\`\`\n`,
  ].join("\n");
}

function page(): string {
  const paragraphs = helpOf(commands).trimEnd().split("\n\n");
  const [stores = "", status = ""] = paragraphs.slice(-2).map((text) => text.replaceAll("\n", " "));
  return [
    "# Command line\n",
    "`npm install --global wazarr`, or `npx wazarr`. `wazarr COMMAND --help` prints the same.\n",
    `${stores}\n`,
    `${status}\n`,
    ...commands.map(sectionOf),
    "## Shared options\n",
    tableOf(sharedOptions()),
  ].join("\n");
}

test("the page says what the commands say of themselves", async () => {
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
