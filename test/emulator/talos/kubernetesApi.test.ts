import { request, type RequestOptions } from "node:https";
import { connect, type SecureVersion } from "node:tls";
import { gunzipSync } from "node:zlib";
import { parse } from "yaml";
import { protocol } from "../../../provider/api/protocol";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const cosi = protocol.cosi.resource.State.service;
const tableForm = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

interface Answer {
  readonly code: number | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

// `tls-min-version` in k8s/control_plane_final.go, v1.14.1.
describe.each([
  ["v1.13.9", "TLSv1.2"],
  ["v1.14.1", "TLSv1.3"],
])("an API server of Talos %s", (talosVersion, oldest) => {
  test(`speaks ${oldest} and newer`, async () => {
    const cluster = await SimulatedCluster.create();
    cluster.talosVersion = talosVersion;
    const [node] = await cluster.addConfigured(1);
    if (node === undefined) {
      throw new Error("there is no machine");
    }
    await cluster.bootstrap(node, 1);
    const speaks = (version: SecureVersion) =>
      new Promise<boolean>((resolve) => {
        const options = { minVersion: version, maxVersion: version, rejectUnauthorized: false };
        const socket = connect({ host: node.address, port: 6443, ...options });
        socket.once("secureConnect", () => resolve(true));
        socket.once("error", () => resolve(false));
        socket.once("close", () => resolve(false));
        void socket.resume();
      });
    await eventually(() => speaks("TLSv1.3"));
    expect(await speaks("TLSv1.2")).toBe(oldest === "TLSv1.2");
    await cluster.stop();
  });
});

describe("the Kubernetes API of a cluster", () => {
  let cluster: SimulatedCluster;
  let node: SimulatedNode;
  let admin: CertificateAndKey;
  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    [node] = (await cluster.addConfigured(1, 1)) as [SimulatedNode];
    admin = await certificateOf(cluster.secrets.certs.k8s, "admin", ["system:masters"]);
    await cluster.bootstrap(node, 1);
    await eventually(async () => (await nodesReady()) === "Ready,Ready");
  });
  afterAll(() => cluster.stop());

