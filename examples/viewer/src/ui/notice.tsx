/** In place of a picture: what could not be opened, why, and what to do now. */
import { useSignal } from "@preact/signals";
import { CloudOff, FolderOpen, Lock, RefreshCw, SearchX, Settings2, Terminal, TriangleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Failure, failureOf } from "../open/failure.js";
import type { Problem } from "../session.js";
import { page } from "../state-of-page.js";
import { Icon } from "./icon.js";
import { OpenForm } from "./open-form.js";

type IconNode = Parameters<typeof Icon>[0]["of"];

const HEADERS = `Access-Control-Allow-Origin: *
Access-Control-Allow-Headers: Range
Access-Control-Expose-Headers: ETag, Content-Range`;

export function Notice({ problem: { message, error, retry } }: { readonly problem: Problem }) {
  const failure = useSignal<Failure>({ kind: "other" });
  useEffect(() => {
    let isLast = true;
    failure.value = { kind: "other" };
    void failureOf(error).then((found) => {
      if (isLast) failure.value = found;
    });
    return () => {
      isLast = false;
    };
  }, [error]);
  const { icon, title, about } = wordsFor(failure.value);
  return (
    <div class="notice">
      <span class="badge">
        <Icon of={icon} />
      </span>
      <h1>{title}</h1>
      <p>{about}</p>
      <div id="problems" role="alert">
        <div class="problem">
          <p class="meta mono">{message}</p>
        </div>
      </div>
      <button type="button" class="button primary" onClick={retry}>
        <Icon of={RefreshCw} /> Try again
      </button>
      {failure.value.kind === "cors" && <WaysAroundCors />}
      <OpenForm />
    </div>
  );
}

function wordsFor(failure: Failure): {
  readonly icon: IconNode;
  readonly title: string;
  readonly about: string;
} {
  switch (failure.kind) {
    case "cors":
      return {
        icon: Lock,
        title: `${failure.host} does not let pages read it`,
        about:
          "The server answers. But it does not send the header by which a browser may hand its answers to this page (CORS). Programs outside a browser can read the data.",
      };
    case "silent":
      return {
        icon: CloudOff,
        title: `${failure.host} does not answer`,
        about: "See whether the address is right, and whether the server runs.",
      };
    case "offline":
      return {
        icon: CloudOff,
        title: "No connection",
        about: "This computer is offline. Folders and files on it open without a connection.",
      };
    case "missing":
      return {
        icon: SearchX,
        title: "There are no Zarr data at this address",
        about: "See whether the address ends with the name of a group or an array.",
      };
    case "other":
      return {
        icon: TriangleAlert,
        title: "This cannot be opened",
        about: "What the data or the server say is below.",
      };
  }
}

function WaysAroundCors() {
  return (
    <ul class="ways-out">
      <Way icon={Terminal} title="Read it through this computer">
        <p class="meta">One command. It prints an address for this viewer.</p>
        <pre class="code">npx wazarr serve {asArgument(page.value.url)} --open</pre>
      </Way>
      <Way icon={Settings2} title="Or let the server say yes">
        <p class="meta">If it is yours, send these headers; if not, ask its owner for them.</p>
        <pre class="code">{HEADERS}</pre>
      </Way>
      <Way icon={FolderOpen} title="Or open a copy">
        <p class="meta">
          Download the folder or the .zip, and drop it here. It does not leave this computer.
        </p>
      </Way>
    </ul>
  );
}

/** In quotes, which an address of a strange link cannot end: people paste the command. */
const asArgument = (address = ""): string => `'${address.replaceAll("'", "%27")}'`;

interface WayProps {
  readonly icon: IconNode;
  readonly title: string;
  readonly children: ComponentChildren;
}

const Way = ({ icon, title, children }: WayProps) => (
  <li class="card">
    <Icon of={icon} />
    <div>
      <h2>{title}</h2>
      {children}
    </div>
  </li>
);
