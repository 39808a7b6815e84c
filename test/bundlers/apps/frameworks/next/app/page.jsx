import { read } from "../read.js";
import { Client } from "./client.jsx";

export const dynamic = "force-dynamic";

export default async function Page() {
  return (
    <>
      <p>On the server: {await read(process.env.DATA)}</p>
      <Client />
    </>
  );
}
