/** A group, with what its links lead to. */
import { isZarrError, StoreError, UnsupportedError } from "../../../core/for-stores.js";
import { groupDocument } from "../documents.js";
import type { VirtualGroup, VirtualNode } from "../port.js";
import { datasetArray } from "./dataset.js";
import { isPureDimension, type Scope } from "./dimensions.js";
import type { Link } from "./link.js";
import { findLink, readLinks } from "./links.js";
import { attributesOf, type Hdf5Object, type Hdf5Objects } from "./objects.js";
import { lazyOnce } from "./once.js";

/** Soft links that one name may lead through. */
const MOST_HOPS = 32;
/** What the keys of a store cannot have as a part. */
const NO_NAME = /^\.{0,2}$|[/\0\ud800-\udfff]/u;

export class Hdf5Group implements VirtualGroup, Scope {
  readonly kind = "group";
  readonly parent: Hdf5Group | undefined;
  readonly #objects: Hdf5Objects;
  readonly #object: Hdf5Object;
  /** With a "/" at its end. */
  readonly #path: string;
  readonly #links: () => Promise<ReadonlyMap<string, Link>>;
  #known: ReadonlyMap<string, Link> | undefined;
  readonly #names: () => Promise<readonly string[]>;
  readonly #byAddress: () => Promise<ReadonlyMap<number, string>>;
  readonly #children = new Map<string, Promise<VirtualNode | undefined>>();

  constructor(objects: Hdf5Objects, object: Hdf5Object, path: string, parent: Hdf5Group | undefined) {
    this.#objects = objects;
    this.#object = object;
    this.#path = path;
    this.parent = parent;
    this.#links = lazyOnce(async () => {
      const links = await readLinks(objects.file, object.header);
      this.#known = new Map(links.map((link) => [link.name, link]));
      return this.#known;
    });
    this.#names = lazyOnce(() => this.#findNames());
    this.#byAddress = lazyOnce(async () => {
      const names = new Map<number, string>();
      for (const link of (await this.#links()).values())
        if (link.kind === "hard" && !names.has(link.address)) names.set(link.address, link.name);
      return names;
    });
  }

  async document() {
    return groupDocument(await attributesOf(this.#objects, this.#object));
  }

  names(): Promise<readonly string[]> {
    return this.#names();
  }

  namesByAddress(): Promise<ReadonlyMap<number, string>> {
    return this.#byAddress();
  }

  child(name: string): Promise<VirtualNode | undefined> {
    const known = this.#children.get(name);
    if (known !== undefined) return known;
    const found = this.#find(name);
    // Names that do not exist are not remembered: there is no end of them.
    found.then(
      (node) => node ?? this.#children.delete(name),
      () => this.#children.delete(name),
    );
    this.#children.set(name, found);
    return found;
  }

  async #find(name: string): Promise<VirtualNode | undefined> {
    const address = await this.#follow(name, MOST_HOPS);
    return address === undefined ? undefined : this.#node(name, address);
  }

  async #node(name: string, address: number): Promise<VirtualNode | undefined> {
    const path = `${this.#path}${name}`;
    for (let above: Hdf5Group | undefined = this; above !== undefined; above = above.parent)
      if (above.#object.address === address)
        throw new UnsupportedError("HDF5: a link to a group that it is in is not followed", { path });
    const object = await this.#objects.at(address);
    if (object.kind === "data type") return undefined;
    if (object.kind === "group") return new Hdf5Group(this.#objects, object, `${path}/`, this);
    return datasetArray(this.#objects, object, path, this);
  }

  /** All links, if they are known; otherwise this one alone. */
  async #link(name: string): Promise<Link | undefined> {
    if (this.#known !== undefined) return this.#known.get(name);
    return findLink(this.#objects.file, this.#object.header, name);
  }

  /** The address of a hard link of this name. */
  async addressOf(name: string): Promise<number | undefined> {
    const link = await this.#link(name);
    return link?.kind === "hard" ? link.address : undefined;
  }

  /** The address that a name leads to; undefined if there is none. */
  async #follow(name: string, hops: number): Promise<number | undefined> {
    const link = await this.#link(name);
    if (link === undefined) return undefined;
    const path = `${this.#path}${name}`;
    if (link.kind === "hard") return link.address;
    if (link.kind === "foreign")
      throw new UnsupportedError(`HDF5: external links are not followed (to ${JSON.stringify(link.to)})`, {
        path,
      });
    if (hops === 0) throw new StoreError(`HDF5, ${path}: more than ${MOST_HOPS} soft links in a row`);
    const isAbsolute = link.to.startsWith("/");
    let group: Hdf5Group = this;
    while (isAbsolute && group.parent !== undefined) group = group.parent;
    const segments = link.to.split("/").filter((segment) => segment !== "" && segment !== ".");
    const last = segments.pop();
    if (last === undefined) return group.#object.address;
    for (const segment of segments) {
      const address = await group.#follow(segment, hops - 1);
      if (address === undefined) return undefined;
      const object = await this.#objects.at(address);
      if (object.kind !== "group") return undefined;
      group = new Hdf5Group(this.#objects, object, `${group.#path}${segment}/`, group);
    }
    return group.#follow(last, hops - 1);
  }

  /**
   * What can be read: a link to another file, a data type without a counterpart or an unknown filter would
   * otherwise keep a reader of the whole group from all the rest. Opened by name, these say why.
   */
  async #findNames(): Promise<readonly string[]> {
    const names = [...(await this.#links()).keys()].filter((name) => !NO_NAME.test(name));
    const found = await Promise.all(names.map(async (name) => ((await this.#isListed(name)) ? [name] : [])));
    return found.flat();
  }

  async #isListed(name: string): Promise<boolean> {
    try {
      const node = await this.child(name);
      if (node === undefined) return false;
      if (node.kind === "group") return true;
      const address = await this.#follow(name, MOST_HOPS);
      if (address === undefined || (await isPureDimension(this.#objects, await this.#objects.at(address))))
        return false;
      await node.document();
      return true;
    } catch (error) {
      if (isZarrError(error, "UnsupportedError")) return false;
      throw error;
    }
  }
}
