/** A link to what is shown, pages that show it, programs that read it, and files of it. */
import { useSignal } from "@preact/signals";
import { Code, FileSpreadsheet, Film, Image, Images, Link } from "lucide";
import { codeOf, pythonOf } from "../export/code.js";
import { saveCsv, savePng } from "../export/files.js";
import { saveFilm, savePictures } from "../export/film.js";
import { timelineOf } from "../picture/comparison.js";
import { act, dialog } from "../session.js";
import { linkNow } from "../state-of-page.js";
import { SaveButton } from "./array-head.js";
import { Icon } from "./icon.js";

export function Share() {
  const shown = act.value;
  const opened = useSignal("");
  const copied = useSignal("");
  if (!("layer" in shown)) return null;
  const main = timelineOf(shown.layer);
  const link = linkNow();
  const embedded = linkNow({ isEmbedded: true });
  const texts: readonly (readonly [name: string, about: string, text: string, icon: typeof Link])[] = [
    ["Copy link", "The same picture on another machine that reaches the data", link, Link],
    [
      "Embed",
      "A frame in a page",
      `<iframe src="${escaped(embedded)}" width="100%" height="480" title="${escaped(shown.layer.title)}"></iframe>`,
      Code,
    ],
    [
      "Embed as an element",
      "With the module of this viewer",
      `<script type="module" src="${new URL("element.js", location.href)}"></script>\n<wazarr-viewer src="${escaped(embedded)}"></wazarr-viewer>`,
      Code,
    ],
    ["Copy JavaScript", "Reads the same selection", codeOf(shown.layer), Code],
    ["Copy Python", "Reads the same selection with xarray or zarr", pythonOf(shown.layer), Code],
  ];
  const copy = async (name: string, text: string): Promise<void> => {
    opened.value = name;
    copied.value = "";
    try {
      await navigator.clipboard.writeText(text);
      copied.value = name;
    } catch {
      // A page without https, or a frame that may not write, has no clipboard: the reader copies what is shown.
    }
  };
  return (
    <>
      {texts.map(([name, about, text, icon]) => (
        <div key={name}>
          <button type="button" class="item" onClick={() => void copy(name, text)}>
            <Icon of={icon} />
            <span>
              {name}
              <span class="meta" style={{ display: "block" }}>
                {about}
              </span>
            </span>
            <span class="meta" role="status">
              {copied.value === name ? "Copied" : ""}
            </span>
          </button>
          {opened.value === name && <pre class="code">{text}</pre>}
        </div>
      ))}
      <div class="row wrap">
        {shown.kind !== "table" && <SaveButton name="Save PNG" icon={Image} onSave={savePng} />}
        <SaveButton name="Save CSV" icon={FileSpreadsheet} onSave={saveCsv} />
        {shown.kind === "picture" && main && (
          <>
            <SaveButton name="Save film" icon={Film} onSave={closing(() => saveFilm(shown.layer, main))} />
            <SaveButton
              name="Save a picture of each step"
              icon={Images}
              onSave={closing(() => savePictures(shown.layer, main))}
            />
          </>
        )}
      </div>
    </>
  );
}

/** The timeline shows how far it is. */
const closing = (run: () => Promise<void>) => (): Promise<void> => {
  dialog.value = undefined;
  return run();
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
