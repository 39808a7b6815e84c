// Applications that read with zarrita, with and without wazarr in its place: builds nothing of theirs into
// this tree.
//
//   node scripts/dependents.mjs FOLDER...
//
// Each FOLDER is a checkout of an application with its packages installed (`npm ci`, `pnpm install`). zarrita
// and @zarrita/storage in its node_modules are replaced by this tree's package (package.json and dist/, after
// `npm run build`), and put back afterwards. Prints a row for each: errors of types before and after, and
// those that are new. With `--tests` its `npm test` runs, too, or what is given:
// `"--tests=npx vitest run packages/loaders"`.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const given = process.argv.slice(2);
const testing = given.find((each) => /^--tests\b/.test(each));
const withTests = testing !== undefined;
const [, testCommand = "npm test"] = testing?.split("=") ?? [];
const folders = given.filter((each) => !each.startsWith("--"));
const NAMES = ["zarrita", "@zarrita/storage"];

/** Lines with errors of types; files that are missing from a checkout of a part are no errors of ours. */
function typeErrors(folder) {
  const { stdout } = spawnSync("npx", ["tsc", "--noEmit", "-p", "."], { cwd: folder, encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes("error TS") && !line.includes("TS6053"));
}

function testResult(folder) {
  const [command = "", ...args] = testCommand.split(" ");
  const env = { ...process.env, CI: "1", NO_COLOR: "1" };
  const { stdout, status } = spawnSync(command, args, { cwd: folder, encoding: "utf8", env });
  const [summary = ""] = /^ *Tests .*(passed|failed).*/m.exec(stdout) ?? [];
  return `${summary.trim()} (status ${status})`;
}

/** Where packages of zarrita lie: at the top, and below libraries that brought their own. */
function copiesOf(folder, name) {
  const found = execFileSync(
    "find",
    ["-L", join(folder, "node_modules"), "-maxdepth", "6", "-path", `*/node_modules/${name}`, "-prune"],
    {
      encoding: "utf8",
    },
  );
  return found.split("\n").filter((path) => path !== "" && existsSync(join(path, "package.json")));
}

function swap(folder) {
  const places = NAMES.flatMap((name) => copiesOf(folder, name)).map((place) => resolve(place));
  for (const place of places) {
    renameSync(place, `${place}.before`);
    mkdirSync(place, { recursive: true });
    cpSync("package.json", join(place, "package.json"));
    cpSync("dist", join(place, "dist"), { recursive: true });
  }
  return () => {
    for (const place of places) {
      rmSync(place, { recursive: true });
      renameSync(`${place}.before`, place);
    }
  };
}

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
console.log(
  `| Application, with wazarr ${version} | Types before | After |${withTests ? " Tests before | After |" : ""}`,
);
console.log(`| --- | --- | --- |${withTests ? " --- | --- |" : ""}`);
for (const folder of folders) {
  const before = typeErrors(folder);
  const tested = withTests ? [testResult(folder)] : [];
  const putBack = swap(folder);
  try {
    const after = typeErrors(folder);
    if (withTests) tested.push(testResult(folder));
    console.log(`| ${[basename(resolve(folder)), before.length, after.length, ...tested].join(" | ")} |`);
    for (const line of after.filter((each) => !before.includes(each))) console.log(`    new: ${line}`);
  } finally {
    putBack();
  }
}
