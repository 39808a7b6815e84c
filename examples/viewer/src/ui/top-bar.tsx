/** Where you are, what a click does, and how to share it. */
import { useSignal } from "@preact/signals";
import {
  Box,
  ChevronDown,
  FolderOpen,
  Globe,
  Grid2x2,
  Keyboard,
  LayoutGrid,
  LayoutPanelTop,
  Map as MapIcon,
  Moon,
  Share2,
  Sun,
} from "lucide";
import type { Layer } from "../data/layers.js";
import { bytesInWords, keyOf, longNameOf } from "../data/names.js";
import { choose } from "../open/open-source.js";
import { nodesOf } from "../open/tree.js";
import { type Form, formsOf, stageFor } from "../picture/choose-stage.js";
import { type Act, act, dialog, progress, title, tree } from "../session.js";
import { page, remember } from "../state-of-page.js";
import { AxisChoice } from "./axis-choice.js";
import { Icon } from "./icon.js";
import { OpenForm } from "./open-form.js";
import { reads } from "./reads.js";
import { changeTheme, theme } from "./theme.js";
import { Tools } from "./tools.js";

export function TopBar() {
  const shown = act.value;
  const isPicture = shown.kind === "picture";
  return (
    <header class="top" data-edge="top">
      <PathBar />
      <div class="row">
        {isPicture && (
          <Tools layer={shown.layer} class="island wide">
            {stageFor(shown.layer, page.value) === "plane" && <AxisChoice layer={shown.layer} />}
          </Tools>
        )}
        {isPicture && <FormChoice layer={shown.layer} />}
        <div class="island">
          <button
            type="button"
            class="button bare wide"
            aria-label="Keys"
            title="Keys"
            onClick={() => {
              dialog.value = "keys";
            }}
          >
            <Icon of={Keyboard} />
          </button>
          <button
            type="button"
            class="button bare"
            aria-label={theme.value === "dark" ? "Light colours" : "Dark colours"}
            onClick={changeTheme}
          >
            <Icon of={theme.value === "dark" ? Sun : Moon} />
          </button>
          {"layer" in shown && (
            <button
              type="button"
              class="button primary wide"
              onClick={() => {
                dialog.value = "share";
              }}
            >
              <Icon of={Share2} /> Share
            </button>
          )}
        </div>
      </div>
    </header>
  );
}

const FORMS: Readonly<
  Record<Form, { readonly name: string; readonly icon: Parameters<typeof Icon>[0]["of"] }>
> = {
  map: { name: "Map", icon: MapIcon },
  globe: { name: "Globe", icon: Globe },
  plane: { name: "Plane", icon: Grid2x2 },
  planes: { name: "Three planes", icon: LayoutPanelTop },
  volume: { name: "Projection", icon: Box },
};

/** Nothing for what has one form. */
function FormChoice({ layer }: { readonly layer: Layer }) {
  const forms = formsOf(layer);
  const chosen = stageFor(layer, page.value);
  if (forms.length < 2) return null;
  return (
    <fieldset class="island" aria-label="Form of the picture">
      {forms.map((form) => (
        <button
          type="button"
          class="button bare"
          key={form}
          aria-label={FORMS[form].name}
          title={FORMS[form].name}
          aria-pressed={form === chosen}
          onClick={() => remember({ stage: form, view: undefined })}
        >
          <Icon of={FORMS[form].icon} />
        </button>
      ))}
    </fieldset>
  );
}

/** The long name of an array, the name of an image, or the key. */
function nameOf(shown: Act): string {
  if (shown.kind === "cards") return longNameOf(shown.group) ?? "";
  if (shown.kind === "plate") return shown.plate.name ?? "Plate";
  if (!("node" in shown)) return "";
  const { node, layer } = shown;
  return node.kind === "group" ? layer.title : (longNameOf(node) ?? keyOf(node));
}

function PathBar() {
  const isOpen = useSignal(false);
  const shown = act.value;
  const name = nameOf(shown);
  const top = nodesOf(tree.value).find(({ node }) => node.kind === "group")?.node;
  const counts = progress.value;
  const { requests, bytes } = reads.value;
  return (
    <nav class="island path" aria-label="Data">
      <svg class={name ? "logo wide" : "logo"} viewBox="0 0 24 24" aria-hidden="true">
        <rect width="24" height="24" rx="5" fill="#0f2b3a" />
        <rect x="4" y="4" width="7" height="7" rx="1.5" fill="#3b528b" />
        <rect x="13" y="4" width="7" height="7" rx="1.5" fill="#21918c" />
        <rect x="4" y="13" width="7" height="7" rx="1.5" fill="#5ec962" />
        <rect x="13" y="13" width="7" height="7" rx="1.5" fill="#fde725" />
      </svg>
      {shown.kind !== "start" && (
        <button
          type="button"
          class="button crumb"
          aria-expanded={isOpen.value}
          title="Open other data"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <span class="cut wide">{title.value || "Open"}</span>
          {title.value && <span class="hidden">: open other data</span>}
          <Icon of={title.value ? ChevronDown : FolderOpen} />
        </button>
      )}
      {"node" in shown && top && shown.node !== top && (
        <button
          type="button"
          class="button bare wide"
          aria-label="All variables as cards"
          title="All variables as cards"
          onClick={() => choose(top)}
        >
          <Icon of={LayoutGrid} />
        </button>
      )}
      {(name || !title.value) && <h1 class="cut">{name || "wazarr viewer"}</h1>}
      {counts && (
        <span class="reads number wide" role="status">
          {counts.value < 0 ? "reading" : `${counts.value} of ${counts.max} tiles`}
          {requests > 0 && ` · ${requests} requests`}
          {bytes > 0 && `, ${bytesInWords(bytes)}`}
        </span>
      )}
      {isOpen.value && (
        <div class="popover">
          <OpenForm
            onOpen={() => {
              isOpen.value = false;
            }}
          />
        </div>
      )}
    </nav>
  );
}
