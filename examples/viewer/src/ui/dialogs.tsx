/** What opens over the page: how to share what is shown, and which keys there are. */
import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { dialog } from "../session.js";
import { Icon } from "./icon.js";
import { Share } from "./share.js";

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["←", "↑", "→", "↓"], "move the cross, with Shift the picture"],
  [["Enter"], "pin the point"],
  [["+", "−", "0"], "nearer, further, everything"],
  [["Space"], "play or pause"],
  [[",", "."], "one step back, one step on"],
  [["Tab"], "from control to control"],
];

export function Dialogs() {
  const { value } = dialog;
  if (value === "share")
    return (
      <Dialog name="Share">
        <Share />
      </Dialog>
    );
  if (value !== "keys") return null;
  return (
    <Dialog name="Keys">
      {KEYS.map(([keys, what]) => (
        <div class="item" style={{ gridTemplateColumns: "132px 1fr" }} key={what}>
          <span>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
          <span>{what}</span>
        </div>
      ))}
      <p class="meta">The keys work once the picture has the focus: click it, or go to it with Tab.</p>
    </Dialog>
  );
}

function Dialog({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => place.current?.showModal(), []);
  const close = (): void => {
    dialog.value = undefined;
  };
  return (
    <dialog ref={place} class="dialog" aria-label={name} onClose={close}>
      <div class="panel-head">
        <h2>{name}</h2>
        <button type="button" class="button small bare" aria-label="Close" onClick={close}>
          <Icon of={X} />
        </button>
      </div>
      <div class="panel-body">{children}</div>
    </dialog>
  );
}
