import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

/** A port nothing listens on right now. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Sends a text, ends, and reads everything that comes back. */
export function fetchText(host: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let answer = "";
    socket.setEncoding("utf8");
    socket.setTimeout(60_000, () => socket.destroy(new Error("no answer within 60 s")));
    socket.on("data", (part: string) => (answer += part));
    socket.once("end", () => resolve(answer));
    socket.once("error", reject);
    socket.end(text);
  });
}
