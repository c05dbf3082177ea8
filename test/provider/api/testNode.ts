import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import type { StateHandlers } from "../../../provider/api/gen/cosi/resource/State";
import type { MachineServiceHandlers } from "../../../provider/api/gen/machine/MachineService";
import { protocol } from "../../../provider/api/protocol";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

/** What a test's node is. */
export interface TestNodeOptions {
  certificate: CertificateAndKey;
  /** Base64 PEM of the CA whose clients are let in; without it no client certificate is asked for. */
  clientCa?: string;
  machine?: Partial<MachineServiceHandlers>;
  state?: Partial<StateHandlers>;
  /** Default: a free one. */
  port?: number;
}

/** A gRPC server with Talos' services over TLS, reached through a TCP relay that counts connections. */
export interface TestNode {
  /** `127.0.0.1:port`. */
  readonly endpoint: string;
  readonly port: number;
  /** Connections that are open now. */
  openConnections(): number;
  /** What clients sent so far, TLS included. */
  bytesReceived(): number;
  /** Breaks all connections off, as a power cut does. */
  cut(): void;
  /** Lets nothing more through that clients of now send, as a slow network does for a while. */
  holdBack(): void;
  stop(): Promise<void>;
}

export async function startTestNode(options: TestNodeOptions): Promise<TestNode> {
  const server = new Server({ "grpc.max_receive_message_length": 32 * 1024 * 1024 });
  server.addService(protocol.machine.MachineService.service, handlers(options.machine));
  server.addService(protocol.cosi.resource.State.service, handlers(options.state));
  const { crt, key } = options.certificate;
  const port = await bind(
    server,
    ServerCredentials.createSsl(
      options.clientCa === undefined ? null : Buffer.from(fromBase64(options.clientCa)),
      [{ cert_chain: Buffer.from(fromBase64(crt)), private_key: Buffer.from(nodeKey(key)) }],
      options.clientCa !== undefined,
    ),
  );
  const relay = await startRelay(port, options.port);
  return {
    ...relay,
    stop: async () => {
      await relay.stop();
      server.forceShutdown();
    },
  };
}

/** A port that accepts connections and never says a word. */
export function startSilentServer(): Promise<TestNode> {
  return startRelay(undefined);
}

function handlers(given: UntypedServiceImplementation | object = {}): UntypedServiceImplementation {
  return { ...given };
}

function bind(server: Server, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

async function startRelay(targetPort: number | undefined, ownPort = 0): Promise<TestNode> {
  const open = new Set<Socket>();
  let bytes = 0;
  const relay = createServer((inbound) => {
    open.add(inbound);
    inbound.on("data", (data) => {
      bytes += data.length;
    });
    inbound.once("close", () => open.delete(inbound));
    inbound.on("error", () => inbound.destroy());
    if (targetPort === undefined) {
      inbound.resume();
      return;
    }
    const outbound = connect(targetPort, "127.0.0.1");
    outbound.on("error", () => inbound.destroy());
    outbound.once("close", () => inbound.destroy());
    inbound.once("close", () => outbound.destroy());
    inbound.pipe(outbound).pipe(inbound);
  });
  relay.listen(ownPort, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as AddressInfo;
  const cut = () => {
    for (const socket of open) {
      // libuv resets no socket whose end is already on its way, and Node would then leak it.
      if (socket.writableEnded) {
        socket.destroy();
      } else {
        socket.resetAndDestroy();
      }
    }
  };
  return {
    endpoint: `127.0.0.1:${port}`,
    port,
    openConnections: () => open.size,
    bytesReceived: () => bytes,
    cut,
    holdBack: () => {
      for (const socket of open) {
        socket.unpipe().pause();
      }
    },
    stop: async () => {
      cut();
      relay.close();
      await once(relay, "close");
    },
  };
}
