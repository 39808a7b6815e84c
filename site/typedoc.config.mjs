// The reference: every entry of the package, under the name by which it is imported.
import { readFileSync } from "node:fs";

const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Names of entries by their source without extension, relative to src: "storage/zip" is "wazarr/zip". */
export const entries = new Map(
  Object.entries(exports)
    .filter(([, target]) => typeof target !== "string")
    .map(([name, { types }]) => [
      types.replace(/^\.\/dist\/types\/(.*)\.d\.ts$/, "$1"),
      name.replace(/^\./, "wazarr"),
    ]),
);

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  plugin: ["typedoc-plugin-markdown", "./name-entries.mjs", "./functions.mjs"],
  entryPoints: Array.from(entries.keys(), (source) => `../src/${source}.ts`),
  tsconfig: "../tsconfig.build.json",
  out: "pages/api",
  readme: "none",
  name: "API",
  entryFileName: "index",
  // A page for each entry: each page costs a tenth of a second to build.
  outputFileStrategy: "modules",
  groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables"],
  indexFormat: "table",
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  excludeExternals: true,
  disableSources: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  // `get(array: Array<D, S>, ...)`
  expandParameters: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  typeAliasPropertiesFormat: "table",
  tableColumnSettings: { hideDefaults: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
  skipErrorChecking: true,
  validation: { notExported: false, invalidLink: false },
};
