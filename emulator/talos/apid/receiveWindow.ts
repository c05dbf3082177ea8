import type { Server } from "@grpc/grpc-js";
import type { Http2Server } from "node:http2";

/** Of one call. Source: Talos v1.12.1, pkg/grpc/factory/factory.go. */
const callBytes = 32 * 65_535;

/** Of all calls of a connection together. Source: the same. */
const connectionBytes = 16 * 65_535;

/**
 * Has a server let its clients send as much before it has read it as apid does. grpc-js has an option
 * for that on clients alone, so this reaches for the HTTP/2 servers that it keeps to itself.
 */
export function setReceiveWindow(server: Server): void {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> };
  for (const http2Server of http2Servers.keys()) {
    http2Server.on("session", (session) => {
      session.settings({ initialWindowSize: callBytes });
      session.setLocalWindowSize(connectionBytes);
    });
  }
}
