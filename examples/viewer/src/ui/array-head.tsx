/** What is in a table or a line: name, type and lengths, and what can be saved. */
import { FileSpreadsheet, Image } from "lucide";
import type { Layer } from "../data/layers.js";
import { saveCsv, savePng } from "../export/files.js";
import { showProblem } from "../open/opening.js";
import { act } from "../session.js";
import { Icon } from "./icon.js";

export function ArrayHead({ layer }: { readonly layer: Layer }) {
  const lengths = layer.dimensions.map(({ name, length }) => `${name} ${length}`).join(", ");
  return (
    <div class="head">
      <h2 class="grow cut">{layer.longName ?? layer.title}</h2>
      <span class="meta cut">
        {layer.dtype}
        {lengths && ` · ${lengths}`}
      </span>
      {act.value.kind === "chart" && <SaveButton name="Save PNG" icon={Image} onSave={savePng} />}
      <SaveButton name="Save CSV" icon={FileSpreadsheet} onSave={saveCsv} />
    </div>
  );
}

interface SaveButtonProps {
  readonly name: string;
  readonly icon: Parameters<typeof Icon>[0]["of"];
  readonly onSave: () => Promise<void>;
}

export function SaveButton({ name, icon, onSave }: SaveButtonProps) {
  const run = (): void => void onSave().catch((error: unknown) => showProblem(error, run));
  return (
    <button type="button" class="button small" onClick={run}>
      <Icon of={icon} /> {name}
    </button>
  );
}
