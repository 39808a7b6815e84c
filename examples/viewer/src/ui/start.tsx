/** What the page shows before anything is open, while it opens, and in place of a picture. */
import { openExample } from "../open/open-source.js";
import { act, problems } from "../session.js";
import { EXAMPLES } from "../sources/examples.js";
import { Notice } from "./notice.js";
import { OpenForm } from "./open-form.js";
import { ProblemList } from "./problems.js";

export function Start() {
  return (
    <main class="sheet">
      <div class="start">
        <h1>Look at Zarr data</h1>
        <p id="words">
          Give an address, drop a folder or a file on this page, or choose an example. NetCDF, HDF5, GRIB 2
          and COG files open, too. Nothing is uploaded: this page reads them itself.
        </p>
        <ProblemList />
        <OpenForm />
        <h2 class="meta">Examples, made in this page</h2>
        <div class="examples">
          {EXAMPLES.map(({ title, about, picture }, i) => (
            <button type="button" class="card" key={title} onClick={() => openExample(i)}>
              <img class="thumb" src={picture} alt="" />
              <span class="body">
                <span class="name">{title}</span>
                <span class="meta">{about}</span>
              </span>
            </button>
          ))}
        </div>
      </div>
    </main>
  );
}

export function Opening() {
  const [problem] = problems.value;
  return (
    <main class="sheet" aria-busy={!problem}>
      {problem ? (
        <Notice problem={problem} />
      ) : (
        <>
          <p class="meta">Opening…</p>
          <div class="card-grid" aria-hidden="true">
            {[0, 1, 2, 3].map((each) => (
              <div class="card" key={each}>
                <div class="thumb skeleton" />
                <div class="body">&nbsp;</div>
              </div>
            ))}
          </div>
        </>
      )}
    </main>
  );
}

export function Words() {
  const shown = act.value;
  return (
    <main class="sheet beside">
      <div class="said">
        <p id="words">{shown.kind === "words" ? shown.words : ""}</p>
        <ProblemList />
      </div>
    </main>
  );
}
