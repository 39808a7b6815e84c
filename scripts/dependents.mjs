// Applications that read with zarrita, with and without wazarr in its place.
//
//   node scripts/dependents.mjs FOLDER...
//
// Each FOLDER is a checkout of an application with its packages installed (`npm ci`, `pnpm install`). zarrita
// and @zarrita/storage in its node_modules are replaced by this tree's package (package.json and dist/, after
// `npm run build`), and put back afterwards. Prints a row for each: results before and after, and
// new errors of types. With `--tests` its `npm test` runs, too, or what is given:
// `"--tests=npx vitest run packages/loaders"`; with `--build` its `npm run build` (`--build=npx vite build`).
// `"--types=npx vue-tsc --noEmit"` takes the place of `npx tsc --noEmit -p .`.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const given = process.argv.slice(2);
/** The words of an option's command; undefined unless the option is given. */
function commandOf(name, usual) {
  const option = given.find((each) => new RegExp(`^--${name}\\b`).test(each));
  if (option === undefined) return undefined;
  return (option.includes("=") ? option.slice(option.indexOf("=") + 1) : usual).split(" ");
}
const testing = commandOf("tests", "npm test");
const building = commandOf("build", "npm run build");
const checking = commandOf("types") ?? "npx tsc --noEmit -p .".split(" ");
const folders = given.filter((each) => !each.startsWith("--"));
const NAMES = ["zarrita", "@zarrita/storage"];

const env = { ...process.env, CI: "1", NO_COLOR: "1" };
const run = (folder, [program = "", ...args]) =>
  spawnSync(program, args, { cwd: folder, encoding: "utf8", env, maxBuffer: 1 << 28 });

/** Lines with errors of types; files that are missing from a checkout of a part are no errors of ours. */
function typeErrors(folder) {
  const { stdout } = run(folder, checking);
  return stdout.split("\n").filter((line) => line.includes("error TS") && !line.includes("TS6053"));
}

/** An error's file, line and code: its words name types, which differ between the libraries. */
const placeOf = (line) => /^.*?error TS\d+/.exec(line)?.[0] ?? line;

function testResult(folder) {
  const { stdout, status } = run(folder, testing);
  const [summary = ""] = /^ *Tests .*(passed|failed).*/m.exec(stdout) ?? [];
  return `${summary.trim()} (status ${status})`;
}

/** What is asked for besides types, in the order of the columns. */
function results(folder) {
  return [
    ...(testing === undefined ? [] : [testResult(folder)]),
    ...(building === undefined ? [] : [`status ${run(folder, building).status}`]),
  ];
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
const columns = ["Types", ...(testing ? ["Tests"] : []), ...(building ? ["Build"] : [])];
console.log(`| Application, with wazarr ${version} | ${columns.join(" | ")} |`);
console.log(`|${" --- |".repeat(columns.length + 1)}`);
for (const folder of folders) {
  const before = typeErrors(folder);
  const resultsBefore = results(folder);
  const putBack = swap(folder);
  try {
    const after = typeErrors(folder);
    const cells = results(folder).map((each, i) => `${resultsBefore[i]}; then ${each}`);
    console.log(
      `| ${[basename(resolve(folder)), `${before.length}; then ${after.length}`, ...cells].join(" | ")} |`,
    );
    const known = new Set(before.map(placeOf));
    for (const line of after.filter((each) => !known.has(placeOf(each)))) console.log(`    new: ${line}`);
  } finally {
    putBack();
  }
}
