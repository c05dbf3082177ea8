import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The long ways to some servers: what arrives at one port of an address goes on to the other, later. */
export interface SlowNetworkOptions {
  readonly addresses: readonly string[];
  /** Where to dial to go the long way. */
  readonly port: number;
  /** Where the servers listen. */
  readonly to: number;
  /** For each direction. */
  readonly delayMs: number;
}

/**
 * Starts one in a process of its own, as packets on their way wait for no machine's processor. Ends
 * with this process.
 *
 * @param program what runs `serveSlowNetwork` when its first argument is `network`
 */
export async function startSlowNetwork(
  program: string,
  options: SlowNetworkOptions,
): Promise<void> {
  const child = fork(program, ["network", JSON.stringify(options)]);
  await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`the slow network ended with ${String(code)}`);
    }),
  ]);
}

/** Is the process that was started. */
export async function serveSlowNetwork(options: string): Promise<void> {
  const { addresses, port, to, delayMs } = JSON.parse(options) as SlowNetworkOptions;
  process.on("disconnect", () => process.exit());
  for (const address of addresses) {
    await relay(address, { port, to, delayMs });
  }
  process.send?.("ready");
}

async function relay(
  address: string,
  { port, to, delayMs }: Omit<SlowNetworkOptions, "addresses">,
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
