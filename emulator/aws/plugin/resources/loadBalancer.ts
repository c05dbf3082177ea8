import {
  CreateLoadBalancerCommand,
  DeleteLoadBalancerCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  type LoadBalancer,
  ModifyLoadBalancerAttributesCommand,
  SetIpAddressTypeCommand,
  SetSecurityGroupsCommand,
  SetSubnetsCommand,
  IpAddressType,
  LoadBalancerTypeEnum,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { chosenName } from "../autoname";
import { unlessMissing, waitUntil } from "../awsErrors";
import type { Inputs } from "../inputs";
import {
  loadBalancingAttributes,
  loadBalancingTagging,
  loadBalancingTags,
  newTags,
} from "../loadBalancing";
import { nameProperties } from "../nameProperties";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { containsUnknown } from "../value";
import { memberOf, loadBalancingName, loadBalancingPrefix } from "../valueRules";

const MISSING = ["LoadBalancerNotFound", "LoadBalancerNotFoundException"];

/** Properties that are attributes of the load balancer, by AWS' key. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  enableCrossZoneLoadBalancing: "load_balancing.cross_zone.enabled",
  enableDeletionProtection: "deletion_protection.enabled",
};

/** The fields of `accessLogs`, which are attributes of the load balancer, by AWS' key. */
const LOGS = {
  enabled: "access_logs.s3.enabled",
  bucket: "access_logs.s3.bucket",
  prefix: "access_logs.s3.prefix",
} as const;

/** `aws.lb.LoadBalancer` */
export const loadBalancer: ResourceKind = {
  type: "aws:lb/loadBalancer:LoadBalancer",
  title: "load balancer",
  regional: true,
  autoname: { maxLength: 32 },
  inputs: {
    ...nameProperties(loadBalancingName, loadBalancingPrefix(6)),
    loadBalancerType: {
      type: "string",
      default: "application",
      replaces: true,
      rule: memberOf(LoadBalancerTypeEnum),
    },
    internal: { type: "boolean", computed: true, replaces: true },
    ipAddressType: { type: "string", computed: true, rule: memberOf(IpAddressType) },
    subnets: { type: "strings", required: true, unordered: true },
    securityGroups: { type: "strings", computed: true, unordered: true },
    enableCrossZoneLoadBalancing: { type: "boolean", default: false },
    enableDeletionProtection: { type: "boolean", default: false },
    // The provider leaves the logs on when the block is missing
    // (SuppressMissingOptionalConfigurationBlock in internal/service/elbv2/load_balancer.go).
    accessLogs: {
      type: "block",
      computed: true,
      fields: {
        bucket: { type: "string", required: true },
        enabled: { type: "boolean", default: false },
        prefix: { type: "string" },
      },
    },
  },
  outputs: ["arn", "arnSuffix", "dnsName", "tagsAll", "vpcId", "zoneId"],
  tagging: loadBalancingTagging,

  create: async (context, inputs) => {
    const { loadBalancing } = context.aws;
    const { LoadBalancers } = await loadBalancing.send(
      new CreateLoadBalancerCommand({
        Name: chosenName(inputs, { maxLength: 32 }),
        Type: inputs.string("loadBalancerType") as LoadBalancerTypeEnum | undefined,
        Scheme: inputs.boolean("internal") === true ? "internal" : "internet-facing",
        IpAddressType: inputs.string("ipAddressType") as IpAddressType | undefined,
        Subnets: inputs.strings("subnets"),
        SecurityGroups: inputs.strings("securityGroups"),
        Tags: newTags(context.tagsOf(inputs)),
      }),
    );
    const arn = LoadBalancers?.[0]?.LoadBalancerArn ?? "";
    return afterCreate(arn, async () => {
      await waitUntil(`the load balancer "${arn}" to be active`, context.signal, async () => {
        const live = await describe(context, arn);
        return live?.State?.Code === "active";
      });
      await setAttributes(context, arn, inputs, Object.keys(ATTRIBUTES));
      if (inputs.has("accessLogs")) {
        await setLogs(context, arn, inputs);
      }
    });
  },

  read: async (context, arn) => {
    const live = await describe(context, arn);
    if (live === undefined) {
      return undefined;
    }
    const [attributes, tagsAll] = await Promise.all([
      context.aws.loadBalancing.send(
        new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn }),
      ),
      loadBalancingTags(context, arn),
    ]);
    const value = (key: string | undefined) =>
      attributes.Attributes?.find(({ Key }) => Key === key)?.Value ?? "";
    const flag = (name: string): boolean => value(ATTRIBUTES[name]) === "true";
    const [bucket, prefix] = [value(LOGS.bucket), value(LOGS.prefix)];
    const enabled = value(LOGS.enabled) === "true";
    return {
      arn,
      arnSuffix: arn.split(":loadbalancer/").pop() ?? "",
      name: live.LoadBalancerName ?? "",
      loadBalancerType: live.Type ?? "application",
      internal: live.Scheme === "internal",
      ipAddressType: live.IpAddressType ?? "ipv4",
      subnets: (live.AvailabilityZones ?? []).map(({ SubnetId }) => SubnetId ?? ""),
      securityGroups: live.SecurityGroups ?? [],
      dnsName: live.DNSName ?? "",
      zoneId: live.CanonicalHostedZoneId ?? "",
      vpcId: live.VpcId ?? "",
      enableCrossZoneLoadBalancing: flag("enableCrossZoneLoadBalancing"),
      enableDeletionProtection: flag("enableDeletionProtection"),
      accessLogs: { bucket, enabled, ...(prefix !== "" && { prefix }) },
      tagsAll,
    };
  },

  replacesOn: (property, olds, news) => {
    if (news.string("loadBalancerType") !== "network" || containsUnknown(news.values[property])) {
      return false;
    }
    const before = olds.strings(property) ?? [];
    const after = news.strings(property) ?? [];
    // A network load balancer without security groups can never get any, and one with groups can't
    // lose the last. It takes more subnets in place; as many others, or fewer, replace it
    // (customizeDiffLoadBalancerNLB in terraform-provider-aws 6.58, internal/service/elbv2/load_balancer.go).
    return property === "securityGroups"
      ? (before.length === 0) !== (after.length === 0)
      : property === "subnets" && after.length <= before.length;
  },

  update: async (context, arn, { news, touches }) => {
    const { loadBalancing } = context.aws;
    if (touches("subnets")) {
      const Subnets = news.strings("subnets");
      await loadBalancing.send(new SetSubnetsCommand({ LoadBalancerArn: arn, Subnets }));
    }
    if (touches("securityGroups")) {
      const SecurityGroups = news.strings("securityGroups");
      await loadBalancing.send(
        new SetSecurityGroupsCommand({ LoadBalancerArn: arn, SecurityGroups }),
      );
    }
    if (touches("ipAddressType")) {
      const type = news.requiredString("ipAddressType") as IpAddressType;
      await loadBalancing.send(
        new SetIpAddressTypeCommand({ LoadBalancerArn: arn, IpAddressType: type }),
      );
    }
    const attributes = Object.keys(ATTRIBUTES).filter((name) => touches(name));
    await setAttributes(context, arn, news, attributes);
    if (touches("accessLogs")) {
      await setLogs(context, arn, news);
    }
  },

  delete: async (context, arn) => {
    await unlessMissing(MISSING, () =>
      context.aws.loadBalancing.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: arn })),
    );
    await waitUntil(
      `the load balancer "${arn}" to be gone`,
      context.signal,
      async () => (await describe(context, arn)) === undefined,
    );
  },
};

