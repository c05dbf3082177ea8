import { protocol } from "../../../provider/api/protocol";
import type { Patch } from "../../../provider/config/patches/patch";
import { failureOf } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const { service } = protocol.machine.MachineService;

const PARTS = { apiServer: "apiserver", controllerManager: "controller-manager" } as const;

/** A patch that sets the images of a Kubernetes release, also kube-proxy's. */
const kubernetes = (version: string): Patch => ({
  machine: { kubelet: { image: `ghcr.io/siderolabs/kubelet:${version}` } },
  cluster: {
    ...Object.fromEntries(
      Object.entries({ ...PARTS, scheduler: "scheduler", proxy: "proxy" }).map(([part, name]) => [
        part,
        { image: `registry.k8s.io/kube-${name}:${version}` },
      ]),
    ),
  },
});

/** What Talos says about images of a release that it does not support. */
const refusal = (names: readonly string[], reason: string) =>
  [
    "1 error occurred:",
    `\t* v1alpha1.Config: ${names.length === 1 ? "1 error" : `${names.length} errors`} occurred:`,
    ...names.map((name) => `\t* ${name} image is not valid: ${reason}`),
    "\n\n\n",
  ].join("\n");

const ALL = ["kubelet", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];

// Judged by the source of Talos: see `emulator/talos/config/kubernetesImages.ts`.
describe("a machine that gets images of Kubernetes", () => {
  let cluster: SimulatedCluster;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
  });

  afterEach(() => cluster.stop());

  const apply = async (node: SimulatedNode, text: string, dryRun = false) => {
    const client = await cluster.client(node);
    const request = { data: Buffer.from(text), mode: "AUTO" as const, dryRun };
    return client.unary(service.ApplyConfiguration, request);
  };

  test("refuses those that its running Talos doesn't support, also in a dry run", async () => {
    const node = await cluster.add(cluster.config("controlplane"));
    const before = node.node.machineConfiguration;
    const next = cluster.config("controlplane", [kubernetes("v1.36.0")]);
    const reason = "version of Kubernetes 1.36.0 is too new to be used with Talos 1.12.1";
    for (const dryRun of [true, false]) {
      expect(await failureOf(apply(node, next, dryRun))).toBe(
        `INVALID_ARGUMENT: ${refusal(ALL, reason)}`,
      );
    }
    expect(node.node.machineConfiguration).toBe(before);
  });

  test("looks at the kubelet alone if it is a worker, and never at kube-proxy", async () => {
    await cluster.addConfigured(1);
    const worker = await cluster.add(cluster.config("worker"));
    const reason = "version of Kubernetes 1.29.9 is too old to be used with Talos 1.12.1";
    const old = cluster.config("worker", [kubernetes("v1.29.9")]);
    expect(await failureOf(apply(worker, old))).toBe(
      `INVALID_ARGUMENT: ${refusal(["kubelet"], reason)}`,
    );
    const proxy = { cluster: { proxy: { image: "registry.k8s.io/kube-proxy:v1.36.0" } } };
    await apply(worker, cluster.config("worker", [proxy]));
  });

  test("refuses an image without a version in its tag", async () => {
    const node = await cluster.add(cluster.config("controlplane"));
    const image = "registry.example/kubelet:latest";
    const next = cluster.config("controlplane", [{ machine: { kubelet: { image } } }]);
    const reason = `failed to parse Kubernetes version from image reference "${image}": invalid image reference: "${image}"`;
    expect(await failureOf(apply(node, next))).toBe(
      `INVALID_ARGUMENT: ${refusal(["kubelet"], reason)}`,
    );
  });

  test("refuses them in maintenance mode, with other words", async () => {
    const node = await cluster.add();
    const data = Buffer.from(cluster.config("controlplane", [kubernetes("v1.36.0")]));
    const reply = cluster.insecureClient(node).unary(service.ApplyConfiguration, { data });
    const reason = "version of Kubernetes 1.36.0 is too new to be used with Talos 1.12.1";
    expect(await failureOf(reply)).toBe(
      `INVALID_ARGUMENT: runtime configuration validation failed: ${refusal(ALL, reason)}`,
    );
  });

  test("never opens its port if its user data has them", async () => {
    const node = await cluster.add(cluster.config("controlplane", [kubernetes("v1.36.0")]));
    await eventually(() =>
      cluster.lines.some((line) =>
        line.includes(
          "failed to runtime validate config acquired via platform aws: 1 error occurred",
        ),
      ),
    );
    expect(node.node.machineConfiguration).toBeUndefined();
  });

  test.each([
    ["v1.10.9", "v1.36.0", "accepted"],
    ["v1.11.5", "v1.29.0", "accepted"],
    ["v1.11.5", "v1.35.0", "refused"],
    ["v1.13.0", "v1.36.0", "accepted"],
    ["v1.13.0", "v1.30.9", "refused"],
  ])("on Talos %s has Kubernetes %s %s", async (talosVersion, version, verdict) => {
    cluster.talosVersion = talosVersion;
    cluster.versionContract = "v1.10";
    const node = await cluster.add();
    const data = Buffer.from(cluster.config("worker", [kubernetes(version)]));
    const reply = cluster
      .insecureClient(node)
      .unary(service.ApplyConfiguration, { data, dryRun: true });
    await (verdict === "accepted"
      ? reply
      : expect(failureOf(reply)).resolves.toMatch(/kubelet image is not valid/));
  });

  test.each([
    ["v1.13.0", "boots"],
    ["v1.14.0", "doesn't boot"],
  ])("and gets Talos %s beside Kubernetes 1.30 afterwards, %s", async (version, outcome) => {
    const node = await cluster.add(cluster.config("controlplane", [kubernetes("v1.30.0")]));
    const client = await cluster.client(node);
    await client.unary(service.Upgrade, {
      image: `factory.talos.dev/aws-installer/0:${version}`,
      force: true,
    });
    if (outcome === "boots") {
      await eventually(async () => {
        const { messages } = await client.unary(service.Version, {}, { timeoutMs: 5_000 });
        return messages[0]?.version?.tag === version;
      });
      return;
    }
    await eventually(() =>
      cluster.lines.some((line) => line.includes("failed to validate on-disk config: 1 error")),
    );
  });
});
