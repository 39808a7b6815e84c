/** `wazarr serve`: a store in a browser on this machine. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { openStore } from "../../jobs/open-store.js";
import { FileSystemStore } from "../../stores/file-system.js";
import type { CommandLine } from "../arguments.js";
import { print } from "../output.js";
import { startServer } from "../serve/server.js";
import { withinDirectory } from "../serve/within.js";
import { parseNodeName } from "../stores.js";
import { UsageError } from "../usage.js";

const DEFAULT_PORT = 8421;

/** Runs until it is interrupted. */
export async function serve({ operands: [name = ""], options }: CommandLine): Promise<void> {
  const { store, path } = parseNodeName(name);
  const port = options.get("port");
  const host = options.get("host");
  const chosen = port === undefined ? undefined : portOf(String(port));
  const viewer = new URL("./viewer/", import.meta.url);
  const settings = { host: typeof host === "string" ? host : undefined, viewer };
  // Without a store there nothing would be seen but an empty page.
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

/** With the program that this system has for it; where there is none, the link is on the terminal. */
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
