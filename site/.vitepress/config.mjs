import { readFileSync } from "node:fs";
import { highlight } from "../highlight.mjs";
import { slug } from "../slug.mjs";
import { entries } from "../typedoc.config.mjs";

const sidebar = JSON.parse(readFileSync(new URL("../sidebar.json", import.meta.url), "utf8"));
const { description, repository } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
const home = repository.url.replace(/^git\+|\.git$/g, "");
// Relative to any folder of a server: BASE=/wazarr/ npm run docs.
const base = process.env.BASE ?? "/";

/** Beside pages of the reference are the entries of the package, beside the others the pages. */
const reference = [
  { text: "Guides", link: "/getting-started" },
  {
    text: "API",
    link: "/api/",
    items: Array.from(entries.values(), (name) => ({ text: name, link: `/api/${name}` })),
  },
];

const groupsNamed = (...names) => sidebar.filter(({ text }) => names.includes(text));
const guides = sidebar.filter(({ text }) => text !== "Reference" && text !== "How it works");
/** A pattern of the pages of groups, but for those that have an entry of their own. */
const matchOf = (groups) =>
  `^/(${groups
    .flatMap(({ items }) => items.map(({ link }) => link.slice(1)))
    .filter((page) => page !== "gallery" && page !== "api/")
    .join("|")})$`;

/** Headings that every page of the reference has, and nobody looks for. */
const COMMON =
  /<h([2-6])[^>]*>((?:Type )?Parameters|Returns|Throws|Extends|Extended by|Implements|Inherited from|Overrides|Implementation of|Properties|Methods|Accessors|Constructors?|(?:Call|Get|Set) Signature|Type Declaration|Indexable)\b.*?<\/h\1>/g;

/** The bundle that renders pages is thrown away after that: it need not be small, and searches nothing. */
function lightServerBundle() {
  let isServer = false;
  return {
    name: "light-server-bundle",
    enforce: "pre",
    config(_, { isSsrBuild }) {
      isServer = isSsrBuild === true;
      return isServer ? { build: { rollupOptions: { treeshake: false } } } : {};
    },
    // Otherwise VitePress makes the index for each of its two bundles.
    resolveId: (id) => (isServer && id.startsWith("@localSearchIndex") ? "\0no-index" : undefined),
    load: (id) => (id === "\0no-index" ? "export default {}" : undefined),
  };
}

export default {
  title: "wazarr",
  description,
  lang: "en",
  base,
  head: [["link", { rel: "icon", href: `${base}logo.svg`, type: "image/svg+xml" }]],
  srcDir: "pages",
  // The licences of the viewer are a file, no page.
  srcExclude: ["public/**"],
  outDir: "dist",
  cleanUrls: false,
  lastUpdated: false,
  // A link to a page that is not there fails the build. test/examples/links.test.ts checks anchors.
  ignoreDeadLinks: "localhostLinks",
  markdown: { anchor: { slugify: slug }, highlight },
  // Pages of the reference are looked up, not read one after the other.
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath.startsWith("api/")) Object.assign(frontmatter, { prev: false, next: false });
  },
  // The index of the search is one file.
  vite: { build: { chunkSizeWarningLimit: 2000 }, plugins: [lightServerBundle()] },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Guides", link: "/getting-started", activeMatch: matchOf(guides) },
      { text: "Gallery", link: "/gallery", activeMatch: "^/gallery" },
      { text: "Reference", link: "/options", activeMatch: matchOf(groupsNamed("Reference")) },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: "How it works", link: "/architecture", activeMatch: matchOf(groupsNamed("How it works")) },
      // Another program: not a page of this one.
      { text: "Viewer", link: "/viewer/?url=../examples/live/seasons.zarr&format=v3", target: "_self" },
    ],
    sidebar: { "/api/": reference, "/": sidebar },
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        _render(text, env, markdown) {
          // To colour code takes half of the time of a page, and the index has words alone.
          const { highlight } = markdown.options;
          markdown.options.highlight = null;
          const html = markdown.render(text, env);
          markdown.options.highlight = highlight;
          if (env.frontmatter?.search === false) return "";
          return env.relativePath.startsWith("api/") ? html.replaceAll(COMMON, "") : html;
        },
        // Guides before what is inside, and that before the reference.
        miniSearch: {
          options: {
            // "color" finds "colour", and "colormap" the colour maps. Sent to pages as text, too.
            processTerm: (term) => {
              const american = term
                .toLowerCase()
                .replace("colour", "color")
                .replace("grey", "gray")
                .replace("centre", "center");
              return american.startsWith("colormap") ? ["color", american] : american;
            },
          },
          searchOptions: {
            // It is sent to pages as text, so it knows nothing of this file.
            boostDocument: (id) =>
              id.includes("/api/")
                ? 0.4
                : /\/(architecture|engine|reliability|performance|evidence)\./.test(id)
                  ? 0.6
                  : 1,
          },
        },
      },
    },
    // For the first page.
    repository: home,
    socialLinks: [{ icon: "github", link: home }],
  },
};
