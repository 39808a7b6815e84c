/** Pictures that are built into the code. */
declare module "*.webp" {
  const address: string;
  export default address;
}
