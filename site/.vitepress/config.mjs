import { readFileSync } from "node:fs";
import { slug } from "../slug.mjs";

const sidebar = JSON.parse(readFileSync(new URL("../sidebar.json", import.meta.url), "utf8"));
const { description, repository } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

export default {
  title: "wazarr",
  description,
  lang: "en",
  // Relative to any folder of a server: BASE=/wazarr/ npm run docs.
  base: process.env.BASE ?? "/",
  srcDir: "pages",
  outDir: "dist",
  cleanUrls: false,
  lastUpdated: false,
  // A link to a page that is not there fails the build. test/examples/links.test.ts checks anchors.
  ignoreDeadLinks: "localhostLinks",
  markdown: { anchor: { slugify: slug } },
  themeConfig: {
    nav: sidebar.map(({ text, items: [{ link }] }) => ({ text, link })),
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repository.url.replace(/^git\+|\.git$/g, "") }],
  },
};
