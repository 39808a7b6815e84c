/**
 * The viewer as an element of any page:
 *
 *     <script type="module" src="https://example.com/viewer/element.js"></script>
 *     <wazarr-viewer src="https://example.com/data.zarr" path="/t2m"></wazarr-viewer>
 *
 * `src` is the address of data, or a link of the viewer, which shows just that. The page reads nothing: the viewer
 * is in a frame, whose styles and scripts are its own.
 */
/** The viewer is beside this module. */
const HERE: string = import.meta.url;

class WazarrViewer extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ["src", "path"];
  readonly #frame = document.createElement("iframe");

  constructor() {
    super();
    const style = document.createElement("style");
    style.textContent =
      ":host { display: block; height: 480px } iframe { width: 100%; height: 100%; border: 0; display: block }";
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
    this.#frame.src = this.#linkTo(source);
  }

  /** A link of a viewer stays what it is; data are shown by the viewer beside this module. */
  #linkTo(source: string): string {
    if (source.includes("#url=") || source.includes("?url=")) return source;
    // A relative address is one of this page, not of the viewer.
    const url = /^[\w+.-]+:/.test(source) ? source : new URL(source, document.baseURI).href;
    const path = this.getAttribute("path");
    const state = new URLSearchParams({ url, ...(path === null ? {} : { path }), embed: "1" });
    return new URL(`index.html#${state}`, HERE).href;
  }
}

customElements.define("wazarr-viewer", WazarrViewer);
