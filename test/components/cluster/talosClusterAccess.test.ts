import { gunzipSync } from "node:zlib";
import { type Graph, valueOf } from "../mockedGraph";
import { APPLY, INSTANCE, make, namesBefore, talos } from "./clusters";

const TURN = talos("MachineTurn");
const CONTACT = talos("FirstContact");
const INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const zones = ["us-east-1a", "us-east-1b", "us-east-1c"];
/** What a machine finds in its user data. */
const decoded = (userData: unknown) => {
  const bytes = Buffer.from(String(userData), "base64");
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
};

describe("access to a TalosCluster", () => {
  it("contacts a machine only when the whole network path exists", async () => {
    const { graph } = await make();
    const apply = graph.named(APPLY, "c-control-plane-2");
    const types = new Set(graph.before(apply).map(({ type }) => type));
    for (const type of [
      "aws:ec2/internetGateway:InternetGateway",
      "aws:ec2/route:Route",
      "aws:ec2/routeTableAssociation:RouteTableAssociation",
      "aws:route53/record:Record",
      "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
    ]) {
      expect(types).toContain(type);
    }
    const rules = namesBefore(
      graph,
      apply,
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    );
    expect(rules).toEqual(
      expect.arrayContaining([
        "c-firewall-control-plane-tcp-50000-from-203.0.113.0-24",
        "c-control-plane-2-to-api",
      ]),
    );
    expect(namesBefore(graph, apply, "aws:lb/targetGroupAttachment:TargetGroupAttachment")).toEqual(
      ["c-control-plane-1-api", "c-control-plane-2-api"],
    );
  });

  it("meets a machine just before it configures it, and tells whom it met", async () => {
    const { graph } = await make({
      controlPlane: { machines: { "2": { maintenanceFingerprints: ["of its console"] } } },
    });
    const contact = graph.named(CONTACT, "c-control-plane-2");
    expect(contact.inputs).toMatchObject({
      machineId: "c-control-plane-2-id",
      node: "198.51.100.2",
      endpoint: "198.51.100.2",
    });
    const apply = graph.named(APPLY, "c-control-plane-2");
    expect(apply.inputs.maintenanceFingerprints).toEqual(["of its console"]);
    // A kill between the two is the only one that the record has to bridge.
    const others = (of: typeof apply) => graph.before(of).filter((each) => each !== contact);
    expect(others(apply)).toEqual(others(contact));
    expect(graph.before(apply)).toContain(contact);
  });

  it("meets no machine that boots with its configuration", async () => {
    const { graph } = await make({ controlPlane: { delivery: "userData" } });
    expect(graph.ofType(APPLY)).toHaveLength(3);
    expect(graph.ofType(CONTACT)).toEqual([]);
  });

  it("uses a load balancer's name once it listens and has a target", async () => {
    const { graph } = await make();
    const record = graph.named("aws:route53/record:Record", "c-dns-alias");
    expect(namesBefore(graph, record, "aws:lb/listener:Listener")).toEqual(["c-api-listener"]);
    expect(
      namesBefore(graph, record, "aws:lb/targetGroupAttachment:TargetGroupAttachment"),
    ).toEqual(["c-control-plane-1-api"]);
  });

  it("creates machines one after another, without waiting for their configuration", async () => {
    const { graph } = await make();
    const second = graph.named(TURN, "c-control-plane-2-turn");
    expect(second.inputs).toMatchObject({
      node: "198.51.100.1",
      endpoint: "198.51.100.1",
      triggers: ["m6i.large", "c-control-plane-1-id"],
    });
    const third = graph.named(INSTANCE, "c-control-plane-3");
    expect(namesBefore(graph, third, TURN)).toEqual([
      "c-control-plane-2-turn",
      "c-control-plane-3-turn",
    ]);
    expect(namesBefore(graph, third, INSTANCE)).toEqual(["c-control-plane-1", "c-control-plane-2"]);
    expect(namesBefore(graph, third, APPLY)).toEqual([]);
  });

  it("configures one machine after another, bootstraps the first meanwhile, then gets the kubeconfig", async () => {
    const { graph } = await make();
    const third = graph.named(APPLY, "c-control-plane-3");
    expect(namesBefore(graph, third, APPLY)).toEqual(["c-control-plane-1", "c-control-plane-2"]);
    expect(third.inputs).toMatchObject({ delivery: "apply", onDestroy: { leaveEtcd: true } });
    const bootstrap = graph.named(talos("MachineBootstrap"), "c-bootstrap");
    expect(bootstrap.inputs).toMatchObject({ node: "198.51.100.1" });
    expect(namesBefore(graph, bootstrap, APPLY)).toEqual(["c-control-plane-1"]);
    const kubeconfig = graph.named(talos("ClusterKubeconfig"), "c-kubeconfig");
    expect(graph.before(kubeconfig)).toContain(bootstrap);
  });

  it("lets machines join and leave etcd one after another, and skips this when the cluster is destroyed", async () => {
    const { graph } = await make();
    const [secrets] = graph.ofType(talos("MachineSecrets"));
    for (const [index, peers] of [
      [1, []],
      [2, ["198.51.100.1"]],
      [3, ["198.51.100.1", "198.51.100.2"]],
    ] as const) {
      const member = graph.named(talos("EtcdMember"), `c-control-plane-${index}`);
      expect(member.inputs).toMatchObject({ node: `198.51.100.${index}`, peers });
      expect(member.deletedWith).toBe(secrets?.urn);
      const apply = graph.named(APPLY, `c-control-plane-${index}`);
      expect(graph.before(member)).toContain(apply);
      // What leaves is the member; deleting the apply must not ask a machine that may be dead.
      expect(apply.retainOnDelete).toBe(true);
      const before = namesBefore(graph, apply, talos("EtcdMember"));
      expect(before).toEqual(peers.map((_, peer) => `c-control-plane-${peer + 1}`));
      // A lost first machine is replaced while the others wait for etcd: it must not wait for them.
      expect(namesBefore(graph, member, INSTANCE)).toHaveLength(index);
    }
    const health = graph.named(talos("ClusterHealth"), "c-health");
    expect(namesBefore(graph, health, talos("EtcdMember"))).toHaveLength(3);
  });

  it("uses credentials that don't depend on the machines' addresses", async () => {
    const { graph } = await make();
    const access = graph.named(talos("ClientConfiguration"), "c-access");
    expect(access.inputs).toMatchObject({ endpoints: ["k8s.sandbox.example.com"] });
    expect(namesBefore(graph, access, INSTANCE)).toEqual([]);
    expect(graph.named(talos("ClientConfiguration"), "c-client").inputs).toMatchObject({
      endpoints: ["198.51.100.1", "198.51.100.2", "198.51.100.3"],
      nodes: ["198.51.100.1", "198.51.100.2", "198.51.100.3"],
      roles: ["os:admin"],
    });
  });

  it("deletes the gateway after the machines and the load balancer", async () => {
    const { graph } = await make();
    const gateway = graph.ofType("aws:ec2/internetGateway:InternetGateway");
    for (const resource of [
      ...graph.ofType(INSTANCE),
      ...graph.ofType("aws:lb/loadBalancer:LoadBalancer"),
    ]) {
      expect(graph.before(resource)).toEqual(expect.arrayContaining(gateway));
    }
  });

  it("resolves to the public or the internal load balancer, depending on the client's network", async () => {
    const { graph } = await make({ exposure: "both", network: { zones: ["us-east-1a"] } });
    const balancers = graph.ofType("aws:lb/loadBalancer:LoadBalancer");
    expect(balancers.map(({ name, inputs }) => [name, inputs.internal])).toEqual([
      ["c-api-lb", false],
      ["c-int-lb", true],
    ]);
    const alias = (record: string) =>
      graph.named("aws:route53/record:Record", record).inputs.aliases;
    expect(alias("c-dns-alias")).toMatchObject([{ name: "c-api-lb.elb.example" }]);
    expect(alias("c-dns-internal-alias")).toMatchObject([{ name: "c-int-lb.elb.example" }]);
    expect(graph.named("aws:route53/zone:Zone", "c-dns-internal-zone").inputs).toMatchObject({
      name: "k8s.sandbox.example.com",
      vpcs: [{ vpcId: "c-network-vpc-id" }],
    });
    const attached = graph.ofType("aws:lb/targetGroupAttachment:TargetGroupAttachment");
    expect(attached.map(({ name }) => name).filter((name) => name.includes("-1-"))).toEqual([
      "c-control-plane-1-api",
      "c-control-plane-1-internal-api",
    ]);
    const before = graph.before(graph.named(APPLY, "c-control-plane-1")).map(({ name }) => name);
    expect(before).toEqual(
      expect.arrayContaining([
        "c-dns-alias",
        "c-dns-internal-alias",
        ...attached.slice(0, 2).map(({ name }) => name),
      ]),
    );
  });

  it("keeps a working load balancer while it changes from public to internal", async () => {
    const network = { zones: ["us-east-1a"] };
    const controlPlane = { machineCount: 1 };
    const [open, both, inner] = [
      await make({ network, controlPlane }),
      await make({ network, controlPlane, exposure: "both" }),
      await make({ network, controlPlane, exposure: "internal" }),
    ];
    const balancers = (graph: Graph) =>
      graph.ofType("aws:lb/loadBalancer:LoadBalancer").map(({ name }) => name);
    expect(balancers(open.graph)).toEqual(["c-api-lb"]);
    expect(balancers(both.graph)).toEqual(["c-api-lb", "c-int-lb"]);
    expect(balancers(inner.graph)).toEqual(["c-int-lb"]);
    expect(inner.graph.named("aws:lb/loadBalancer:LoadBalancer", "c-int-lb").inputs).toEqual(
      both.graph.named("aws:lb/loadBalancer:LoadBalancer", "c-int-lb").inputs,
    );
  });

  it("works without a load balancer", async () => {
    const { value, graph } = await make({ exposure: "direct" });
    expect(graph.ofType("aws:lb/loadBalancer:LoadBalancer")).toEqual([]);
    expect(graph.named("aws:route53/record:Record", "c-dns-alias").inputs).toMatchObject({
      records: ["198.51.100.1", "198.51.100.2", "198.51.100.3"],
    });
    expect(
      graph.named(
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
        "c-control-plane-2-to-api",
      ).inputs.securityGroupId,
    ).toBe("c-firewall-control-plane-id");
    expect(await valueOf(value.loadBalancerDnsName)).toBeUndefined();
    expect(await valueOf(value.endpoint)).toBe("https://k8s.sandbox.example.com:6443");
  });

  it("reaches machines in private subnets from within the network", async () => {
    const { value, graph } = await make({
      network: { zones, nat: "perZone" },
      exposure: "internal",
      controlPlane: { subnets: "private" },
    });
    const machine = graph.named(INSTANCE, "c-control-plane-2");
    expect(machine.inputs).toMatchObject({
      subnetId: "c-network-private-us-east-1b-id",
      associatePublicIpAddress: false,
    });
    expect(machine.inputs).not.toHaveProperty("userDataBase64");
    for (const name of ["c-control-plane-1", "c-control-plane-2"]) {
      const { node, endpoint } = graph.named(APPLY, name).inputs;
      expect([node, endpoint]).toEqual(Array(2).fill(`10.0.0.${name.slice(-1)}`));
    }
    expect(graph.named(talos("ClientConfiguration"), "c-client").inputs).toMatchObject({
      endpoints: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
    });
    expect(graph.named(TURN, "c-control-plane-2-turn").inputs).toMatchObject({ node: "10.0.0.1" });
    // The internal load balancer sees the machines' own addresses.
    expect(graph.ofType(INGRESS).filter(({ name }) => name.endsWith("-to-api"))).toEqual([]);
    expect((await valueOf(value.nodes)).map(({ privateAddress }) => privateAddress)).toEqual([
      "10.0.0.1",
      "10.0.0.2",
      "10.0.0.3",
    ]);
  });

  it("reaches machines in private subnets through the public load balancer", async () => {
    const { graph } = await make({
      network: { zones, nat: "single" },
      talosApiThroughLoadBalancer: true,
      machineConfiguration: { certSans: ["talos.example.com"] },
      controlPlane: {
        subnets: "private",
        delivery: "userData",
        machines: { "1": { patches: ["machine: {sysctls: {vm.swappiness: '1'}}"] } },
      },
    });
    const name = "k8s.sandbox.example.com";
    expect(graph.named(APPLY, "c-control-plane-2").inputs).toMatchObject({
      node: "10.0.0.2",
      endpoint: name,
      delivery: "userData",
    });
    const bootstrap = graph.named(talos("MachineBootstrap"), "c-bootstrap").inputs;
    expect(bootstrap).toMatchObject({ node: "10.0.0.1", endpoint: name, peers: [] });
    for (const kind of ["ClusterKubeconfig c-kubeconfig", "ClusterHealth c-health"]) {
      const [type = "", resource = ""] = kind.split(" ");
      expect(graph.named(talos(type), resource).inputs).toMatchObject({ endpoint: name });
    }
    expect(graph.named(talos("ClientConfiguration"), "c-client").inputs).toMatchObject({
      endpoints: [name],
      nodes: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
    });
    expect(graph.named(talos("MachineConfiguration"), "c-control-plane").inputs).toMatchObject({
      certSans: ["talos.example.com", name],
    });
    // Operators come in at the load balancer alone, machines by the address of the NAT.
    const rules = graph.ofType(INGRESS).map((rule) => rule.name);
    expect(rules).toContain("c-firewall-load-balancer-tcp-50000-from-203.0.113.0-24");
    expect(rules).not.toContain("c-firewall-control-plane-tcp-50000-from-203.0.113.0-24");
    expect(graph.named(INGRESS, "c-nat-to-api").inputs).toMatchObject({
      securityGroupId: "c-firewall-load-balancer-id",
      cidrIpv4: "198.51.100.200/32",
      fromPort: 6443,
    });
    const ports = graph.ofType("aws:lb/listener:Listener").map(({ inputs }) => inputs.port);
    expect(new Set(ports)).toEqual(new Set([6443, 50000]));
  });

  it("starts machines with user data only when their network path exists", async () => {
    const patches = ["machine: {sysctls: {vm.swappiness: '1'}}"];
    const { graph } = await make({
      controlPlane: { delivery: "userData", machines: { "1": { patches } } },
    });
    const machine = graph.named(INSTANCE, "c-control-plane-1");
    expect(machine.secretInputs).toContain("userDataBase64");
    expect(machine.ignoreChanges).toContain("userDataBase64");
    expect(machine.inputs.metadataOptions).toMatchObject({ httpPutResponseHopLimit: 1 });
    expect(decoded(machine.inputs.userDataBase64)).toContain("vm.swappiness");
    const before = graph.before(machine).map(({ name }) => name);
    expect(before).toEqual(
      expect.arrayContaining([
        "c-dns-alias",
        "c-network-public-internet",
        "c-firewall-control-plane-tcp-2379-2380-from-control-plane",
      ]),
    );
  });

  it("puts EPHEMERAL on etcd's volume", async () => {
    const etcdVolume = { sizeGib: 20, iops: 6000 };
    const { graph } = await make({ controlPlane: { etcdVolume, machineCount: 1 } });
    expect(graph.named(INSTANCE, "c-control-plane-1").inputs.ebsBlockDevices).toMatchObject([
      { volumeType: "gp3", volumeSize: 20, iops: 6000, throughput: 125, encrypted: true },
    ]);
    expect(graph.named(APPLY, "c-control-plane-1").inputs.patches).toMatchObject([
      { kind: "VolumeConfig", name: "EPHEMERAL" },
    ]);
  });

  it("answers over IPv6 in a network that has it", async () => {
    const { graph } = await make({
      network: { zones, ipv6: true },
      allowWorldToKubernetesApi: true,
    });
    expect(graph.named("aws:lb/loadBalancer:LoadBalancer", "c-api-lb").inputs).toMatchObject({
      ipAddressType: "dualstack",
    });
    expect(graph.named("aws:route53/record:Record", "c-dns-alias-ipv6").inputs).toMatchObject({
      type: "AAAA",
      aliases: [{ name: "c-api-lb.elb.example" }],
    });
  });

  it("allows private machines by the NAT addresses of an adopted network, each once", async () => {
    const ids = (tier: string) =>
      Object.fromEntries(zones.map((zone) => [zone, `subnet-${tier}-${zone}`]));
    const natAddresses = {
      "us-east-1a": "192.0.2.1",
      "us-east-1b": "192.0.2.1",
      "us-east-1c": "192.0.2.2",
    };
    const adopt = {
      vpcId: "vpc-1",
      publicSubnetIds: ids("public"),
      privateSubnetIds: ids("private"),
      natAddresses,
    };
    const { graph } = await make(
      {
        network: { adopt },
        kubernetesApiCidrs: ["192.0.2.2/32"],
        workerPools: { apps: { machineCount: 1, subnets: "private" } },
      },
      {
        "aws:ec2/getVpc:getVpc": () => ({
          cidrBlock: "10.0.0.0/16",
          cidrBlockAssociations: [],
          enableDnsSupport: true,
          enableDnsHostnames: true,
        }),
        "aws:ec2/getSubnet:getSubnet": ({ id }) => ({
          vpcId: "vpc-1",
          availabilityZone: String(id).replace(/^subnet-(public|private)-/, ""),
        }),
      },
    );
    const rules = graph.ofType(INGRESS).filter(({ name }) => name.startsWith("c-nat-"));
    expect(rules.map(({ name, inputs }) => [name, inputs.cidrIpv4])).toEqual([
      ["c-nat-192.0.2.1-to-api", "192.0.2.1/32"],
    ]);
  });

  it("assigns no IPv6 address if no rule allows IPv6 clients", async () => {
    const network = { zones, ipv6: true };
    const aliases = async (exposure: "public" | "internal" | "both") => {
      const { graph } = await make({ network, exposure });
      const records = graph.ofType("aws:route53/record:Record").map(({ name }) => name);
      return records.filter((name) => name.endsWith("-ipv6"));
    };
    expect(await aliases("public")).toEqual([]);
    expect(await aliases("internal")).toEqual(["c-dns-alias-ipv6"]);
    expect(await aliases("both")).toEqual(["c-dns-internal-alias-ipv6"]);
  });

  it("assigns an IPv6 address if a rule allows IPv6 clients", async () => {
    const { graph } = await make({
      network: { zones, ipv6: true },
      kubernetesApiCidrs: ["203.0.113.0/24", "2001:db8::/48"],
    });
    const named = (type: string) => graph.ofType(type).map(({ name }) => name);
    expect(named("aws:route53/record:Record")).toContain("c-dns-alias-ipv6");
    const rule = graph.named(
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      "c-firewall-load-balancer-tcp-6443-from-2001-db8---48",
    );
    expect(rule.inputs).toMatchObject({ cidrIpv6: "2001:db8::/48", fromPort: 6443 });
  });
});
