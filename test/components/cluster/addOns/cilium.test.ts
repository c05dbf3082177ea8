import { gzipSync } from "node:zlib";
import { planOwnManifests } from "../../../../components/addOns/planOwnManifests";
import { make, talos } from "../clusters";

const RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const scope = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.example.com",
};
const configurationIn = (graph: Awaited<ReturnType<typeof make>>["graph"]) =>
  graph.named(talos("MachineConfiguration"), "c-control-plane").inputs;
const rulesIn = (graph: Awaited<ReturnType<typeof make>>["graph"]) =>
  graph.ofType(RULE).map(({ name }) => name);

describe("Cilium without a manifest", () => {
  it("is in the configuration in place of flannel and kube-proxy, and up waits for its nodes", async () => {
    const { graph } = await make({ addOns: { cilium: true }, addOnDelivery: "afterBootstrap" });
    const configuration = configurationIn(graph);
    expect(configuration).toMatchObject({ cni: { name: "none" }, kubeProxy: false });
    const manifests = configuration.inlineManifests as { name: string; contents: string }[];
    expect(manifests.map(({ name }) => name)).toEqual(["cilium"]);
    expect(manifests[0]?.contents).toContain("kind: DaemonSet");
    // Nodes need it to become Ready, and changed machines must be Ready before anything comes after.
    expect(graph.ofType(talos("KubernetesObjects"))).toEqual([]);
    expect(graph.named(talos("ClusterHealth"), "c-health").inputs.gates).toEqual([
      "etcd",
      "apiServer",
      "nodesReady",
    ]);
    expect(rulesIn(graph)).toContain("c-firewall-worker-udp-8472-from-control-plane");
    expect(rulesIn(graph).filter((name) => /51871|996/.test(name))).toEqual([]);
  });

  it("can leave kube-proxy there", async () => {
    const { graph } = await make({ addOns: { cilium: { kubeProxyReplacement: false } } });
    expect(configurationIn(graph)).not.toHaveProperty("kubeProxy");
    expect(JSON.stringify(configurationIn(graph))).not.toContain("7445");
  });

  it("opens the ports of encryption and metrics between all machines", async () => {
    const addOns = { cilium: { wireGuard: true, metrics: true } };
    const { graph } = await make({ addOns, firewall: { monitoring: ["nodeExporter"] } });
    const groups = ["control-plane", "worker"];
    expect(rulesIn(graph)).toEqual(
      expect.arrayContaining(
        ["udp-51871", "tcp-9962-9965", "tcp-9100"].flatMap((port) =>
          groups.flatMap((to) => groups.map((from) => `c-firewall-${to}-${port}-from-${from}`)),
        ),
      ),
    );
  });

  it("fetches the definitions of the Gateway API, of one release", async () => {
    const { graph } = await make({ addOns: { cilium: { gatewayApi: true } } });
    expect(configurationIn(graph).extraManifests).toEqual([
      expect.stringMatching(/gateway-api\/releases\/download\/v1\.6\.1\/standard-install\.yaml$/),
    ]);
    expect(JSON.stringify(configurationIn(graph))).toContain("kind: GatewayClass");
  });

  it("takes a fraction of what user data may have, with every setting", () => {
    const cilium = { hubble: true, metrics: true, wireGuard: true, gatewayApi: true };
    const [manifest] = planOwnManifests(scope, { cilium });
    expect(gzipSync(manifest?.contents ?? "").length).toBeLessThan(6_144);
  });

  it("makes agents and operator again when a setting changes, and only then", () => {
    const checksums = (cilium: object) =>
      planOwnManifests(scope, { cilium }).flatMap(({ contents }) =>
        [...contents.matchAll(/configmap-checksum: (\w+)/g)].map(([, checksum]) => checksum),
      );
    const before = checksums({});
    expect(before).toHaveLength(2);
    expect(new Set([...before, ...checksums({ replicas: 1 })]).size).toBe(1);
    const changed = checksums({ extraArgs: { "enable-bandwidth-manager": "true" } });
    expect(new Set([...before, ...changed]).size).toBe(2);
  });

  it("has no field that an older API server doesn't know", () => {
    const older = planOwnManifests({ ...scope, kubernetesVersion: "v1.29.0" }, { cilium: {} });
    expect(older[0]?.contents).not.toContain("appArmorProfile");
    expect(planOwnManifests(scope, { cilium: {} })[0]?.contents).toContain("appArmorProfile");
  });
});
