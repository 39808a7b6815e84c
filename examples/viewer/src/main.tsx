/** The viewer: opens what the URL names, what the form asks for, and what is dropped on the page. */
import { render } from "preact";
import { openLink, openOwnFiles } from "./open/open-source.js";
import { workers } from "./reading.js";
import { droppedFiles } from "./sources/files.js";
import { App } from "./ui/app.js";

// Their code comes while documents do.
void workers.start();

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const { items } = event.dataTransfer ?? {};
  if (items) openOwnFiles(droppedFiles(items));
});
addEventListener("hashchange", openLink);
openLink();
render(<App />, document.body);
