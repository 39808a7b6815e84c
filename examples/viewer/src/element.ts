/**
 * `<wazarr-viewer>` as a script of a hosted viewer: the page in its frame is the one beside this module.
 *
 *     <script type="module" src="https://example.com/viewer/element.js"></script>
 *     <wazarr-viewer src="https://example.com/data.zarr" path="/t2m"></wazarr-viewer>
 */
import { defineViewer } from "wazarr/viewer";

defineViewer(new URL(/* @vite-ignore */ "index.html", import.meta.url));
