import {
  DescribeAddressesCommand,
  DescribeFlowLogsCommand,
  DescribeNatGatewaysCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type EC2Client,
} from "@aws-sdk/client-ec2";
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { Firewall, type FirewallArgs, Network, type NetworkArgs } from "../../components";
import { type AwsWorld, REGION, startAwsWorld } from "./support/awsWorld";
import { lifeSteps } from "./support/lifeSteps";
import { outputsIn, storedResources } from "./support/storedResources";

/** Everything there is to choose. */
const richest: Omit<NetworkArgs, "clusterName"> = {
  zones: ["us-east-1a", "us-east-1b"],
  nat: "perZone",
  ipv6: true,
  gatewayEndpoints: ["s3", "dynamodb"],
  interfaceEndpoints: ["sts"],
  workerCidrBlock: "100.64.0.0/16",
  flowLogs: { logGroupArn: `arn:aws:logs:${REGION}:123456789012:log-group:flows` },
  tags: { team: "storage" },
};
const strictest: Omit<FirewallArgs, "clusterName" | "vpcId"> = {
  operatorCidrs: ["203.0.113.0/24"],
  kubernetesApiCidrs: ["198.51.100.0/24", "2001:db8:1200::/48"],
  exposure: "both",
  talosApiThroughLoadBalancer: true,
  cni: "calico",
  kubeSpan: true,
  kubeSpanCidrs: ["192.0.2.0/24"],
  monitoring: ["kubelet", "controlPlane", "nodeExporter"],
  ipv6: true,
  extraRules: {
    web: {
      group: "worker",
      protocol: "tcp",
      ports: { from: 80, to: 443 },
      from: { world: true },
      description: "Web",
    },
  },
};

