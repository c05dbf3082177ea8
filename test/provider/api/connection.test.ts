import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createSecureContext, createServer, type TLSSocket } from "node:tls";
import { status } from "@grpc/grpc-js";
import { ConnectionPool } from "../../../provider/api/connectionPool";
import { parseEndpoint } from "../../../provider/api/endpoint";
import type { MachineServiceHandlers } from "../../../provider/api/gen/machine/MachineService";
import { NodeCaller } from "../../../provider/api/nodeCaller";
import { protocol } from "../../../provider/api/protocol";
import { TalosApiError } from "../../../provider/api/talosApiError";
import { TalosClient, type MaintenanceClient } from "../../../provider/api/talosClient";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { hasOpenssl, startOpensslServer } from "./opensslServer";
import { startSilentServer, startTestNode, type TestNode, type TestNodeOptions } from "./testNode";
import {
  createMaintenanceCertificate,
  createOsCa,
  issueCredentials,
  issueServerCertificate,
} from "./testPki";

let ca: CertificateAndKey;
let otherCa: CertificateAndKey;
let certificate: CertificateAndKey;
let credentials: ClientCredentials;
const cleanups: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  [ca, otherCa] = await Promise.all([createOsCa(), createOsCa()]);
  certificate = await issueServerCertificate(ca);
  credentials = await issueCredentials(ca);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup();
  }
});

/** Answers as apid does, by the roles in the client's certificate. */
const version: MachineServiceHandlers["Version"] = (call, callback) => {
  const subject = call.getAuthContext().sslPeerCertificate?.subject;
  if (subject?.O !== undefined && subject.O !== "os:admin") {
    callback({ code: status.PERMISSION_DENIED, details: "not authorized" });
  } else {
    callback(null, { messages: [{ version: { tag: "v1.12.1" } }] });
  }
};

async function startNode(options: Partial<TestNodeOptions> = {}): Promise<TestNode> {
  const node = await startTestNode({
    certificate,
    clientCa: ca.crt,
    machine: { Version: version },
    ...options,
  });
  cleanups.push(() => node.stop());
  return node;
}

async function startMaintenanceNode(machine: Partial<MachineServiceHandlers>): Promise<TestNode> {
  const node = await startTestNode({ certificate: await createMaintenanceCertificate(), machine });
  cleanups.push(() => node.stop());
  return node;
}

function dial(endpoint: string, given: ClientCredentials = credentials): TalosClient {
  const client = TalosClient.connect({ endpoint, credentials: given });
  cleanups.push(() => client.close());
  return client;
}

function dialInsecure(endpoint: string): MaintenanceClient {
  const client = TalosClient.connectInsecure({ endpoint });
  cleanups.push(() => client.close());
  return client;
}

async function failureOf(call: Promise<unknown>): Promise<TalosApiError> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof TalosApiError) {
    return failure;
  }
  throw new Error(`expected a TalosApiError, got ${String(failure)}`);
}

async function untilClosed(node: TestNode): Promise<void> {
  for (let tries = 0; node.openConnections() > 0 && tries < 6_000; tries += 1) {
    await delay(10);
  }
  expect(node.openConnections()).toBe(0);
}

