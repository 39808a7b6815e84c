/** The browser's Cache Storage in memory, as far as answers of stores need it. */

export class MemoryCache {
  readonly responses = new Map<
    string,
    { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers }
  >();
  /** Called before an answer is kept: it may throw, as a browser without space does. */
  onPut: () => void = () => {};

  async keys() {
    return Array.from(this.responses.keys(), (url) => ({ url }));
  }

  async match(url: string): Promise<Response | undefined> {
    const found = this.responses.get(url);
    return found && new Response(found.body, { headers: found.headers });
  }

  async put(url: string, response: Response): Promise<void> {
    this.onPut();
    this.responses.set(url, {
      body: new Uint8Array(await response.arrayBuffer()),
      headers: response.headers,
    });
  }

  async delete(url: string): Promise<boolean> {
    return this.responses.delete(url);
  }

  /** Bytes of all bodies. */
  get bytes(): number {
    return Array.from(this.responses.values()).reduce((total, { body }) => total + body.length, 0);
  }
}

export class MemoryCaches {
  readonly opened = new Map<string, MemoryCache>();

  async open(name: string): Promise<MemoryCache> {
    const cache = this.opened.get(name) ?? new MemoryCache();
    this.opened.set(name, cache);
    return cache;
  }

  async keys(): Promise<string[]> {
    return [...this.opened.keys()];
  }

  async delete(name: string): Promise<boolean> {
    return this.opened.delete(name);
  }
}
