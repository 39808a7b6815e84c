const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const WORDS =
  /("[^"\n]*"?)|(\/\/.*)|\b(import|from|const|let|new|await|async|for|of|if|return|export|function)\b|\b(\d[\d.]*)\b/g;

/** A program as HTML, its words in the colours of the theme: light enough to run at each key. */
export function colored(program) {
  const escaped = program.replaceAll(/[&<>]/g, (letter) => ESCAPED[letter]);
  return escaped.replaceAll(WORDS, (all, text, comment, keyword) => {
    const kind = text ? "string" : comment ? "comment" : keyword ? "keyword" : "constant";
    return `<span class="is-${kind}">${all}</span>`;
  });
}
