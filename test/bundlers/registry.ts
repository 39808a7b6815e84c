/** A registry of npm with a few packages, so that package managers ask for them by name as users' do. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

export interface PublishedPackage {
  readonly manifest: { readonly name: string; readonly version: string };
  /** Path of its .tgz. */
  readonly tarball: string;
}

export interface Registry {
  readonly url: string;
  /** Names that were asked for and are not there. */
  readonly missing: ReadonlySet<string>;
  close(): void;
}

export async function startRegistry(packages: readonly PublishedPackage[]): Promise<Registry> {
  const missing = new Set<string>();
  let url = "";
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(1);
    const one = packages.find(({ manifest: { name } }) => path === name || path === `${name}.tgz`);
    if (one === undefined) {
      missing.add(path);
      response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
    } else if (path.endsWith(".tgz")) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(readFileSync(one.tarball));
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document(one, url)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("expected an address");
  url = `http://127.0.0.1:${address.port}/`;
  return { url, missing, close: () => server.close() };
}

/** What a registry tells of a package with one version. */
function document({ manifest, tarball }: PublishedPackage, url: string): object {
  const bytes = readFileSync(tarball);
  const digest = (algorithm: string) => createHash(algorithm).update(bytes);
  const { name, version } = manifest;
  const dist = {
    tarball: `${url}${name}.tgz`,
    shasum: digest("sha1").digest("hex"),
    integrity: `sha512-${digest("sha512").digest("base64")}`,
  };
  // Package managers refuse what was published within the last days.
  const time = "2020-01-01T00:00:00.000Z";
  return {
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { created: time, modified: time, [version]: time },
  };
}
