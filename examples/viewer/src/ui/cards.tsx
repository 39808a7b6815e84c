/** The members of a group as cards: what they are called, how they look, how large they are. */
import { useSignal } from "@preact/signals";
import { Box, Folder, TriangleAlert } from "lucide";
import { useEffect } from "preact/hooks";
import { children, type Node } from "wazarr";
import { inOrder, isCoordinate } from "../data/choose.js";
import { dimensionsOf } from "../data/coordinates.js";
import { keyOf, kindOf, longNameOf, sizeOf, textOf } from "../data/names.js";
import { choose } from "../open/open-source.js";
import { wordsOf } from "../open/opening.js";
import { hasSmallPicture } from "../picture/small-picture.js";
import { Icon } from "./icon.js";
import { ProblemList } from "./problems.js";
import { SmallPicture } from "./small-picture.js";

interface Members {
  readonly nodes: readonly Node[];
  readonly broken: readonly { readonly path: string; readonly words: string }[];
}

export function Cards({ group }: { readonly group: Node }) {
  const members = useSignal<Members | undefined>(undefined);
  useEffect(() => {
    let isLast = true;
    members.value = undefined;
    void membersOf(group).then((found) => {
      if (isLast) members.value = found;
    });
    return () => {
      isLast = false;
    };
  }, [group]);
  const { nodes = [], broken = [] } = members.value ?? {};
  const isAside = (node: Node): boolean => node.kind === "array" && isCoordinate(node);
  const shown = inOrder(nodes).filter((node) => !isAside(node));
  const coordinates = nodes.filter(isAside);
  const isEmpty = members.value !== undefined && nodes.length + broken.length === 0;
  const attributes = group.kind === "group" ? group.metadata.attributes : {};
  const about =
    textOf(attributes.summary) ?? textOf(attributes.description) ?? textOf(attributes.institution);
  return (
    <main class="sheet cards" id="cards">
      <h1>{longNameOf(group) ?? keyOf(group)}</h1>
      {about && <p class="meta">{about}</p>}
      <ProblemList />
      <p id="words">{isEmpty ? "This group has no members." : "Choose one of its arrays or groups."}</p>
      <div class="card-grid">
        {shown.map((node) => (
          <Card key={node.path} node={node} beside={nodes} />
        ))}
        {broken.map(({ path, words }) => (
          <div class="card broken" key={path}>
            <span class="thumb none">
              <Icon of={TriangleAlert} />
            </span>
            <div class="body">
              <span class="name">{keyOf({ path })}</span>
              <span>Cannot be read: {words}</span>
            </div>
          </div>
        ))}
      </div>
      {coordinates.length > 0 && <h2>Coordinates</h2>}
      <div class="card-grid">
        {coordinates.map((node) => (
          <Card key={node.path} node={node} beside={nodes} isPlain />
        ))}
      </div>
    </main>
  );
}

async function membersOf(group: Node): Promise<Members> {
  const broken: { path: string; words: string }[] = [];
  try {
    const nodes = await children(group, {
      onUnreadable: (path, { reason }) => broken.push({ path, words: reason }),
    });
    return { nodes, broken };
  } catch (error) {
    return { nodes: [], broken: [{ path: group.path, words: wordsOf(error) }] };
  }
}

interface CardProps {
  readonly node: Node;
  readonly beside: readonly Node[];
  /** Without a place for a picture. */
  readonly isPlain?: boolean;
}

function Card({ node, beside, isPlain = false }: CardProps) {
  const lengths =
    node.kind === "array"
      ? dimensionsOf(node)
          .map(({ name, length }) => `${name} ${length}`)
          .join(", ")
      : kindOf(node);
  return (
    <button type="button" class="card" data-path={node.path} onClick={() => choose(node)}>
      {hasSmallPicture(node) ? (
        <SmallPicture node={node} beside={beside} size={[440, 240]} />
      ) : (
        !isPlain && (
          <span class="thumb none">
            <Icon of={node.kind === "array" ? Box : Folder} />
          </span>
        )
      )}
      <span class="body">
        <span class="name cut">{longNameOf(node) ?? keyOf(node)}</span>
        <span class="meta cut">{lengths}</span>
        <span class="foot meta">
          <span class="mono cut">{keyOf(node)}</span>
          <span>{node.kind === "array" ? sizeOf(node) : ""}</span>
        </span>
      </span>
    </button>
  );
}
