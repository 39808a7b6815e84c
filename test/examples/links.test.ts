/**
 * Links between the pages of the repository lead to files and headings that are there, and the site shows
 * all.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { slug } from "../../site/slug.mjs";

const docs = readdirSync("docs").filter((name) => name.endsWith(".md"));
const pages = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...docs.map((name) => `docs/${name}`),
  "bench/README.md",
  "bench/studies/README.md",
  "test/attack/README.md",
  "test/engine/shards/README.md",
  "test/formats/draft/README.md",
  "test/fuzz/README.md",
  "test/interop/data-types.md",
  "examples/README.md",
  "examples/data/README.md",
  "examples/distributed/README.md",
  "test/fixtures/README.md",
  ...readdirSync("upstream").map((name) => `upstream/${name}`),
];

const { repository } = JSON.parse(readFileSync("package.json", "utf8"));
const tree = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;

/**
 * Without blocks of code, in which brackets are no links and "#" begins a comment. Absolute links to files of
 * the repository become relative ones, all of which are in README.md.
 */
const textOf = (page: string) =>
  readFileSync(page, "utf8")
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(`](${tree}`, "](");

function anchorsOf(page: string): ReadonlySet<string> {
  const headings = Array.from(textOf(page).matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    slug(heading.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1")),
  );
  // The second heading of one text gets a number.
  return new Set(
    headings.map((anchor, i) => {
      const before = headings.slice(0, i).filter((each) => each === anchor).length;
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

test.each(pages)("%s: links lead to files and headings", (page) => {
  const missing: string[] = [];
  for (const [, link = ""] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(link)) continue;
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    const isThere = existsSync(file) && (anchor === undefined || anchorsOf(file).has(anchor));
    if (!isThere) missing.push(link);
  }
  expect(missing).toEqual([]);
});

test("README.md is packed without the pages, so its links are absolute", () => {
  const links = Array.from(
    readFileSync("README.md", "utf8").matchAll(/\]\(([^)\s]+)\)/g),
    ([, link]) => link,
  );
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter((link) => !link?.startsWith("https://"))).toEqual([]);
  expect(links.filter((link) => link?.startsWith(tree)).length).toBeGreaterThan(30);
});

test("no page names another in backticks, where a link could be", () => {
  const named = ["README.md", ...docs.map((name) => `docs/${name}`)].flatMap((page) =>
    Array.from(textOf(page).matchAll(/`docs\/[\w-]+\.md`/g), ([name]) => `${page}: ${name}`),
  );
  expect(named).toEqual([]);
});

test("the sidebar of the site has every page once", () => {
  const sidebar: readonly { readonly items: readonly { readonly link: string }[] }[] = JSON.parse(
    readFileSync("site/sidebar.json", "utf8"),
  );
  const links = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
  // Those of the site alone: its gallery and the reference.
  const others = ["/api/", "/gallery"];
  expect(links.toSorted()).toEqual([...others, ...docs.map((name) => `/${name.slice(0, -3)}`)].sort());
});
