import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * The long way to a server at an address: what arrives at one port goes on to the other after a while,
 * and back as slowly. Ends with the process.
 *
 * @param delayMs for each direction
 */
export async function startSlowRelay(
  address: string,
  { port, to, delayMs }: { readonly port: number; readonly to: number; readonly delayMs: number },
): Promise<void> {
  const carry = (from: Socket, onto: Socket) => {
    const later = (act: () => void) => void setTimeout(act, delayMs);
    from.on("data", (bytes) => later(() => onto.write(bytes)));
    from.on("end", () => later(() => onto.end()));
    from.on("error", () => later(() => onto.destroy()));
  };
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: address, port: to, noDelay: true, allowHalfOpen: true });
    carry(client, upstream);
    carry(upstream, client);
  });
  server.listen(port, address);
  await once(server, "listening");
}
