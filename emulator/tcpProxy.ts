import { connect, createServer, type Server, type Socket } from "node:net";

/** The target of a connection. */
export interface TcpTarget {
  readonly host: string;
  readonly port: number;
}

/** A listening TCP proxy. */
export interface TcpProxy {
  /** Closes the listener and all its connections. */
  close(): Promise<void>;
}

/**
 * Listens on an address and forwards each connection to a target that is chosen when it opens. Without a
 * target the connection is reset.
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
  // Half-open sockets let a side that has finished sending still receive the answer.
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
