// Refuses to publish while something is missing that only the owner can fill in: `node
// scripts/ready-to-publish.mjs 0.1.0`. RELEASING.md lists it. The release workflow runs this before anything
// else.
import { readdirSync, readFileSync } from "node:fs";

const [version] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const problems = [];
if (manifest.version !== version)
  problems.push(`package.json has version ${manifest.version}, the tag ${version}`);
for (const [file, placeholder] of [
  ["package.json", "/OWNER/"],
  ["README.md", "/OWNER/"],
  ...readdirSync("packages", { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => [`packages/${name}/package.json`, "/OWNER/"]),
  ...readdirSync("examples/live")
    .filter((name) => name.endsWith(".html"))
    .map((name) => [`examples/live/${name}`, "/OWNER/"]),
  ["examples/live/hillshade.mjs", "/OWNER/"],
  ["SECURITY.md", "this is a placeholder"],
]) {
  if (readFileSync(file, "utf8").includes(placeholder))
    problems.push(`${file}: "${placeholder}" is to be replaced (RELEASING.md)`);
}
if (!readFileSync("CHANGELOG.md", "utf8").includes(`## ${version}`))
  problems.push(`CHANGELOG.md has no section "## ${version}": rename "Unreleased"`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
