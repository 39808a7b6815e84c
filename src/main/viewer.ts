/**
 * Shows data in any page, in the element `<wazarr-viewer>`.
 *
 * ```ts
 * import { defineViewer } from "wazarr/viewer";
 *
 * defineViewer("/wazarr/viewer/index.html");
 * document.body.innerHTML = `<wazarr-viewer src="https://example.com/data.zarr" path="/t2m"></wazarr-viewer>`;
 * ```
 * @module
 */

/** Attributes that the element follows. */
const OBSERVED: readonly string[] = ["src", "path"];

const STYLE = `:host { display: block; height: 480px }
iframe { width: 100%; height: 100%; border: 0; display: block }`;

/**
 * Defines `<wazarr-viewer>`, once for a page; further calls do nothing.
 *
 * ```js
 * import { defineViewer } from "wazarr/viewer";
 * defineViewer("/wazarr/viewer/index.html");
 * document.body.innerHTML = `<wazarr-viewer src="https://example.com/data.zarr" path="/t2m"></wazarr-viewer>`;
 * ```
 *
 * `src` is the address of the data, relative to the page, or a link that *Share* copied; `path` is the node
 * in it. The element is a frame, so the styles and scripts of the viewer and of the page do not meet; CSS
 * gives it its height, 480 pixels by default.
 *
 * @param page address of the viewer, relative to the page: `viewer/index.html` of a copy of `wazarr/dist`
 */
export function defineViewer(page: string | URL): void {
  if (customElements.get("wazarr-viewer") !== undefined) return;

  class WazarrViewer extends HTMLElement {
    static readonly observedAttributes = OBSERVED;
    readonly #frame = document.createElement("iframe");

    constructor() {
      super();
      const style = document.createElement("style");
      style.textContent = STYLE;
      this.#frame.allow = "clipboard-write; fullscreen";
      this.attachShadow({ mode: "open" }).append(style, this.#frame);
    }

    attributeChangedCallback(): void {
      const source = this.getAttribute("src");
      if (source === null) {
        this.#frame.removeAttribute("src");
        return;
      }
      this.#frame.title = this.getAttribute("title") ?? `Data at ${source}`;
      this.#frame.src = isLink(source) ? source : this.#linkTo(source);
    }

    #linkTo(source: string): string {
      // A relative address is one of this page, not of the viewer's.
      const url = /^[\w+.-]+:/.test(source) ? source : new URL(source, document.baseURI).href;
      const path = this.getAttribute("path");
      const state = new URLSearchParams({ url, ...(path === null ? {} : { path }), embed: "1" });
      return new URL(`#${state}`, new URL(page, document.baseURI)).href;
    }
  }

  customElements.define("wazarr-viewer", WazarrViewer);
}

/** A link of a hosted viewer names its page already. */
const isLink = (source: string): boolean => source.includes("#url=") || source.includes("?url=");
