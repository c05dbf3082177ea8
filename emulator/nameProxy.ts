import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** The class URL takes a name that ends in a number for an address, and refuses that of an account. */
const PLAIN_TARGET = /^http:\/\/([\w.-]+)(?::(\d+))?(\/.*)?$/;
const OF_AN_ACCOUNT = /^\d{12}\.(127(?:\.\d+){3})$/;

/** A proxy that knows the emulated cloud's names. */
export interface NameProxy {
  /** For `HTTPS_PROXY` and `HTTP_PROXY`, on a free port of 127.0.0.1. */
  readonly url: string;
  /** Ends it and its connections. */
  readonly close: () => Promise<void>;
}

/**
 * Serves CONNECT, for programs that reach the Kubernetes API by name and look names up in the
 * system's DNS. These are kubectl, Helm and Pulumi's Kubernetes provider. They read `HTTPS_PROXY`.
 * Other names are connected to as the computer itself would. The encrypted connection passes
 * unchanged. Source: RFC 9110, section 9.3.6. Plain requests pass, too.
 *
 * @param resolve returns the addresses of a name in the cloud, none for an unknown one
 */
export async function startNameProxy(
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<NameProxy> {
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer((from, to) => void forward(from, to, resolve));
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(client);
    client.on("error", () => client.destroy());
    const { hostname, port } = targetOf(request.url ?? "");
    void resolve(hostname)
      .catch((): string[] => [])
      .then(([address = hostname]) => {
        if (!client.destroyed) {
          keep(tunnel(client, head, connect(port, address)));
        }
      });
  });
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", done);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
        for (const socket of sockets) {
          socket.destroy();
        }
      }),
  };
}

/**
 * Passes a plain request on. AWS' clients of S3 Control put an account's number before the address that they
 * are given: `123456789012.127.0.0.1`, which no DNS knows. Source: RFC 9112, section 3.2.2.
 */
async function forward(
  from: IncomingMessage,
  to: ServerResponse,
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<void> {
  const [, name, port = "80", path = "/"] = PLAIN_TARGET.exec(from.url ?? "") ?? [];
  if (name === undefined) {
    to.writeHead(405, { allow: "CONNECT" }).end();
    return;
  }
  const own = OF_AN_ACCOUNT.exec(name)?.[1];
  const [host = name] = own === undefined ? await resolve(name).catch(() => []) : [own];
  const { method, headers } = from;
  const onward = request({ host, port, method, path, headers });
  onward.once("response", (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  onward.once("error", () => (to.headersSent ? to.destroy() : to.writeHead(502).end()));
  from.pipe(onward);
}

/** Joins a client with its target. Until the target accepts, an error is the proxy's answer. */
function tunnel(client: Duplex, head: Buffer, target: Socket): Socket {
  const refuse = (error: Error) => {
    client.end(
      `HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nx-reason: ${error.message}\r\n\r\n`,
    );
  };
  target.once("error", refuse);
  target.once("connect", () => {
    target.off("error", refuse);
    target.on("error", () => client.destroy());
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    target.write(head);
    target.pipe(client).pipe(target);
  });
  client.once("close", () => target.destroy());
  return target;
}

/** The host and the port of `name:443` or `[::1]:443`. */
function targetOf(authority: string): { readonly hostname: string; readonly port: number } {
  const [, bracketed, plain = "", port = "443"] =
    /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(authority) ?? [];
  return { hostname: bracketed ?? plain, port: Number(port) };
}