  const ask = (
    path: string,
    options: RequestOptions & { client?: CertificateAndKey | "none"; body?: string } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { client = admin, body, ...rest } = options;
      const call = request(
        {
          host: node.address,
          port: 6443,
          path,
          ca: fromBase64(cluster.secrets.certs.k8s.crt),
          agent: false,
          ...(client === "none" ? {} : { cert: fromBase64(client.crt), key: nodeKey(client.key) }),
          ...rest,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({
              code: response.statusCode,
              contentType: response.headers["content-type"],
              body: Buffer.concat(chunks).toString("utf8"),
            }),
          );
        },
      );
      call.on("error", reject);
      call.end(body);
    });
  const json = async (path: string, options: RequestOptions = {}): Promise<unknown> =>
    JSON.parse((await ask(path, options)).body);
  const nodesReady = async () => {
    const { body } = await ask("/api/v1/nodes", { headers: { accept: tableForm } });
    return [...body.matchAll(/"cells":\["[^"]+","([^"]+)"/g)].map((match) => match[1]).join();
  };

  test.each(["/readyz", "/livez", "/healthz", "/readyz/etcd"])("answers %s", async (path) => {
    expect(await ask(path)).toEqual({
      code: 200,
      contentType: "text/plain; charset=utf-8",
      body: "ok",
    });
  });

  test("knows its version", async () => {
    expect(await json("/version")).toMatchObject({
      gitVersion: "v1.35.0",
      major: "1",
      minor: "35",
    });
  });

  test("authenticates only certificates of its CA", async () => {
    const unauthorized = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    };
    const stranger = await certificateOf(cluster.secrets.certs.k8saggregator, "admin", [
      "system:masters",
    ]);
    for (const client of ["none", stranger] as const) {
      for (const path of ["/api/v1/nodes", "/readyz"]) {
        const { code, body } = await ask(path, { client });
        expect(code).toBe(401);
        expect(JSON.parse(body)).toEqual(unauthorized);
      }
    }
  });

  test("authorizes only the group system:masters", async () => {
    const client = await certificateOf(cluster.secrets.certs.k8s, "eve", ["system:nodes"]);
    const { code, body } = await ask("/api/v1/nodes", { client });
    expect(code).toBe(403);
    expect(JSON.parse(body)).toMatchObject({
      reason: "Forbidden",
      message:
        'nodes is forbidden: User "eve" cannot list resource "nodes" in API group "" at the cluster scope',
    });
  });

  test("lists its nodes", async () => {
    const list = await json("/api/v1/nodes");
    expect(list).toMatchObject({
      kind: "NodeList",
      items: [
        {
          metadata: {
            name: "ip-10-0-1-1",
            labels: { "node-role.kubernetes.io/control-plane": "", "kubernetes.io/arch": "amd64" },
          },
          spec: {
            providerID: "aws:///us-east-1a/i-0123456789abcde1",
            taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }],
          },
          status: {
            addresses: [
              { type: "InternalIP", address: "10.0.1.1" },
              { type: "ExternalIP", address: node.address },
              { type: "Hostname", address: "ip-10-0-1-1" },
            ],
            nodeInfo: { kubeletVersion: "v1.35.0", osImage: "Talos (v1.12.1)" },
          },
        },
        { metadata: { name: "ip-10-0-1-2" } },
      ],
    });
  });

  test("returns its nodes as a table on request", async () => {
    expect(await json("/api/v1/nodes?limit=500", { headers: { accept: tableForm } })).toMatchObject(
      {
        kind: "Table",
        rows: [
          { cells: expect.arrayContaining(["ip-10-0-1-1", "Ready", "control-plane"]) as string[] },
          { cells: expect.arrayContaining(["ip-10-0-1-2", "Ready", "<none>"]) as string[] },
        ],
      },
    );
  });

  test("selects nodes", async () => {
    const namesOf = async (query: string) => {
      const { body } = await ask(`/api/v1/nodes?${query}`);
      return [...body.matchAll(/"metadata":\{"name":"([^"]+)"/g)].map((match) => match[1]);
    };
    expect(await namesOf("labelSelector=node-role.kubernetes.io/control-plane")).toEqual([
      "ip-10-0-1-1",
    ]);
    expect(await namesOf("labelSelector=!node-role.kubernetes.io/control-plane")).toEqual([
      "ip-10-0-1-2",
    ]);
    expect(await namesOf("fieldSelector=metadata.name%3Dip-10-0-1-2")).toEqual(["ip-10-0-1-2"]);
  });

  test.each([
    ["/api/v1/nodes/nope", 404, 'nodes "nope" not found'],
    ["/api/v1/nonsense", 404, "the server could not find the requested resource"],
  ])("reports that %s does not exist", async (path, code, message) => {
    const answer = await ask(path);
    expect(answer.code).toBe(code);
    expect(JSON.parse(answer.body)).toMatchObject({ reason: "NotFound", message });
  });

  test("rejects unsupported requests", async () => {
    expect((await ask("/api/v1/nodes", { method: "POST" })).code).toBe(405);
    const headers = { accept: "application/vnd.kubernetes.protobuf" };
    expect((await ask("/api/v1/nodes", { headers })).code).toBe(406);
  });

  test("supports both forms of discovery", async () => {
    expect(await json("/api")).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
    expect(await json("/api/v1")).toMatchObject({ kind: "APIResourceList", groupVersion: "v1" });
    expect(await json("/apis")).toMatchObject({ kind: "APIGroupList" });
    const accept =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    const { contentType, body } = await ask("/api", { headers: { accept } });
    expect(contentType).toBe(
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    );
    expect(JSON.parse(body)).toMatchObject({ kind: "APIGroupDiscoveryList" });
  });

  test("has Talos' pods in their namespace", async () => {
    interface Pods {
      readonly items: { readonly metadata: { readonly name: string; readonly labels: object } }[];
    }
    const pods = (await json("/api/v1/namespaces/kube-system/pods")) as Pods;
    const apps = pods.items.map(({ metadata }) => metadata.name.replace(/-(ip-.*|\w{5})$/, ""));
    expect(apps.map((app) => app.replace(/-[0-9a-f]{10}$/, ""))).toEqual([
      "coredns",
      "coredns",
      "kube-apiserver",
      "kube-controller-manager",
      "kube-flannel",
      "kube-flannel",
      "kube-proxy",
      "kube-proxy",
      "kube-scheduler",
    ]);
    expect(await json("/api/v1/namespaces/default/pods")).toMatchObject({ items: [] });
    expect(await json("/api/v1/pods?labelSelector=k8s-app%20%3D%20kube-apiserver")).toMatchObject({
      items: [
        {
          metadata: { name: "kube-apiserver-ip-10-0-1-1", namespace: "kube-system" },
          spec: { nodeName: "ip-10-0-1-1" },
          status: { phase: "Running" },
        },
      ],
    });
    const { body } = await ask("/api/v1/pods", { headers: { accept: tableForm } });
    expect(body).toContain('"1/1","Running","0"');
  });

  test("has their DaemonSets and Deployment", async () => {
    expect(
      await json(
        "/apis/apps/v1/namespaces/kube-system/daemonsets?labelSelector=k8s-app%3Dkube-proxy",
      ),
    ).toMatchObject({
      kind: "DaemonSetList",
      apiVersion: "apps/v1",
      items: [{ metadata: { name: "kube-proxy" }, status: { numberReady: 2 } }],
    });
    expect(await json("/apis/apps/v1/namespaces/kube-system/deployments/coredns")).toMatchObject({
      kind: "Deployment",
      spec: { replicas: 2 },
      status: { availableReplicas: 2 },
    });
    expect(await json("/apis/apps/v1")).toMatchObject({
      kind: "APIResourceList",
      groupVersion: "apps/v1",
      resources: expect.arrayContaining([
        expect.objectContaining({ name: "daemonsets" }),
        expect.objectContaining({ name: "deployments" }),
      ]) as object[],
    });
  });

  test("sends changes to a watch", async () => {
    const lines: string[] = [];
    const watching = request({
      host: node.address,
      port: 6443,
      path: "/api/v1/nodes?watch=true",
      ca: fromBase64(cluster.secrets.certs.k8s.crt),
      cert: fromBase64(admin.crt),
      key: nodeKey(admin.key),
      agent: false,
    });
    watching.on("response", (response) => {
      response.on("data", (chunk: Buffer) => {
        for (const line of chunk.toString("utf8").split("\n").filter(Boolean)) {
          const { type, object } = JSON.parse(line) as {
            type: string;
            object: { metadata: { name: string } };
          };
          lines.push(`${type} ${object.metadata.name}`);
        }
      });
    });
    watching.on("error", () => undefined);
    watching.end();
    await eventually(() => lines.length === 2);
    const added = await cluster.add(cluster.config("worker"));
    await eventually(() => lines.includes("ADDED ip-10-0-1-3"));
    await added.node.stop();
    await eventually(async () => (await nodesReady()) === "Ready,Ready,NotReady");
    const { code } = await ask("/api/v1/nodes/ip-10-0-1-3", { method: "DELETE" });
    expect(code).toBe(200);
    await eventually(() => lines.includes("DELETED ip-10-0-1-3"));
    watching.destroy();
    expect(lines.slice(0, 3)).toEqual([
      "ADDED ip-10-0-1-1",
      "ADDED ip-10-0-1-2",
      "ADDED ip-10-0-1-3",
    ]);
    expect((await ask("/api/v1/nodes/ip-10-0-1-3", { method: "DELETE" })).code).toBe(404);
  });

  test("lets a machine know that its node is cordoned", async () => {
    const client = await cluster.client(node);
    const type = "NodeStatuses.kubernetes.talos.dev";
    const isCordoned = async () => {
      const list = await client.stream(cosi.List, { namespace: "k8s", type, options: {} });
      return list.map(
        ({ resource }) => /unschedulable: (\w+)/.exec(resource?.spec?.yamlSpec ?? "")?.[1],
      );
    };
    expect(await isCordoned()).toEqual(["false"]);
    for (const unschedulable of [true, false]) {
      const { code } = await ask(`/api/v1/nodes/ip-10-0-1-1`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ spec: { unschedulable } }),
      });
      expect(code).toBe(200);
      await eventually(async () => (await isCordoned()).join() === `${unschedulable}`);
    }
  });

  test("accepts the kubeconfig that the node generates", async () => {
    const client = await cluster.client(node);
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = await client.stream(machine.Kubeconfig, {});
    const archive = gunzipSync(bytes);
    expect(archive.subarray(0, 10).toString()).toBe("kubeconfig");
    expect(archive.length).toBe(512 + parseInt(archive.subarray(124, 135).toString(), 8));
    const kubeconfig = parse(archive.subarray(512).toString("utf8")) as {
      clusters: { name: string; cluster: { server: string } }[];
      users: { user: Record<string, string> }[];
      "current-context": string;
    };
    expect(kubeconfig["current-context"]).toBe("admin@sim");
    expect(kubeconfig.clusters[0]).toMatchObject({
      name: "sim",
      cluster: { server: `https://${node.address}:6443` },
    });
    const user = kubeconfig.users[0]?.user ?? {};
    const { code } = await ask("/api/v1/nodes", {
      client: {
        crt: user["client-certificate-data"] ?? "",
        key: user["client-key-data"] ?? "",
      },
    });
    expect(code).toBe(200);
  });
});

function certificateOf(
  ca: CertificateAndKey,
  commonName: string,
  organizations: readonly string[],
): Promise<CertificateAndKey> {
  return issueCertificate(ca, {
    commonName,
    organizations,
    usages: ["clientAuth"],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keyType: "p256",
  });
}
