import { X509Certificate } from "node:crypto";
import { DescribeAutoScalingGroupsCommand } from "@aws-sdk/client-auto-scaling";
import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeNatGatewaysCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  type IpPermission,
} from "@aws-sdk/client-ec2";
import {
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { ListHostedZonesCommand, ListResourceRecordSetsCommand } from "@aws-sdk/client-route-53";
import type { Deployment } from "@pulumi/pulumi/automation";
import { parse } from "yaml";
import { readResources } from "../../../cli/stackResource";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import type { Account } from "./account";
import { exportedOutputs } from "./exportedOutputs";

const HOUR_MS = 3_600_000;

/** What a stack that is up is like, by AWS, its machines, its credentials and its state. */
export async function stackFacts(account: Account, exported: Deployment) {
  const outputs = exportedOutputs(exported);
  const text = (name: string) => String(outputs[name]?.value);
  const vpcId = text("vpcId");
  const host = new URL(text("endpoint")).hostname;
  const { addressOfControlPlane, ...machines } = await machineFacts(account, vpcId);
  const [network, entrance, pools, nodes] = await Promise.all([
    networkFacts(account, vpcId),
    entranceFacts(account, vpcId, host),
    poolFacts(account, outputs.autoScalingGroupNames?.value as Record<string, object>),
    nodeFacts(text("kubeconfig"), addressOfControlPlane),
  ]);
  return {
    endpoint: text("endpoint"),
    ...machines,
    ...network,
    ...entrance,
    pools,
    nodes,
    protectedNames: protectedFacts(exported),
    accessHours: certificateHours(text("talosconfig")),
  };
}

/** Machines as `<name> <type> <zone> <public or private>`, by what AWS tells of them. */
async function machineFacts({ ec2 }: Account, vpcId: string) {
  const { Reservations = [] } = await ec2.send(
    new DescribeInstancesCommand({
      Filters: [
        { Name: "vpc-id", Values: [vpcId] },
        { Name: "instance-state-name", Values: ["running"] },
      ],
    }),
  );
  const instances = Reservations.flatMap(({ Instances = [] }) => Instances).map((instance) => ({
    ...instance,
    name: instance.Tags?.find(({ Key }) => Key === "Name")?.Value ?? "",
  }));
  const { Volumes = [] } = await ec2.send(
    new DescribeVolumesCommand({
      Filters: [
        { Name: "attachment.instance-id", Values: instances.map((each) => each.InstanceId ?? "") },
      ],
    }),
  );
  const guarded = await Promise.all(
    instances.map(async ({ name, InstanceId }) => {
      const asked = { InstanceId, Attribute: "disableApiTermination" } as const;
      const { DisableApiTermination } = await ec2.send(new DescribeInstanceAttributeCommand(asked));
      return DisableApiTermination?.Value === true ? [name] : [];
    }),
  );
  const sizeOf = (id: string | undefined) =>
    Volumes.find(({ Attachments = [] }) => Attachments.some((at) => at.InstanceId === id))?.Size;
  return {
    addressOfControlPlane:
      instances.find(({ name }) => name.includes("control-plane"))?.PublicIpAddress ?? "",
    machines: instances
      .map(({ name, InstanceType: type, Placement, PublicIpAddress: address, InstanceId: id }) =>
        [
          name,
          type,
          Placement?.AvailabilityZone,
          `${sizeOf(id) ?? "no"} GiB`,
          address === undefined ? "private" : "public",
        ].join(" "),
      )
      .sort(),
    guardedMachines: guarded.flat().sort(),
    volumesInClear: Volumes.filter(({ Encrypted }) => Encrypted !== true).length,
    machinesWithoutImdsV2: instances.filter(
      ({ MetadataOptions }) => MetadataOptions?.HttpTokens !== "required",
    ).length,
  };
}

async function networkFacts({ ec2 }: Account, vpcId: string) {
  const Filters = [{ Name: "vpc-id", Values: [vpcId] }];
  const [{ Subnets = [] }, { NatGateways = [] }, { SecurityGroups = [] }] = await Promise.all([
    ec2.send(new DescribeSubnetsCommand({ Filters })),
    ec2.send(
      new DescribeNatGatewaysCommand({
        Filter: [...Filters, { Name: "state", Values: ["available"] }],
      }),
    ),
    ec2.send(new DescribeSecurityGroupsCommand({ Filters })),
  ]);
  return {
    subnets: Subnets.map(({ AvailabilityZone: zone, Tags = [] }) => {
      const isPublic = Tags.some(({ Key }) => Key === "kubernetes.io/role/elb");
      return `${isPublic ? "public" : "private"} ${zone ?? ""}`;
    }).sort(),
    natGateways: NatGateways.length,
    openToTheWorld: SecurityGroups.flatMap(({ GroupName = "", IpPermissions = [] }) =>
      IpPermissions.filter(isOpen).map(
        ({ IpProtocol: protocol = "", FromPort: from, ToPort: to }) =>
          `${GroupName} ${protocol} ${from ?? "all"}-${to ?? "all"}`,
      ),
    ),
  };
}

function isOpen({ IpRanges = [], Ipv6Ranges = [] }: IpPermission): boolean {
  return (
    IpRanges.some(({ CidrIp = "" }) => CidrIp.endsWith("/0")) ||
    Ipv6Ranges.some(({ CidrIpv6 = "" }) => CidrIpv6.endsWith("/0"))
  );
}

/** The zone that has the cluster's name, and whether that leads to its load balancer. */
async function entranceFacts({ loadBalancing, route53 }: Account, vpcId: string, host: string) {
  const { LoadBalancers = [] } = await loadBalancing.send(new DescribeLoadBalancersCommand({}));
  const [own, ...others] = LoadBalancers.filter(({ VpcId }) => VpcId === vpcId);
  const { Attributes = [] } = await loadBalancing.send(
    new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: own?.LoadBalancerArn }),
  );
  const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
  const zones = HostedZones.filter(({ Name = "" }) => `${host}.`.endsWith(`.${Name}`));
  const targets = await Promise.all(
    zones.map(async ({ Id }) => {
      const { ResourceRecordSets = [] } = await route53.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: Id }),
      );
      return ResourceRecordSets.filter(({ Name }) => Name === `${host}.`).map(({ AliasTarget }) =>
        AliasTarget?.DNSName?.replace(/\.$/, ""),
      );
    }),
  );
  return {
    zones: zones.map(({ Name }) => Name),
    leadsToItsLoadBalancer:
      others.length === 0 && targets.flat().length === 1 && targets.flat()[0] === own?.DNSName,
    loadBalancerIsGuarded:
      Attributes.find(({ Key }) => Key === "deletion_protection.enabled")?.Value === "true",
  };
}

