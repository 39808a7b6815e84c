/** The metadata of the node, as JSON. */
import { act } from "../session.js";
import { Panel } from "./panel.js";

export function About() {
  const shown = act.value;
  if (!("node" in shown)) return null;
  const { node } = shown;
  const content = node.kind === "array" ? node.metadata : node.metadata.attributes;
  const json = JSON.stringify(
    content,
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  return (
    <Panel name="Metadata" tab="variables" class="shrinks" isFolded>
      <div id="about">
        <pre>{json}</pre>
      </div>
    </Panel>
  );
}
