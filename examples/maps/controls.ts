/** Below a map: a button that plays, a slider of time, the step that is drawn, and what failed. */

/** What the three layers say of their picture. */
interface Shown {
  readonly step: Readonly<Record<string, number>>;
  readonly isComplete: boolean;
  readonly failures: readonly unknown[];
}

export function controls() {
  const button = Object.assign(document.createElement("button"), { textContent: "Play / stop" });
  const slider = Object.assign(document.createElement("input"), { type: "range", max: "0", value: "0" });
  const output = document.createElement("output");
  const again = document.createElement("button");
  document.body.append(button, slider, output);
  const say = ({ step, isComplete, failures }: Shown): void => {
    output.value = `${step.time ?? 0}${isComplete ? "" : " (loading)"}`;
    again.textContent = `${failures.length} tiles failed: try again`;
    if (failures.length === 0) again.remove();
    else if (!again.isConnected) output.after(again);
  };
  return { button, slider, again, say };
}