describe("mutual TLS", () => {
  it("dials by address", async () => {
    const node = await startNode();
    expect((await dial(node.endpoint).version()).tag).toBe("v1.12.1");
  });

  it("dials by name", async () => {
    const named = await issueServerCertificate(ca, { dnsNames: ["localhost"], ipAddresses: [] });
    const node = await startNode({ certificate: named });
    expect((await dial(`localhost:${node.port}`).version()).tag).toBe("v1.12.1");
  });

  it.each([
    ["localhost", "localhost"],
    ["127.0.0.1", false],
  ])("asks for the name %s by SNI, but never for an address", async (host, expected) => {
    const both = await issueServerCertificate(ca, { dnsNames: ["localhost"] });
    const server = createServer({
      cert: fromBase64(both.crt),
      key: nodeKey(both.key),
      // Without it Node's server does not read the name.
      SNICallback: (_, callback) => callback(null),
    });
    server.listen(0, host);
    cleanups.push(() => void server.close());
    await once(server, "listening");
    const asked = once(server, "secureConnection") as Promise<
      [TLSSocket & { servername: unknown }]
    >;
    const { port } = server.address() as AddressInfo;
    const call = failureOf(dial(`${host}:${port}`).version());
    const [socket] = await asked;
    expect(socket.servername).toBe(expected);
    socket.destroy();
    await call;
  });

  it("reports that a role does not suffice", async () => {
    const node = await startNode();
    const reader = await issueCredentials(ca, { roles: ["os:reader"] });
    const error = await failureOf(dial(node.endpoint, reader).version());
    expect(error).toMatchObject({ code: "permissionDenied", grpcCode: 7 });
    expect(error.message).toContain(
      "not authorized; use client credentials with a role that allows it",
    );
  });

  it("sends nothing to a server of another CA", async () => {
    let calls = 0;
    const node = await startNode({
      certificate: await issueServerCertificate(otherCa),
      clientCa: otherCa.crt,
      machine: { ApplyConfiguration: () => void (calls += 1) },
    });
    const data = "#".repeat(100_000);
    const error = await failureOf(dial(node.endpoint).applyConfiguration({ data, mode: "AUTO" }));
    expect(error).toMatchObject({ code: "wrongCluster", grpcCode: 14, node: "127.0.0.1" });
    expect(error.message).toContain("its certificate was not issued by the CA of this cluster");
    expect(calls).toBe(0);
    expect(node.bytesReceived()).toBeLessThan(5_000);
  });

  it("does not trust a self-signed server", async () => {
    const node = await startNode({ certificate: otherCa, clientCa: otherCa.crt });
    expect((await failureOf(dial(node.endpoint).version())).code).toBe("wrongCluster");
  });

  it("names the certificate's hosts if it is not valid for the endpoint", async () => {
    const elsewhere = await issueServerCertificate(ca, { ipAddresses: ["10.0.0.9"] });
    const node = await startNode({ certificate: elsewhere });
    const error = await failureOf(dial(node.endpoint).version());
    expect(error.code).toBe("nameNotInCertificate");
    expect(error.message).toContain(
      'does not name the address "127.0.0.1"; dial what it names (DNS:node-1, IP',
    );
    expect(error.message).toContain('add "127.0.0.1" to machine.certSANs');
  });

  it("rejects a server whose certificate is expired or not valid yet", async () => {
    for (const [from, to] of [
      [-7_200_000, -3_600_000],
      [3_600_000, 7_200_000],
    ] as const) {
      const node = await startNode({
        certificate: await issueServerCertificate(ca, {
          notBefore: new Date(Date.now() + from),
          notAfter: new Date(Date.now() + to),
        }),
      });
      const error = await failureOf(dial(node.endpoint).version());
      expect(error.code).toBe("serverCertificateInvalid");
    }
  });

  it("is recognised as required by a server that gets no client certificate", async () => {
    const node = await startNode();
    const endpoint = parseEndpoint(node.endpoint);
    const secureContext = createSecureContext({ ca: fromBase64(ca.crt) });
    const caller = new NodeCaller({
      endpoints: [endpoint],
      identity: { expected: "clusterNode", secureContext, fingerprint: "nobody" },
      pool: new ConnectionPool(),
    });
    cleanups.push(() => caller.close());
    const { Version } = protocol.machine.MachineService.service;
    const plan = { target: { node: endpoint.host }, method: Version, call: undefined };
    const error = await failureOf(caller.unary(plan, {}));
    expect(error).toMatchObject({ code: "certificateRequired", grpcCode: 14 });
  });

  it("is retried if the server closes without a reason", async () => {
    const node = await startNode();
    const stranger = { ...(await issueCredentials(otherCa)), ca: ca.crt };
    const error = await failureOf(dial(node.endpoint, stranger).version());
    expect(error.code).toBe("unreachable");
  });
});

const withOpenssl = hasOpenssl() ? describe : describe.skip;

withOpenssl("a server's TLS alert (openssl s_server)", () => {
  it("48 says that the client certificate is of another CA", async () => {
    const server = await startOpensslServer({ certificate, clientCa: ca.crt });
    cleanups.push(() => server.stop());
    const stranger = { ...(await issueCredentials(otherCa)), ca: ca.crt };
    const error = await failureOf(dial(server.endpoint, stranger).version());
    expect(error).toMatchObject({ code: "wrongCluster", grpcCode: 14 });
    expect(error.message).toContain("does not know the CA of the client certificate");
  });

  it("45 says that the client certificate has expired", async () => {
    const server = await startOpensslServer({ certificate, clientCa: ca.crt });
    cleanups.push(() => server.stop());
    const expired = await issueCredentials(ca, { agoHours: 10 });
    const error = await failureOf(dial(server.endpoint, expired).version());
    expect(error).toMatchObject({ code: "certificateExpired", grpcCode: 14 });
  });
});

