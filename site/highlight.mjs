// Colours code by classes, to which theme/style.css gives colours of light and dark pages. The highlighters
// that use grammars of editors take longer to compile these than for all the rest of a page.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import nginx from "highlight.js/lib/languages/nginx";
import plaintext from "highlight.js/lib/languages/plaintext";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

// TypeScript knows JavaScript, and is what a script in HTML is coloured as.
const languages = { bash, javascript: typescript, json, nginx, plaintext, python, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(["js", "jsx"], { languageName: "typescript" });
hljs.registerAliases(["vue", "svelte"], { languageName: "xml" });

/** HTML of a block of code in which Vue expands nothing. Throws for a language that no page had until now. */
export const highlight = (code, language) => {
  const { value } = hljs.highlight(code.trimEnd(), { language: language || "text" });
  return `<pre v-pre tabindex="0"><code>${value}</code></pre>`;
};
