/** The arrays and groups of what is open. */

import { useSignal } from "@preact/signals";
import { Box, Folder, Image, Search } from "lucide";
import { keyOf, kindOf, longNameOf } from "../data/names.js";
import { choose } from "../open/open-source.js";
import { type NodeItem, nodesOf, type TreeItem } from "../open/tree.js";
import { hasSmallPicture } from "../picture/small-picture.js";
import { tree } from "../session.js";
import { page } from "../state-of-page.js";
import { Icon } from "./icon.js";
import { Panel } from "./panel.js";
import { SmallPicture } from "./small-picture.js";

/** So many and more have a field that searches them. */
const MANY = 8;

export function Variables() {
  const wanted = useSignal("");
  const all = nodesOf(tree.value);
  const find = wanted.value.toLowerCase();
  const found = all.filter(({ path, node }) =>
    `${path} ${longNameOf(node) ?? ""}`.toLowerCase().includes(find),
  );
  return (
    <Panel
      name="Variables"
      tab="variables"
      class="shrinks"
      id="tree"
      head={<span class="meta number">{all.filter(({ node }) => node.kind === "array").length}</span>}
    >
      {all.length >= MANY && (
        <label class="row">
          <Icon of={Search} />
          <span class="hidden">Find a variable</span>
          <input
            id="find"
            type="search"
            class="grow"
            placeholder="Find a variable"
            value={wanted.value}
            onInput={(event) => {
              wanted.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
      {find === "" ? (
        <Items items={tree.value} />
      ) : (
        <ul>
          {found.map((item) => (
            <li key={item.path}>
              <Variable item={item} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Items({ items }: { readonly items: readonly TreeItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li key={item.path} data-path={"node" in item ? undefined : item.path}>
          {"node" in item ? (
            <>
              <Variable item={item} />
              <Items items={item.below.value} />
            </>
          ) : (
            <span class="unreadable">
              {keyOf(item)} {item.unreadable}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Variable({ item: { node, beside } }: { readonly item: NodeItem }) {
  const path = page.value.path ?? "/";
  const isShown = path === node.path;
  const long = longNameOf(node);
  const hasPicture = beside !== undefined && hasSmallPicture(node);
  const kind = kindOf(node);
  return (
    <button
      type="button"
      class={hasPicture ? "variable" : "variable bare"}
      data-path={node.path}
      aria-current={isShown ? "true" : "false"}
      tabIndex={isShown || !isInTree(path) ? 0 : -1}
      onClick={() => choose(node)}
      onKeyDown={moveFocus}
    >
      {hasPicture ? (
        <SmallPicture node={node} beside={beside} size={[128, 96]} />
      ) : (
        <Icon of={node.kind === "array" ? Box : kind === "image" ? Image : Folder} />
      )}
      <span class="cut">
        <span class="name cut">{long ?? keyOf(node)}</span>
        <span class="meta cut">
          {long ? `${keyOf(node)} · ` : ""}
          {kind}
        </span>
      </span>
    </button>
  );
}

const isInTree = (path: string): boolean => nodesOf(tree.value).some((item) => item.path === path);

/** Arrow keys go from node to node. */
function moveFocus(event: KeyboardEvent): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("#tree button[data-path]")];
  const { currentTarget } = event;
  const at = currentTarget instanceof HTMLButtonElement ? buttons.indexOf(currentTarget) : -1;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const button = next === undefined ? undefined : buttons[next];
  if (!button) return;
  event.preventDefault();
  button.focus();
}
