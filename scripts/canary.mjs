// The two commands that CONTRIBUTING.md begins with, in a fresh clone of what is committed, on each Node that
// scripts/oracles/install.sh found, and this one: `node scripts/canary.mjs [COMMAND...]`, which are `npm ci`
// and `npm run quickstart` unless given. The workflow `check` does so in containers of Node 20, 22 and 24.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const given = process.argv.slice(2);
const commands = given.length > 0 ? given : ["npm ci --no-audit --no-fund", "npm run quickstart"];
const { runtimes = {} } = JSON.parse(readFileSync(".oracles/versions.json", "utf8"));
const others = Object.entries(runtimes).filter(([name]) => name.startsWith("node-"));
for (const node of [process.execPath, ...others.map(([, { executable }]) => executable)]) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const folder = mkdtempSync(join(tmpdir(), "wazarr-canary-"));
  try {
    execFileSync("git", ["clone", "--quiet", "--no-hardlinks", ".", folder]);
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    for (const command of commands) {
      const [program = "", ...args] = command.split(" ");
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: "utf8" });
      console.log(
        `Node ${version}: ${command}: ${status === 0 ? "works" : `status ${status}\n${stdout}\n${stderr}`}`,
      );
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
