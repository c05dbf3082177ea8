import * as pulumi from "@pulumi/pulumi";
import type { ClusterRoleArgs } from "../../../components/cluster/arguments/clusterControlPlaneArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build, type Graph, valueOf } from "../mockedGraph";
import { APPLY, INSTANCE, make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

describe("TalosCluster", () => {
  it("has names that never change", async () => {
    const { graph } = await make();
    const own = graph.identities().filter((each) => each.includes("talos"));
    expect(own).toEqual([
      `${talos("ClientConfiguration")} c-access`,
      `${talos("ClientConfiguration")} c-client`,
      `${talos("ClusterHealth")} c-health`,
      `${talos("ClusterKubeconfig")} c-kubeconfig`,
      `${APPLY} c-control-plane-1`,
      `${APPLY} c-control-plane-2`,
      `${APPLY} c-control-plane-3`,
      `${talos("EtcdMember")} c-control-plane-1`,
      `${talos("EtcdMember")} c-control-plane-2`,
      `${talos("EtcdMember")} c-control-plane-3`,
      `${talos("FirstContact")} c-control-plane-1`,
      `${talos("FirstContact")} c-control-plane-2`,
      `${talos("FirstContact")} c-control-plane-3`,
      `${talos("ImmutableArguments")} c-immutable`,
      `${talos("KubernetesManifests")} c-manifests`,
      `${talos("KubernetesUpgrade")} c-kubernetes`,
      `${talos("MachineBootstrap")} c-bootstrap`,
      `${talos("MachineConfiguration")} c-control-plane`,
      `${talos("MachineSecrets")} c-secrets`,
      `${talos("MachineTurn")} c-control-plane-2-turn`,
      `${talos("MachineTurn")} c-control-plane-3-turn`,
      "talos-aws:index:ApiLoadBalancer c-api",
      "talos-aws:index:ControlPlane c-control-plane",
      "talos-aws:index:DnsRecord c-dns",
      "talos-aws:index:Firewall c-firewall",
      "talos-aws:index:MachineImage c-image",
      "talos-aws:index:Network c-network",
      "talos-aws:index:NodeRole c-control-plane",
      "talos-aws:index:TalosCluster c",
    ]);
  });

  it("checks its health again when the configuration of a machine changes", async () => {
    const { graph } = await make({ workerPools: { apps: { machineCount: 2 } } });
    const { triggers } = graph.named(talos("ClusterHealth"), "c-health").inputs;
    const hashes = graph.ofType(APPLY).map(({ name }) => `${name}-hash`);
    expect(hashes).toHaveLength(5);
    expect(triggers).toEqual(expect.arrayContaining(hashes));
  });

  it("outputs the roles that it created, and none that it was given", async () => {
    const { value } = await make({
      workerPools: {
        apps: { machineCount: 1 },
        own: { machineCount: 1, role: { permissions: { ecrPull: true } } },
        theirs: { machineCount: 1, role: { instanceProfileName: "theirs" } },
      },
    });
    const role = (name: string) => ({ name: `${name}-role-name`, arn: `arn:${name}-role` });
    expect(await valueOf(value.roles)).toEqual({
      "control-plane": role("c-control-plane"),
      workers: role("c-workers"),
      own: role("c-own"),
    });
    const without = await make({ controlPlane: { role: { none: true } } });
    expect(await valueOf(without.value.roles)).toEqual({});
  });

  it("keeps every resource and name when a zone and machines are added", async () => {
    const before = await make({ network: { zones: ["us-east-1b"] } });
    const after = await make({
      network: { zones: ["us-east-1a", "us-east-1b"] },
      controlPlane: { machineCount: 5 },
    });
    expect(after.graph.identities()).toEqual(expect.arrayContaining(before.graph.identities()));
    expect(after.graph.ofType(INSTANCE)).toHaveLength(5);
  });

  it("renders one configuration per role, and applies it to each machine's own address", async () => {
    const { graph } = await make({
      patches: ["machine: {}"],
      machineConfiguration: { sysctls: { "vm.max_map_count": "262144" } },
      controlPlane: { machines: { "2": { patches: ["debug: true"] } } },
    });
    const role = graph.named(talos("MachineConfiguration"), "c-control-plane").inputs;
    expect(role).toMatchObject({
      clusterName: "c",
      endpoint: "https://k8s.sandbox.example.com:6443",
      machineType: "controlplane",
      talosVersion: "v1.12.1",
      versionContract: "v1.12",
      kubernetesVersion: "v1.35.0",
      podCidrs: ["10.244.0.0/16"],
      serviceCidrs: ["10.96.0.0/12"],
      sysctls: { "vm.max_map_count": "262144" },
      patches: ["machine: {}"],
    });
    expect(graph.ofType(talos("MachineConfiguration"))).toHaveLength(1);
    expect(graph.named(APPLY, "c-control-plane-2").inputs).toMatchObject({
      machineId: "c-control-plane-2-id",
      node: "198.51.100.2",
      endpoint: "198.51.100.2",
      patches: ["debug: true"],
    });
    expect(graph.named(APPLY, "c-control-plane-1").inputs).toMatchObject({ patches: [] });
  });

  it("installs add-ons with everything that they need", async () => {
    const manifestUrls = ["https://example.com/v1.35.0/manifest.yaml"];
    const { graph } = await make({
      addOns: {
        cloudController: { manifestUrls },
        metricsServer: true,
        cilium: { manifest: "kind: List", kubeProxyReplacement: true },
      },
    });
    expect(graph.named(talos("MachineConfiguration"), "c-control-plane").inputs).toMatchObject({
      cni: { name: "none" },
      kubeProxy: false,
      externalCloudProvider: { manifests: manifestUrls },
      registerWithFqdn: true,
      kubeletExtraArgs: { "rotate-server-certificates": "true" },
      inlineManifests: [{ name: "cilium", contents: "kind: List" }],
      extraManifests: [
        expect.stringMatching(
          /kubelet-serving-cert-approver\/v[\d.]+\/deploy\/standalone-install.yaml$/,
        ),
        expect.stringMatching(/metrics-server\/releases\/download\/v[\d.]+\/components.yaml$/),
      ],
    });
    expect(graph.named(talos("ClusterHealth"), "c-health").inputs).toMatchObject({
      gates: ["etcd", "apiServer", "nodesReady"],
    });
    const [policy] = graph.ofType("aws:iam/rolePolicy:RolePolicy");
    expect(policy?.inputs.policy).toContain("CloudControllerMake");
    const rules = graph
      .ofType("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")
      .map(({ name }) => name);
    expect(rules).toEqual(
      expect.arrayContaining([
        "c-firewall-worker-tcp-10250-from-worker",
        "c-firewall-control-plane-tcp-10250-from-worker",
        "c-firewall-worker-udp-8472-from-control-plane",
      ]),
    );
  });

  it("issues kubeconfigs for other users, signed with its secrets", async () => {
    const { value, graph } = await build(() => {
      const cluster = new TalosCluster("c", standardCluster);
      return cluster.createKubeconfig(
        { user: "ci", groups: ["deployers"], lifetimeHours: 24 },
        { protect: true },
      );
    });
    const made = graph.named(talos("UserKubeconfig"), "c-kubeconfig-ci");
    expect(made).toMatchObject({
      parent: graph.named("talos-aws:index:TalosCluster", "c").urn,
      protect: true,
      secretInputs: ["certificateAuthority"],
      inputs: {
        clusterName: "c",
        serverUrl: "https://k8s.sandbox.example.com:6443",
        user: "ci",
        groups: ["deployers"],
        allowAdministrators: false,
        lifetimeHours: 24,
      },
    });
    expect(graph.before(made).map(({ name }) => name)).toContain("c-secrets");
    expect(graph.before(made).map(({ type }) => type)).not.toContain(INSTANCE);
    expect(await pulumi.isSecret(value)).toBe(true);
  });

  it("opens the ports of its pod network and KubeSpan, and configures both in Talos", async () => {
    const cniManifests = ["https://example.com/cilium-v1.18.4.yaml"];
    const { graph } = await make({ cni: "cilium", cniManifests, kubeSpan: true });
    expect(graph.named(talos("MachineConfiguration"), "c-control-plane").inputs).toMatchObject({
      cni: { name: "custom", urls: cniManifests },
      kubeSpan: true,
    });
    const rules = graph.ofType("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");
    const names = rules.map(({ name }) => name);
    expect(names).toContain("c-firewall-worker-udp-8472-from-control-plane");
    expect(names).toContain("c-firewall-control-plane-udp-51820-from-worker");
    expect(names.filter((name) => name.includes("4789"))).toEqual([]);
  });

  it("doesn't wait for nodes whose network comes later", async () => {
    const gates = (graph: Graph) => graph.named(talos("ClusterHealth"), "c-health").inputs.gates;
    const later = await make({ cni: "calico" });
    expect(gates(later.graph)).toEqual(["etcd", "apiServer"]);
    const asked = await make({ cni: "calico", healthGates: ["etcd"] });
    expect(gates(asked.graph)).toEqual(["etcd"]);
  });

  it("boots the image of the machines' architecture", async () => {
    const asked: Record<string, unknown>[] = [];
    await build(
      () =>
        new TalosCluster("c", { ...standardCluster, controlPlane: { instanceType: "m7g.large" } }),
      {
        calls: {
          "aws:ec2/getAmi:getAmi": (inputs) => {
            asked.push(inputs);
            return { id: "ami-arm" };
          },
        },
      },
    );
    expect(asked).toMatchObject([
      { filters: [{ name: "name", values: ["talos-v1.12.1-us-east-1-arm64"] }] },
    ]);
  });

  it("outputs what other programs build on, with secrets marked", async () => {
    const { value } = await make({ dns: { createZone: true } });
    expect(await valueOf(value.endpoint)).toBe("https://k8s.sandbox.example.com:6443");
    expect(await valueOf(value.nodes)).toEqual(
      [1, 2, 3].map((index) => ({
        name: `c-control-plane-${index}`,
        role: "controlplane",
        zone: `us-east-1${"xabc"[index] ?? ""}`,
        instanceId: `c-control-plane-${index}-id`,
        publicAddress: `198.51.100.${index}`,
        privateAddress: `10.0.0.${index}`,
      })),
    );
    expect(await valueOf(value.vpcId)).toBe("c-network-vpc-id");
    expect(Object.keys(await valueOf(value.subnetIds))).toEqual(standardCluster.network.zones);
    expect(await valueOf(value.securityGroupIds)).toEqual({
      controlPlane: "c-firewall-control-plane-id",
      worker: "c-firewall-worker-id",
      loadBalancer: "c-firewall-load-balancer-id",
    });
    expect(await valueOf(value.loadBalancerDnsName)).toBe("c-api-lb.elb.example");
    expect(await valueOf(value.nameServers)).toEqual(["ns-9.awsdns-99.org"]);
    expect(await pulumi.isSecret(value.kubeconfig)).toBe(true);
    expect(await pulumi.isSecret(value.talosconfig)).toBe(true);
    expect(await pulumi.isSecret(value.endpoint)).toBe(false);
  });

  it("knows in a preview everything that follows from its arguments", async () => {
    const { value, graph } = await build(() => new TalosCluster("c", standardCluster), {
      preview: true,
    });
    expect(graph.ofType(APPLY).map(({ name }) => name)).toEqual([
      "c-control-plane-1",
      "c-control-plane-2",
      "c-control-plane-3",
    ]);
    expect(await valueOf(value.endpoint)).toBe("https://k8s.sandbox.example.com:6443");
    expect(graph.named(INSTANCE, "c-control-plane-1").inputs).toMatchObject({
      ami: "ami-0123456789abcdef0",
    });
  });

  it("protects irreplaceable resources on request", async () => {
    const { graph } = await make({ protect: true, dns: { createZone: true } });
    const kept = graph.resources.filter(({ protect }) => protect);
    expect(kept.map(({ name }) => name).sort()).toEqual([
      "c-api-lb",
      "c-control-plane-1",
      "c-control-plane-2",
      "c-control-plane-3",
      "c-dns-zone",
      "c-network-public-us-east-1a",
      "c-network-public-us-east-1b",
      "c-network-public-us-east-1c",
      "c-network-vpc",
      "c-secrets",
    ]);
    const open = await make();
    expect(open.graph.resources.filter(({ protect }) => protect)).toEqual([]);
  });

  it("puts the name in an existing zone, or in its own", async () => {
    const adopted = await make();
    expect(adopted.graph.ofType("aws:route53/zone:Zone")).toEqual([]);
    const made = await make({ dns: { createZone: true } });
    expect(made.graph.named("aws:route53/zone:Zone", "c-dns-zone").inputs).toMatchObject({
      name: "sandbox.example.com",
    });
  });

  it("accepts an instance profile, a role with more permissions, or no role", async () => {
    const profile = async (role: ClusterRoleArgs) => {
      const network = { zones: ["us-east-1a"] };
      const { graph } = await make({ network, controlPlane: { machineCount: 1, role } });
      const roles = graph.ofType("aws:iam/role:Role").length;
      return [roles, graph.named(INSTANCE, "c-control-plane-1").inputs.iamInstanceProfile];
    };
    expect(await profile({ permissions: { ecrPull: true } })).toEqual([
      1,
      "c-control-plane-profile-name",
    ]);
    expect(await profile({ instanceProfileName: "mine" })).toEqual([0, "mine"]);
    expect(await profile({ none: true })).toEqual([0, ""]);
  });
});

it("takes no stack traces while it registers its resources, and does afterwards", async () => {
  const { stackTraceLimit } = Error;
  const limits = new Set<number>();
  const look: pulumi.ResourceTransformation = ({ type }) => {
    // The first is the cluster itself.
    limits.add(type === "talos-aws:index:TalosCluster" ? 0 : Error.stackTraceLimit);
    return undefined;
  };
  await build(() => new TalosCluster("c", standardCluster, { transformations: [look] }));
  expect([...limits]).toEqual([0]);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
