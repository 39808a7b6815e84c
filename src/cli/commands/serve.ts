/** `wazarr serve`: serves the values of a store and a viewer over HTTP. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import type { Server } from "node:http";
import { join, sep } from "node:path";
import { StoreError } from "../../errors.js";
import { openStore } from "../../jobs/open-store.js";
import { FileSystemStore } from "../../stores/file-system.js";
import { relativeKey, relativePrefix } from "../../stores/keys-and-ranges.js";
import type { AbsolutePath, Store } from "../../stores/store.js";
import { type CommandLine, textOf, UsageError } from "../arguments.js";
import { print } from "../output.js";
import { startServer } from "../server.js";
import { parseNodeName } from "../stores.js";

const DEFAULT_PORT = 8421;

/** Runs the server until SIGINT or SIGTERM. */
export async function serve({ operands: [name = ""], options }: CommandLine): Promise<void> {
  const { store, path } = parseNodeName(name);
  const port = textOf({ options }, "port");
  const chosen = port === undefined ? undefined : portOf(port);
  const settings = { host: textOf({ options }, "host"), viewer: new URL("./viewer/", import.meta.url) };
  // Refuse a missing store: the viewer would show only an empty page.
  if (!/^https?:/i.test(store) && !existsSync(store)) throw new UsageError(`there is no ${store}`);
  const found = await openStore(store);
  const opened = found instanceof FileSystemStore ? withinDirectory(found) : found;
  const server = await startServer(opened, { ...settings, port: chosen ?? DEFAULT_PORT }).catch(
    (error: unknown) => {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || chosen !== undefined) throw error;
      return startServer(opened, { ...settings, port: 0 });
    },
  );
  const url = `http://localhost:${portAt(server)}`;
  const data = `${url}/data${path === "/" ? "" : path}`;
  const link = `${url}/#${new URLSearchParams({ url: "/data/", ...(path !== "/" && { path }) })}`;
  await print(`data    ${data}\nviewer  ${link}\nCtrl-C ends it\n`);
  if (options.has("open")) openBrowser(link);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
    server.once("close", resolve);
  });
  server.close();
  server.closeAllConnections();
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new UsageError(`--port: expected 0 to 65535, got ${text}`);
  return port;
}

function portAt(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Opens a link with the system's program for links. Failures are ignored, because the link is on the terminal too. */
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

/** Wraps a directory's store for serving: it resolves each key's real path and refuses links that lead out of the directory. */
export function withinDirectory(store: FileSystemStore): Store {
  const root = realpath(store.root);
  /** @throws StoreError for a key that leads out of the directory or contains ".."; missing files pass, for the store to handle */
  async function check(key: AbsolutePath): Promise<void> {
    const relative = key.endsWith("/") ? relativePrefix(key) : relativeKey(key);
    const found = await realpath(join(store.root, relative)).catch(() => undefined);
    const inside = await root;
    if (found !== undefined && found !== inside && !found.startsWith(inside + sep))
      throw new StoreError("a link leads out of the directory that is served", { key });
  }
  return {
    async get(key, options) {
      await check(key);
      return store.get(key, options);
    },
    async getRange(key, range, options) {
      await check(key);
      return store.getRange(key, range, options);
    },
    list: (options) => store.list(options),
    listPrefix: (prefix, options) => store.listPrefix(prefix, options),
    async listDir(prefix, options) {
      await check(prefix);
      return store.listDir(prefix, options);
    },
  };
}
