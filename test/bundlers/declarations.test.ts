/** The signatures that applications compile with: none changes unless somebody means it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publicDeclarations } from "./declarations.js";

const SNAPSHOT = "../public-api.d.txt";
const ADVICE = `The public declarations differ from test/public-api.d.txt. If that is meant, run "npm run build" and \
"npx vitest run --project node test/bundlers/declarations.test.ts -u", look at the difference, commit it, and name the change in CHANGELOG.md`;

test("the declarations of the package are those of test/public-api.d.txt", async () => {
  const { exports }: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> } =
    JSON.parse(readFileSync("package.json", "utf8"));
  const entries = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : join(target.types),
  );
  expect(
    entries.filter((entry) => !existsSync(entry)),
    "npm run build makes them",
  ).toEqual([]);
  await expect(publicDeclarations(entries), ADVICE).toMatchFileSnapshot(SNAPSHOT);
});