/** Sizes of the groups of each pool that has some, as `<least> to <most>, now <count>`, by zone. */
async function poolFacts({ autoScaling }: Account, pools: Record<string, object>) {
  const names = Object.values(pools).flatMap((byZone) => Object.values(byZone) as string[]);
  if (names.length === 0) {
    return [];
  }
  const { AutoScalingGroups = [] } = await autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: names }),
  );
  return AutoScalingGroups.map(
    ({ MinSize: least, MaxSize: most, Instances = [], AvailabilityZones = [] }) =>
      `${AvailabilityZones.join(", ")}: ${least ?? "?"} to ${most ?? "?"}, now ${Instances.length}`,
  ).sort();
}

/** How many nodes Kubernetes has, that are ready, and that take workloads. */
async function nodeFacts(kubeconfig: string, address: string) {
  interface Node {
    readonly spec: { readonly taints?: readonly unknown[] };
    readonly status: {
      readonly conditions: readonly { readonly type: string; readonly status: string }[];
    };
  }
  const body = await new KubernetesApi(kubeconfig).get("/api/v1/nodes", {
    address,
    timeoutMs: 10_000,
  });
  const { items } = JSON.parse(body) as { readonly items: readonly Node[] };
  const isReady = ({ status: { conditions } }: Node) =>
    conditions.some(({ type, status }) => type === "Ready" && status === "True");
  return {
    all: items.length,
    ready: items.filter(isReady).length,
    forWorkloads: items.filter(({ spec }) => (spec.taints ?? []).length === 0).length,
  };
}

/** Names of what Pulumi refuses to delete, with the last part of the type. */
function protectedFacts(exported: Deployment): string[] {
  return readResources(exported)
    .filter(({ isProtected }) => isProtected)
    .map(({ type, name }) => `${type.split(":").at(-1) ?? ""} ${name}`)
    .sort();
}

/** How long administrators' certificates are valid. */
function certificateHours(talosconfig: string): number {
  const { contexts } = parse(talosconfig) as { contexts: Record<string, { crt: string }> };
  const [context] = Object.values(contexts);
  const certificate = new X509Certificate(Buffer.from(context?.crt ?? "", "base64"));
  const { validFrom, validTo } = certificate;
  return Math.round((Date.parse(validTo) - Date.parse(validFrom)) / HOUR_MS);
}
