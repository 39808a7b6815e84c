// Whether the search of the built site finds what people look for: each word leads to a page among the first
// five.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import config from "./.vitepress/config.mjs";

const WANTED = {
  colormap: /\/(maps|tiles|viewer|maps-\w+)\./,
  xarray: /\/xarray\./,
  NaN: /\/(reading|xarray|data-types|options|geozarr)\./,
  CORS: /\/cors\./,
};

/** @throws Error for a word that finds nothing, or other pages */
export async function checkSearch(site) {
  const chunks = join(site, "dist/assets/chunks");
  const file = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndex"));
  if (file === undefined) throw new Error(`expected the index of the search in ${chunks}`);
  const { default: text } = await import(pathToFileURL(join(chunks, file)).href);
  const { options, searchOptions } = config.themeConfig.search.options.miniSearch;
  // As VitePress searches.
  const index = MiniSearch.loadJSON(text, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
    ...options,
  });
  for (const [word, page] of Object.entries(WANTED)) {
    const found = index.search(word).slice(0, 5);
    if (!found.some(({ id }) => page.test(id)))
      throw new Error(`the search for ${word} finds ${found.map(({ id }) => id).join(", ") || "nothing"}`);
  }
}