describe("maintenance mode", () => {
  it("accepts a configuration without authentication", async () => {
    let received = "";
    const node = await startMaintenanceNode({
      ApplyConfiguration: ({ request }, callback) => {
        received = request.data.toString();
        callback(null, { messages: [{}] });
      },
    });
    const client = dialInsecure(node.endpoint);
    await client.applyConfiguration({ data: "machine: {}", mode: "AUTO" });
    expect(received).toBe("machine: {}");
    expect((await failureOf(client.version())).code).toBe("unimplemented");
  });

  it("is recognised by a client that expects a configured node", async () => {
    const node = await startMaintenanceNode({ Version: version });
    const error = await failureOf(dial(node.endpoint).version());
    expect(error).toMatchObject({ code: "notConfigured", grpcCode: 14 });
    expect(error.message).toMatch(
      /^Talos node "127\.0\.0\.1" answered at 127\.0\.0\.1:\d+, but it is in maintenance mode/,
    );
  });

  it.each(["of the cluster", "of a stranger"])(
    "is required of a server %s before it gets an unauthenticated configuration",
    async (kind) => {
      let calls = 0;
      const node = await startTestNode({
        certificate: kind === "of the cluster" ? certificate : otherCa,
        machine: { ApplyConfiguration: () => void (calls += 1) },
      });
      cleanups.push(() => node.stop());
      const data = "#".repeat(100_000);
      const client = dialInsecure(node.endpoint);
      const error = await failureOf(client.applyConfiguration({ data, mode: "AUTO" }));
      expect(error.code).toBe("alreadyConfigured");
      expect(calls).toBe(0);
      expect(node.bytesReceived()).toBeLessThan(5_000);
    },
  );
});

describe("no connection", () => {
  it("at a port where nothing listens", async () => {
    const node = await startNode();
    await node.stop();
    const error = await failureOf(dial(node.endpoint).version());
    expect(error).toMatchObject({ code: "unreachable", grpcCode: 14 });
    expect(error.message).toContain(
      `cannot be reached at ${node.endpoint}: nothing listens there (connection refused)`,
    );
    const byName = await failureOf(dial(`localhost:${node.port}`).version());
    expect(byName.message).toContain("nothing listens there (connection refused)");
  });

  it("to a server that listens and stays silent, which ends with the deadline", async () => {
    const server = await startSilentServer();
    cleanups.push(() => server.stop());
    const client = dial(server.endpoint);
    const error = await failureOf(client.version({ timeoutMs: 2_000 }));
    expect(error).toMatchObject({ code: "unreachable", grpcCode: 4 });
    expect(error.message).toContain("did not finish the TLS handshake within 2 s");
    await untilClosed(server);
  });

  it("to a machine that drops packets, which ends with the deadline and leaves no socket", async () => {
    const port = await startDeafServer();
    const before = countSockets();
    const client = dial(`127.0.0.1:${port}`);
    const error = await failureOf(client.version({ timeoutMs: 300 }));
    expect(error).toMatchObject({ code: "unreachable", grpcCode: 4 });
    expect(error.message).toContain("no connection within 0.3 s");
    for (let tries = 0; countSockets() > before && tries < 6_000; tries += 1) {
      await delay(10);
    }
    expect(countSockets()).toBe(before);
  });

  it("is retried by the next call", async () => {
    const first = await startNode();
    const client = dial(first.endpoint);
    await client.version();
    await first.stop();
    expect((await failureOf(client.version())).code).toBe("unreachable");
    expect((await failureOf(client.version())).code).toBe("unreachable");
    const second = await startNode({ port: first.port });
    expect(second.port).toBe(first.port);
    expect((await client.version()).tag).toBe("v1.12.1");
  });

  it("is kept to a rejected server", async () => {
    const node = await startNode({ certificate: otherCa });
    await failureOf(dial(node.endpoint).version());
    await untilClosed(node);
  });
});

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => /^TCP(Socket|Connect)Wrap$/.test(kind))
    .length;
}

/**
 * A port whose queue of connections is full and never emptied, so that the kernel drops what else
 * comes: how a machine behind a firewall looks.
 */
async function startDeafServer(): Promise<number> {
  const script = `const server = require("node:net").createServer();
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  cleanups.push(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  child.kill("SIGSTOP");
  await delay(50);
  const fillers = Array.from({ length: 8 }, () => connect(port, "127.0.0.1"));
  for (const filler of fillers) {
    filler.on("error", () => filler.destroy());
    cleanups.push(() => void filler.destroy());
  }
  await delay(100);
  return port;
}
