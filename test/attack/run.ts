/**
 * The long run: `npm run attack -- [NAME...] [--seconds 600] [--seed 1]`. Every campaign, or those named, for
 * so many seconds: an hour in all; prints a table, and what was broken. Status 1 when anything was.
 */
import { parseArgs } from "node:util";
import { seeded } from "./campaign.js";
import { CAMPAIGNS } from "./campaigns.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "600" }, seed: { type: "string", default: "1" } },
});
const unknown = positionals.filter((name) => !CAMPAIGNS.some((campaign) => campaign.name === name));
if (unknown.length > 0) {
  const names = CAMPAIGNS.map(({ name }) => name).join(", ");
  throw new Error(`expected campaigns out of ${names}, got ${unknown.join(", ")}`);
}
console.log("| Campaign | Attack | Rounds | Figures | Broken |\n| --- | --- | ---: | --- | ---: |");
for (const { name, run } of CAMPAIGNS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const row of await run(
    performance.now() + Number(values.seconds) * 1000,
    seeded(Number(values.seed)),
  )) {
    const figures = Object.entries(row.figures).map(([what, count]) => `${what} ${count}`);
    console.log(`| ${name} | ${row.attack} | ${row.rounds} | ${figures.join(", ")} | ${row.broken.length} |`);
    for (const each of row.broken) console.error(`${name}, ${row.attack}: ${each}`);
    if (row.broken.length > 0) process.exitCode = 1;
  }
}