async function describe(context: OperationContext, arn: string): Promise<LoadBalancer | undefined> {
  const found = await unlessMissing(MISSING, () =>
    context.aws.loadBalancing.send(new DescribeLoadBalancersCommand({ LoadBalancerArns: [arn] })),
  );
  return found?.LoadBalancers?.[0];
}

async function setAttributes(
  context: OperationContext,
  arn: string,
  inputs: Inputs,
  names: readonly string[],
): Promise<void> {
  const Attributes = loadBalancingAttributes(ATTRIBUTES, inputs, names);
  if (Attributes.length > 0) {
    await context.aws.loadBalancing.send(
      new ModifyLoadBalancerAttributesCommand({ LoadBalancerArn: arn, Attributes }),
    );
  }
}

/** Without the block, logs are turned off. */
async function setLogs(context: OperationContext, arn: string, inputs: Inputs): Promise<void> {
  const logs = inputs.block("accessLogs");
  const values: Readonly<Record<keyof typeof LOGS, string>> = {
    enabled: String(logs?.boolean("enabled") === true),
    bucket: logs?.string("bucket") ?? "",
    prefix: logs?.string("prefix") ?? "",
  };
  const Attributes = Object.entries(values).map(([name, Value]) => ({
    Key: LOGS[name as keyof typeof LOGS],
    Value,
  }));
  await context.aws.loadBalancing.send(
    new ModifyLoadBalancerAttributesCommand({ LoadBalancerArn: arn, Attributes }),
  );
}
