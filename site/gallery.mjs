// The gallery: a page with cards, and a page for each application with the program beside it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** In their order; `name` is that of the page on the site, and of its picture in public/gallery. */
export const gallery = JSON.parse(readFileSync(new URL("gallery.json", import.meta.url), "utf8")).map(
  (application) => ({ ...application, name: application.page.replace(/\.\w+$/, "") }),
);

/** Pages of Markdown by path. @param {string} home address of the repository */
export function* galleryPages(repository, home) {
  yield ["gallery.md", `${INDEX}\n<div class="cards">\n${gallery.map(cardOf).join("\n")}\n</div>\n`];
  const [, owner = "OWNER"] = /github\.com\/([^/]+)\//.exec(home) ?? [];
  for (const application of gallery) {
    const file = readFileSync(join(repository, "examples/live", application.page), "utf8");
    yield [`gallery/${application.name}.md`, pageOf(application, file.replaceAll("/OWNER/", `/${owner}/`))];
  }
}

const INDEX = `---
layout: page
sidebar: false
title: Gallery
---

<div class="vp-doc gallery">

# Gallery

Small applications, whole. Each is one file without a build step: its import map names the packages, so it runs from any web server. Copy it and change the address.

</div>
`;

const cardOf = ({ name, title, with: tools, text }) =>
  `<a href="./gallery/${name}.html"><img src="/gallery/${name}.jpg" alt="" loading="lazy" width="480" height="300"><b>${title}</b><span>${tools}</span><p>${text}</p></a>`;

function pageOf({ name, page, title, text }, file) {
  const program = programOf(file);
  const lines = program.split("\n").length;
  const shown = page.endsWith(".html")
    ? `<iframe src="../examples/live/${page}" title="${title}"></iframe>`
    : `<img src="/gallery/${name}.jpg" alt="The picture that the program writes">`;
  const whole = page.endsWith(".html")
    ? `\n::: details The whole file\n\`\`\`html\n${file}\`\`\`\n:::\n`
    : "";
  return `---
layout: page
sidebar: false
title: ${title}
pageClass: is-application
---

<div class="vp-doc application">
<div>

# ${title}

${text} ${lines} lines. [All applications](../gallery.md)

${shown}

</div>
<div>

\`\`\`js
${program}
\`\`\`
${whole}
</div>
</div>
`;
}

/** The script of a page, or the whole of a program for Node. */
function programOf(file) {
  const [, script] = /<script type="module">\n(.*?)\n *<\/script>/s.exec(file) ?? [];
  return (script?.replaceAll(/^ {4}/gm, "") ?? file).trimEnd();
}
