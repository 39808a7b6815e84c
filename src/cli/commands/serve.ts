/** `wazarr serve`: serves the values of a store and a viewer over HTTP. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { FileSystemStore } from "../../core/stores/files/file-system.js";
import { CheckedStore, openIfThere } from "../../extend.js";
import { children, isZarrError, Location, tree } from "../../index.js";
import { addressKind, openLocation, withinDirectory } from "../../stores/addresses/open-store.js";
import { type Command, type CommandLine, UsageError } from "../command.js";
import { ALLOW } from "../common-options.js";
import { adviceForFile } from "../open-node.js";
import { print } from "../output.js";
import { startServer } from "../serve/server.js";
import { parseNodeName } from "../stores.js";
import { reportProblem } from "../text/problems.js";

const DEFAULT_PORT = 8421;

export const serve: Command = {
  name: "serve",
  summary: "serves the arrays and groups of a store to browsers, with a viewer",
  operands: ["STORE"],
  description: [
    "Read-only, and only at this machine's own address unless --host says otherwise. Prints the addresses of the data and of the viewer. Ctrl-C ends it.",
  ],
  options: {
    port: {
      type: "string",
      value: "N",
      help: `The port. Default: ${DEFAULT_PORT}, or another one if that is in use.`,
    },
    host: {
      type: "string",
      value: "ADDRESS",
      help: "The address to listen on. Default: 127.0.0.1, which other machines cannot reach.",
    },
    open: { type: "flag", help: "Opens the viewer in the browser." },
    cors: {
      type: "list",
      value: "ORIGIN",
      help: "Lets pages of another origin read, such as https://example.com, or * for all. May be repeated.",
    },
    allow: ALLOW,
  },
  examples: ["wazarr serve temperature.zarr --open"],
  run: serveStore,
};

/** Runs the server until SIGINT or SIGTERM. */
async function serveStore({ operands: [name = ""], flag, text, list }: CommandLine): Promise<void> {
  const { store, path: node } = parseNodeName(name);
  const shown = (at: string): string =>
    `${new URLSearchParams({ url: "/data/", ...(at !== "/" && { path: at }) })}`;
  const port = text("port");
  const chosen = port === undefined ? undefined : portOf(port);
  const allow = list("allow");
  const cors = originsOf(list("cors"));
  // Refuse a missing store: the viewer would show only an empty page.
  if (addressKind(store) === "path" && !existsSync(store)) throw new UsageError(await adviceForFile(store));
  const location = await openLocation(store, { allow });
  const { store: found } = location;
  const { path } = location.resolve(node.slice(1));
  const opened = found instanceof FileSystemStore ? withinDirectory(found, allow) : found;
  const inside = await nodesIn(new Location(opened, path));
  const settings = {
    host: text("host"),
    viewer: new URL("./viewer/", import.meta.url),
    shown: shown(path),
    cors,
    onProblem: reportProblem,
  };
  const server = await startServer(opened, { ...settings, port: chosen ?? DEFAULT_PORT }).catch(
    (error: unknown) => {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || chosen !== undefined) throw error;
      return startServer(opened, { ...settings, port: 0 });
    },
  );
  const url = `http://localhost:${portAt(server)}`;
  const data = `${url}/data${path === "/" ? "" : path}`;
  const link = `${url}/#${shown(path)}`;
  const links = inside.slice(0, MOST_LISTED).map((each) => `        ${each}  ${url}/#${shown(each)}\n`);
  const more = inside.length > links.length ? `        and ${inside.length - links.length} more\n` : "";
  const listed =
    inside.length > 0 ? `${path} is no array or group itself, but has\n${links.join("")}${more}` : "";
  await print(`data    ${data}\nviewer  ${link}\n${listed}Ctrl-C ends it\n`);
  if (flag("open")) openBrowser(link);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
    server.once("close", resolve);
  });
  server.close();
  server.closeAllConnections();
}

/** Nodes of a folder whose addresses are printed. */
const MOST_LISTED = 20;

/**
 * The paths of the nodes in a folder that is no node itself; none for a node.
 * @throws NotFoundError for a folder without any
 */
export async function nodesIn(location: Location): Promise<string[]> {
  if (!new CheckedStore(location.store).canList || (await isNode(location))) return [];
  const nodes = await children(location, { onUnreadable: () => {} });
  if (nodes.length === 0) await tree(location);
  return nodes.map(({ path }) => path);
}

/** Whether there is a node. What cannot be read is served all the same: the viewer says why it cannot. */
async function isNode(location: Location): Promise<boolean> {
  try {
    return (await openIfThere(location, {})) !== undefined;
  } catch (error) {
    if (isZarrError(error)) return true;
    throw error;
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new UsageError(`--port: expected 0 to 65535, got ${text}`);
  return port;
}

/** The origins in the values of `--cors`, which may be lists separated by commas. */
function originsOf(values: readonly string[]): string[] {
  const names = values.flatMap((value) => value.split(",")).map((name) => name.trim());
  return names.map((name) => {
    if (name === "*") return name;
    const origin = URL.canParse(name) ? new URL(name).origin : "null";
    if (origin === "null" || name.replace(/\/$/, "") !== origin)
      throw new UsageError(`--cors: expected an origin, such as https://example.com, or *, got ${name}`);
    return origin;
  });
}

function portAt(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * Opens a link with the system's program for links. Failures are ignored, because the link is on the terminal
 * too.
 */
function openBrowser(link: string): void {
  const [program = "", ...args] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", ""]
        : ["xdg-open"];
  const child = spawn(program, [...args, link.replaceAll("&", process.platform === "win32" ? "^&" : "&")], {
    stdio: "ignore",
    detached: true,
  });
  child.on("error", () => {});
  child.unref();
}
