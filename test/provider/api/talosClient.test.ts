import { status, type sendUnaryData } from "@grpc/grpc-js";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { MachineServiceHandlers } from "../../../provider/api/gen/machine/MachineService";
import { TalosApiError } from "../../../provider/api/talosApiError";
import { TalosClient } from "../../../provider/api/talosClient";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { startTestNode, type TestNode, type TestNodeOptions } from "./testNode";
import { createOsCa, issueCredentials, issueServerCertificate } from "./testPki";

let ca: CertificateAndKey;
let certificate: CertificateAndKey;
let credentials: ClientCredentials;
const cleanups: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  ca = await createOsCa();
  certificate = await issueServerCertificate(ca);
  credentials = await issueCredentials(ca);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startNode(options: Partial<TestNodeOptions>): Promise<TestNode> {
  const node = await startTestNode({ certificate, clientCa: ca.crt, ...options });
  cleanups.push(() => node.stop());
  return node;
}

function connectTo(node: TestNode, options: { node?: string } = {}): TalosClient {
  const client = TalosClient.connect({ endpoint: node.endpoint, credentials, ...options });
  cleanups.push(() => client.close());
  return client;
}

async function connectToMachine(
  machine: Partial<MachineServiceHandlers>,
  options: { node?: string } = {},
): Promise<TalosClient> {
  return connectTo(await startNode({ machine }), options);
}

async function failureOf(call: Promise<unknown>): Promise<TalosApiError> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof TalosApiError) return failure;
  throw new Error(`expected a TalosApiError, got ${String(failure)}`);
}

function refuse(callback: sendUnaryData<never>, code: status, details: string): void {
  callback({ code, details });
}

describe("version", () => {
  it("tells what the node runs", async () => {
    const client = await connectToMachine({
      Version: (_, callback) =>
        callback(null, {
          messages: [
            {
              version: { tag: "v1.12.1", arch: "amd64" },
              platform: { name: "aws", mode: "cloud" },
            },
          ],
        }),
    });
    expect(await client.version()).toEqual({
      tag: "v1.12.1",
      architecture: "amd64",
      platform: "aws",
    });
  });

  it("fails where the reply holds no message", async () => {
    const client = await connectToMachine({ Version: (_, callback) => callback(null, {}) });
    expect(await failureOf(client.version())).toMatchObject({ code: "unknown", grpcCode: 2 });
  });
});

