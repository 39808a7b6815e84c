/** Vite: a file's text, in Node and in the browser alike. */
declare module "*?raw" {
  const text: string;
  export default text;
}
