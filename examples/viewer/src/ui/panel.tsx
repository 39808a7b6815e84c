/** A panel that floats over the picture and folds. */
import { useSignal } from "@preact/signals";
import { ChevronDown } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.js";

interface PanelProps {
  readonly id?: string;
  readonly name: string;
  /** The tab of a phone that opens it. */
  readonly tab: "variables" | "colours" | "answers";
  /** Beside the name. */
  readonly head?: ComponentChildren;
  readonly class?: string;
  /** At first. Default: false. */
  readonly isFolded?: boolean;
  readonly children: ComponentChildren;
}

export function Panel({
  id,
  name,
  tab,
  head,
  class: extra = "",
  isFolded: isFirst = false,
  children,
}: PanelProps) {
  const isFolded = useSignal(isFirst);
  return (
    <section
      class={`panel ${extra}`}
      aria-label={name}
      data-tab-of={tab}
      data-folded={isFolded.value || undefined}
    >
      <div class="panel-head">
        <h2 class="cut">{name}</h2>
        {head}
        <button
          type="button"
          class="button small bare fold"
          aria-expanded={!isFolded.value}
          aria-label={`${isFolded.value ? "Unfold" : "Fold"} ${name.toLowerCase()}`}
          onClick={() => {
            isFolded.value = !isFolded.value;
          }}
        >
          <Icon of={ChevronDown} />
        </button>
      </div>
      <div class="panel-body" id={id}>
        {children}
      </div>
    </section>
  );
}