describe("applyConfiguration", () => {
  it("sends data, mode and dryRun as they are given", async () => {
    const received: unknown[] = [];
    const client = await connectToMachine({
      ApplyConfiguration: ({ request }, callback) => {
        received.push({ ...request, data: request.data.toString("utf8") });
        callback(null, { messages: [{ mode: "NO_REBOOT", warnings: ["old field"] }] });
      },
    });
    const result = await client.applyConfiguration({
      data: "machine: {} # ü",
      mode: "AUTO",
      dryRun: true,
    });
    await client.applyConfiguration({ data: "a", mode: "STAGED" });
    expect(result).toEqual({ mode: "NO_REBOOT", modeDetails: "", warnings: ["old field"] });
    expect(received).toEqual([
      { data: "machine: {} # ü", mode: "AUTO", dryRun: true, tryModeTimeout: null },
      { data: "a", mode: "STAGED", dryRun: false, tryModeTimeout: null },
    ]);
  });

  it("carries a configuration of several megabytes", async () => {
    let size = 0;
    const client = await connectToMachine({
      ApplyConfiguration: ({ request }, callback) => {
        size = request.data.length;
        callback(null, { messages: [{ mode: "REBOOT" }] });
      },
    });
    await client.applyConfiguration({ data: "#".repeat(8 * 1024 * 1024), mode: "REBOOT" });
    expect(size).toBe(8 * 1024 * 1024);
  });

  it("keeps configuration that the node quotes out of result and error", async () => {
    const diff = "--- a\n+++ b\n-  token: hunter2\n";
    const client = await connectToMachine({
      ApplyConfiguration: ({ request }, callback) => {
        if (request.mode === "AUTO") {
          const modeDetails = `Applied configuration with a reboot: why\ndiff:\n${diff}`;
          callback(null, { messages: [{ mode: "REBOOT", modeDetails }] });
        } else {
          refuse(callback, status.INVALID_ARGUMENT, `cannot be applied\ndiff:\n${diff}`);
        }
      },
    });
    const { modeDetails } = await client.applyConfiguration({ data: "a", mode: "AUTO" });
    expect(modeDetails).toMatch(/^Applied configuration with a reboot: why\ndiff: \(not shown/);
    const error = await failureOf(client.applyConfiguration({ data: "a", mode: "NO_REBOOT" }));
    expect(error.code).toBe("invalidArgument");
    expect(error.message).toContain("cannot be applied");
    const everything = `${String(error.stack)}${error.cause.message}${String(error.cause.stack)}${JSON.stringify(error.cause)}`;
    expect(everything).not.toContain("hunter2");
  });
});

describe("bootstrap", () => {
  it("calls once and maps an etcd that exists", async () => {
    let calls = 0;
    const client = await connectToMachine({
      Bootstrap: ({ request }, callback) => {
        calls += 1;
        expect(request.recoverEtcd).toBe(false);
        if (calls === 1) callback(null, { messages: [{}] });
        else refuse(callback, status.ALREADY_EXISTS, "etcd data directory is not empty");
      },
    });
    await client.bootstrap();
    const error = await failureOf(client.bootstrap());
    expect(error.code).toBe("alreadyExists");
    expect(error.message).toBe(
      'Talos node "127.0.0.1" refused machine.MachineService/Bootstrap: etcd data directory is not empty',
    );
    expect(calls).toBe(2);
  });

  it("is not repeated when the node goes down in the middle of it", async () => {
    let calls = 0;
    const node = await startNode({
      machine: {
        Bootstrap: () => {
          calls += 1;
          node.cut();
        },
      },
    });
    const error = await failureOf(connectTo(node).bootstrap());
    expect(error).toMatchObject({ code: "unreachable", grpcCode: 14 });
    await delay(100);
    expect(calls).toBe(1);
  });
});

describe("kubeconfig", () => {
  // As Talos sends it: no padding after the content, no end-of-archive blocks.
  const content = "apiVersion: v1\nkind: Config\nusers: [{name: admin}]\n";
  const header = Buffer.alloc(512);
  header.write("kubeconfig", 0);
  header.write("0000600\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  const archive = gzipSync(Buffer.concat([header, Buffer.from(content)]));

  it("reads the archive from a stream of pieces", async () => {
    const client = await connectToMachine({
      Kubeconfig: (call) => {
        for (const byte of archive) call.write({ bytes: Buffer.of(byte) });
        call.end();
      },
    });
    expect(await client.kubeconfig()).toBe(content);
  });

  it("fails where the stream ends early, and where the node reports an error in it", async () => {
    const replies = [
      { bytes: archive.subarray(0, 40) },
      { metadata: { error: "rpc error: code = Unknown desc = no key", status: { code: 2 } } },
    ];
    const client = await connectToMachine({
      Kubeconfig: (call) => {
        call.write(replies.shift() ?? {});
        call.end();
      },
    });
    expect((await failureOf(client.kubeconfig())).message).toContain("not gzip data");
    expect((await failureOf(client.kubeconfig())).message).toContain(
      "refused machine.MachineService/Kubeconfig: no key",
    );
  });

  it("fails with the status that ends the stream, also after data", async () => {
    const client = await connectToMachine({
      Kubeconfig: (call) => {
        call.write({ bytes: archive });
        call.emit("error", { code: status.UNIMPLEMENTED, details: "only on control plane nodes" });
      },
    });
    expect((await failureOf(client.kubeconfig())).code).toBe("unimplemented");
  });
});

describe("services and etcdMembers", () => {
  it("translates services, with and without health", async () => {
    const client = await connectToMachine({
      ServiceList: (_, callback) =>
        callback(null, {
          messages: [
            {
              services: [
                { id: "etcd", state: "Running", health: { healthy: true, lastMessage: "ok" } },
                { id: "machined", state: "Running" },
              ],
            },
          ],
        }),
    });
    expect(await client.services()).toEqual([
      { id: "etcd", state: "Running", healthy: true, healthUnknown: false, lastMessage: "ok" },
      { id: "machined", state: "Running", healthy: false, healthUnknown: true, lastMessage: "" },
    ]);
  });

  it("keeps all 64 bits of a member's id", async () => {
    const member = {
      id: "18446744073709551615",
      hostname: "cp-1",
      peerUrls: ["https://10.0.0.4:2380"],
      clientUrls: ["https://10.0.0.4:2379"],
      isLearner: true,
    };
    const client = await connectToMachine({
      EtcdMemberList: (_, callback) => callback(null, { messages: [{ members: [member] }] }),
    });
    expect(await client.etcdMembers()).toEqual([member]);
  });
});

describe("resources", () => {
  const resource = {
    metadata: {
      namespace: "config",
      type: "MachineConfigs.config.talos.dev",
      id: "v1alpha1",
      version: "3",
      phase: "running",
    },
    spec: { yamlSpec: "machine: {}\n" },
  };
  const expected = {
    namespace: "config",
    type: "MachineConfigs.config.talos.dev",
    id: "v1alpha1",
    version: "3",
    phase: "running",
    spec: "machine: {}\n",
  };
  const { namespace, type, id } = expected;

  it("gets one, and says when there is none", async () => {
    const node = await startNode({
      state: {
        Get: ({ request }, callback) =>
          request.id === id && request.type === type && request.namespace === namespace
            ? callback(null, { resource })
            : refuse(callback, status.NOT_FOUND, "resource doesn't exist"),
      },
    });
    const client = connectTo(node);
    expect(await client.getResource({ namespace, type, id })).toEqual(expected);
    const missing = client.getResource({ namespace, type, id: "other" });
    expect((await failureOf(missing)).code).toBe("notFound");
  });

  it("lists all, and none", async () => {
    const node = await startNode({
      state: {
        List: (call) => {
          if (call.request.namespace === namespace) {
            for (const name of ["a", "b"]) {
              call.write({
                resource: { ...resource, metadata: { ...resource.metadata, id: name } },
              });
            }
          }
          call.end();
        },
      },
    });
    const client = connectTo(node);
    expect(await client.listResources({ namespace, type })).toEqual([
      { ...expected, id: "a" },
      { ...expected, id: "b" },
    ]);
    expect(await client.listResources({ namespace: "other", type })).toEqual([]);
  });
});

describe("forwarding", () => {
  async function headersOf(options: { node?: string }): Promise<Record<string, unknown>> {
    let headers: Record<string, unknown> = {};
    const client = await connectToMachine(
      {
        Version: ({ metadata }, callback) => {
          headers = metadata.getMap();
          callback(null, { messages: [{}] });
        },
      },
      options,
    );
    await client.version();
    return headers;
  }

  it("asks for another node by the header node alone", async () => {
    const headers = await headersOf({ node: "10.0.0.5" });
    expect(headers).toMatchObject({ node: "10.0.0.5" });
    expect(headers).not.toHaveProperty("nodes");
  });

  it("asks for none where the endpoint is the node", async () => {
    expect(await headersOf({})).not.toHaveProperty("node");
    expect(await headersOf({ node: "127.0.0.1" })).not.toHaveProperty("node");
  });

  it("names node and endpoint in an error", async () => {
    const client = await connectToMachine(
      {
        Version: (_, callback) =>
          refuse(callback, status.UNAVAILABLE, "dial tcp 10.0.0.5:50000: connection refused"),
      },
      { node: "10.0.0.5" },
    );
    const error = await failureOf(client.version());
    expect(error).toMatchObject({ code: "unreachable", node: "10.0.0.5" });
    expect(error.message).toMatch(
      /^Talos node "10\.0\.0\.5" \(through 127\.0\.0\.1:\d+\) cannot be reached: dial tcp/,
    );
  });

  it("raises an error that a node put into its message", async () => {
    const client = await connectToMachine({
      ServiceList: (_, callback) =>
        callback(null, {
          messages: [
            {
              metadata: {
                hostname: "10.0.0.6",
                error: "rpc error: code = PermissionDenied desc = not authorized",
                status: { code: 7, message: "not authorized" },
              },
            },
          ],
        }),
    });
    expect(await failureOf(client.services())).toMatchObject({
      code: "permissionDenied",
      node: "10.0.0.6",
      grpcCode: 7,
      method: "machine.MachineService/ServiceList",
    });
  });
});

describe("calls", () => {
  it("end at their deadline", async () => {
    const client = await connectToMachine({ EtcdMemberList: () => undefined });
    const startMs = Date.now();
    const error = await failureOf(client.etcdMembers({ timeoutMs: 200 }));
    expect(error).toMatchObject({ code: "deadlineExceeded", grpcCode: 4 });
    expect(error.message).toContain("EtcdMemberList within 0.2 s");
    expect(Date.now() - startMs).toBeLessThan(2000);
  });

  it("have a deadline of 15 s where none is given", async () => {
    let deadlineMs = 0;
    const client = await connectToMachine({
      Version: (call, callback) => {
        deadlineMs = Number(call.getDeadline()) - Date.now();
        callback(null, { messages: [{}] });
      },
    });
    await client.version();
    expect(deadlineMs).toBeGreaterThan(13_000);
    expect(deadlineMs).toBeLessThan(15_100);
  });

  it.each(["unary", "stream"])("can be given up: %s", async (kind) => {
    const controller = new AbortController();
    const client = await connectToMachine({
      Version: () => controller.abort(),
      Kubeconfig: (call) => {
        call.write({ bytes: Buffer.of(1) });
        controller.abort();
      },
    });
    const { signal } = controller;
    const call = kind === "unary" ? client.version({ signal }) : client.kubeconfig({ signal });
    expect((await failureOf(call)).code).toBe("cancelled");
  });

  it("do not begin once they are given up or the client is closed", async () => {
    let calls = 0;
    const client = await connectToMachine({
      Version: (_, callback) => {
        calls += 1;
        callback(null, { messages: [{}] });
      },
    });
    const given = client.version({ signal: AbortSignal.abort() });
    expect((await failureOf(given)).code).toBe("cancelled");
    client.close();
    expect((await failureOf(client.version())).code).toBe("cancelled");
    expect(calls).toBe(0);
  });

  it("that run when the client is closed fail as cancelled", async () => {
    const client: TalosClient = await connectToMachine({ Version: () => client.close() });
    expect((await failureOf(client.version())).code).toBe("cancelled");
  });

  it("find a node again as soon as it is back", async () => {
    const version: MachineServiceHandlers["Version"] = (_, callback) =>
      callback(null, { messages: [{ version: { tag: "v1.12.1" } }] });
    const node = await startNode({ machine: { Version: version } });
    const client = connectTo(node);
    await client.version();
    node.cut();
    await delay(50);
    expect((await client.version()).tag).toBe("v1.12.1");
  });
});

describe("close", () => {
  it("leaves no connection open", async () => {
    const node = await startNode({
      machine: { Version: (_, callback) => callback(null, { messages: [{}] }) },
    });
    const clients = [connectTo(node), connectTo(node), connectTo(node)];
    await Promise.all(clients.map((client) => client.version()));
    expect(node.openConnections()).toBe(3);
    for (const client of clients) client.close();
    for (let tries = 0; node.openConnections() > 0 && tries < 100; tries += 1) await delay(10);
    expect(node.openConnections()).toBe(0);
  });
});
