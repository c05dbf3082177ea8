import { connect, createServer, type Server, type Socket } from "node:net";

/** Where a connection goes. */
export interface TcpTarget {
  readonly host: string;
  readonly port: number;
}

/** A listening TCP proxy. */
export interface TcpProxy {
  /** Ends the listener and every connection through it. */
  close(): Promise<void>;
}

/**
 * Listens on an address and carries each connection to the target chosen for it at that moment; a
 * connection for which there is none is reset.
 *
 * @throws the system's error when the address can't be listened on.
 */
export async function startTcpProxy(options: {
  readonly host: string;
  readonly port: number;
  readonly chooseTarget: () => TcpTarget | undefined;
}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  // Half-open, so that a side that has said all it has to say still gets its answer.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    const target = options.chooseTarget();
    if (target === undefined) {
      client.on("error", () => client.destroy());
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ ...target, allowHalfOpen: true });
    keep(upstream);
    join(client, upstream);
    join(upstream, client);
  });
  await listen(server, options.host, options.port);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.setNoDelay(true);
  from.on("error", () => to.resetAndDestroy());
  from.on("close", () => to.destroySoon());
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