describe("a network and its firewall, by the real engine", () => {
  const step = lifeSteps();
  let network = richest;
  let firewall = strictest;
  let adopt: NetworkArgs["adopt"];
  let world: AwsWorld;
  let ec2: EC2Client;
  let stack: Stack;

  beforeAll(async () => {
    world = await startAwsWorld("network", () => Promise.resolve(program()));
    ({ ec2, stack } = world);
  });

  afterAll(() => world.close());

  function program() {
    const made = new Network("net", { clusterName: "demo", ...network });
    new Firewall("fw", { clusterName: "demo", vpcId: made.vpcId, ...firewall });
    const adopted = adopt && new Network("adopted", { clusterName: "other", adopt });
    return {
      vpcId: made.vpcId,
      publicSubnetIds: made.publicSubnetIds,
      privateSubnetIds: made.privateSubnetIds,
      natAddresses: made.natAddresses,
      adoptedVpcId: adopted?.vpcId,
    };
  }

  /** What a preview would do, as "operation name". */
  async function preview(): Promise<string[]> {
    const steps: string[] = [];
    await stack.preview({ onEvent: (event) => collect(event, steps) });
    return steps.sort();
  }

  async function tagsOf(id: string | undefined): Promise<Record<string, string>> {
    const { Subnets } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id ?? ""] }));
    const tags = Subnets?.[0]?.Tags ?? [];
    return Object.fromEntries(tags.map(({ Key = "", Value = "" }) => [Key, Value]));
  }

  const outputs = async () => outputsIn(await storedResources(stack));

  step("is refused in another region than its zones', before anything is made", async () => {
    network = { zones: ["eu-central-1a"] };
    const vpcs = async () => (await ec2.send(new DescribeVpcsCommand({}))).Vpcs?.length;
    const before = await vpcs();
    const refusal = `zones[0]: "eu-central-1a" is in the region "eu-central-1", and AWS is asked in "${REGION}": name zones of "${REGION}", or run "pulumi config set aws:region eu-central-1"`;
    await expect(stack.preview()).rejects.toThrow(refusal);
    await expect(stack.up()).rejects.toThrow(refusal);
    expect(await vpcs()).toBe(before);
    network = richest;
  });

  step("is created with all options, and needs no change afterwards", async () => {
    await stack.up();
    const { vpcId, natAddresses } = await outputs();
    const { Subnets } = await ec2.send(
      new DescribeSubnetsCommand({
        Filters: [{ Name: "vpc-id", Values: [String(vpcId)] }],
      }),
    );
    expect(Subnets?.map(({ CidrBlock }) => CidrBlock).sort()).toEqual([
      "10.0.0.0/20",
      "10.0.128.0/20",
      "10.0.144.0/20",
      "10.0.16.0/20",
      "100.64.0.0/19",
      "100.64.32.0/19",
    ]);
    expect(Subnets?.every((each) => each.Ipv6CidrBlockAssociationSet?.length === 1)).toBe(true);
    expect(natAddresses).toEqual({
      "us-east-1a": expect.stringMatching(/^127\./) as string,
      "us-east-1b": expect.stringMatching(/^127\./) as string,
    });
    const { SecurityGroupRules } = await ec2.send(new DescribeSecurityGroupRulesCommand({}));
    const fromWorld = (SecurityGroupRules ?? []).filter(
      (rule) => rule.IsEgress === false && (rule.CidrIpv4 ?? rule.CidrIpv6 ?? "").endsWith("/0"),
    );
    expect(fromWorld.map(({ Description }) => Description)).toEqual(["Web", "Web"]);
    const { FlowLogs } = await ec2.send(new DescribeFlowLogsCommand({}));
    expect(FlowLogs).toHaveLength(1);
    const { summary } = await stack.refresh();
    expect(Object.keys(summary.resourceChanges ?? {})).toEqual(["same"]);
  });

  step("changes exactly what an option affects", async () => {
    firewall = { ...strictest, kubeSpanCidrs: [], monitoring: ["kubelet", "controlPlane"] };
    network = { ...richest, zones: ["us-east-1c", "us-east-1a", "us-east-1b"] };
    // Nor was anything left to change before.
    expect(await preview()).toEqual([
      "create net-nat-us-east-1c",
      "create net-nat-us-east-1c",
      "create net-private-us-east-1c",
      "create net-private-us-east-1c",
      "create net-private-us-east-1c",
      "create net-private-us-east-1c-internet",
      "create net-private-us-east-1c-internet-ipv6",
      "create net-public-us-east-1c",
      "create net-public-us-east-1c",
      "create net-worker-us-east-1c",
      "create net-worker-us-east-1c",
      "delete fw-control-plane-tcp-9100-from-control-plane",
      "delete fw-control-plane-tcp-9100-from-worker",
      "delete fw-control-plane-udp-51820-from-192.0.2.0-24",
      "delete fw-worker-tcp-9100-from-control-plane",
      "delete fw-worker-tcp-9100-from-worker",
      "delete fw-worker-udp-51820-from-192.0.2.0-24",
      "update net-dynamodb",
      "update net-s3",
      "update net-sts",
    ]);
    firewall = strictest;
  });

  step(
    "changes to a single NAT gateway, which moves with its address, and is adopted",
    async () => {
      network = { ...richest, nat: "single" };
      await stack.up();
      const before = await outputs();
      const vpcId = String(before.vpcId);
      const publicSubnetIds = before.publicSubnetIds as Record<string, string>;
      const privateSubnetIds = before.privateSubnetIds as Record<string, string>;
      network = { ...richest, nat: "single", natZone: "us-east-1b" };
      adopt = { vpcId, publicSubnetIds, privateSubnetIds, tagSubnets: true };
      await stack.up();
      const { natAddresses, adoptedVpcId } = await outputs();
      expect(natAddresses).toEqual(before.natAddresses);
      const { NatGateways } = await ec2.send(new DescribeNatGatewaysCommand({}));
      const there = (NatGateways ?? []).filter(({ State }) => State === "available");
      expect(there.map(({ SubnetId }) => SubnetId)).toEqual([publicSubnetIds["us-east-1b"]]);
      expect(adoptedVpcId).toBe(vpcId);
      expect(await tagsOf(privateSubnetIds["us-east-1a"])).toMatchObject({
        "kubernetes.io/cluster/demo": "owned",
        "kubernetes.io/cluster/other": "shared",
        "kubernetes.io/role/internal-elb": "1",
      });
      adopt = undefined;
      await stack.up();
      const left = await tagsOf(publicSubnetIds["us-east-1a"]);
      expect(left).toMatchObject({ "kubernetes.io/role/elb": "1" });
      expect(left).not.toHaveProperty("kubernetes.io/cluster/other");
    },
  );

  step("is destroyed and leaves nothing behind", async () => {
    await stack.destroy();
    const { Vpcs } = await ec2.send(new DescribeVpcsCommand({}));
    expect(Vpcs?.filter(({ IsDefault }) => IsDefault !== true)).toEqual([]);
    const { Addresses } = await ec2.send(new DescribeAddressesCommand({}));
    expect(Addresses).toEqual([]);
  });
});

function collect(event: EngineEvent, steps: string[]): void {
  const step = event.resourcePreEvent?.metadata;
  if (step === undefined || ["same", "read", "refresh"].includes(step.op)) {
    return;
  }
  if (!step.type.startsWith("pulumi:")) {
    steps.push(`${step.op} ${step.urn.split("::").pop() ?? ""}`);
  }
}
