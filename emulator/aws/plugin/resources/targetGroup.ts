import {
  CreateTargetGroupCommand,
  DeleteTargetGroupCommand,
  DescribeTargetGroupAttributesCommand,
  DescribeTargetGroupsCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  ProtocolEnum,
  TargetTypeEnum,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { chosenName } from "../autoname";
import { retryWhile, unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import {
  loadBalancingAttributes,
  loadBalancingTagging,
  loadBalancingTags,
  newTags,
} from "../loadBalancing";
import { nameProperties } from "../nameProperties";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import type { Value } from "../value";
import {
  between,
  oneOf,
  memberOf,
  text,
  booleanText,
  loadBalancingName,
  loadBalancingPrefix,
  SUFFIX_LENGTH,
  type ValueRule,
} from "../valueRules";

const MISSING = ["TargetGroupNotFound", "TargetGroupNotFoundException"];

/** Properties that are attributes of the target group, by AWS' key. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  deregistrationDelay: "deregistration_delay.timeout_seconds",
  connectionTermination: "deregistration_delay.connection_termination.enabled",
  preserveClientIp: "preserve_client_ip.enabled",
  proxyProtocolV2: "proxy_protocol_v2.enabled",
};

/** A port as text, or that of each target. */
const checkPort: ValueRule = {
  expected: 'a port, or "traffic-port"',
  holds: (value) => value === "traffic-port" || (Number(value) >= 1 && Number(value) <= 65_536),
};

/** `aws.lb.TargetGroup` */
export const targetGroup: ResourceKind = {
  type: "aws:lb/targetGroup:TargetGroup",
  title: "target group",
  regional: true,
  autoname: { maxLength: 32 },
  inputs: {
    ...nameProperties(loadBalancingName, loadBalancingPrefix(32 - SUFFIX_LENGTH)),
    port: { type: "number", required: true, replaces: true, rule: between(1, 65_535) },
    protocol: { type: "string", required: true, replaces: true, rule: memberOf(ProtocolEnum) },
    targetType: {
      type: "string",
      default: "instance",
      replaces: true,
      rule: memberOf(TargetTypeEnum),
    },
    vpcId: { type: "string", replaces: true },
    deregistrationDelay: { type: "number", computed: true, rule: between(0, 3600) },
    connectionTermination: { type: "boolean", computed: true },
    preserveClientIp: { type: "string", computed: true, rule: booleanText },
    proxyProtocolV2: { type: "boolean", default: false },
    healthCheck: {
      type: "block",
      computed: true,
      fields: {
        enabled: { type: "boolean", default: true },
        protocol: { type: "string", computed: true, rule: oneOf("HTTP", "HTTPS", "TCP") },
        port: { type: "string", default: "traffic-port", rule: checkPort },
        path: {
          type: "string",
          computed: true,
          rule: text(1, 1024, { matches: /^[/]/, expected: "that begins with /" }),
        },
        matcher: { type: "string", computed: true },
        interval: { type: "number", default: 30, rule: between(5, 300) },
        timeout: { type: "number", computed: true, rule: between(2, 120) },
        healthyThreshold: { type: "number", default: 3, rule: between(2, 10) },
        unhealthyThreshold: { type: "number", default: 3, rule: between(2, 10) },
      },
    },
  },
  outputs: ["arn", "arnSuffix", "loadBalancerArns", "tagsAll"],
  tagging: loadBalancingTagging,

  create: async (context, inputs) => {
    const { TargetGroups } = await context.aws.loadBalancing.send(
      new CreateTargetGroupCommand({
        Name: chosenName(inputs, { maxLength: 32 }),
        Port: inputs.number("port"),
        Protocol: inputs.requiredString("protocol") as ProtocolEnum,
        TargetType: inputs.string("targetType") as TargetTypeEnum | undefined,
        VpcId: inputs.string("vpcId"),
        ...healthCheck(inputs),
        Tags: newTags(context.tagsOf(inputs)),
      }),
    );
    const arn = TargetGroups?.[0]?.TargetGroupArn ?? "";
    return afterCreate(arn, () => setAttributes(context, arn, inputs, Object.keys(ATTRIBUTES)));
  },

  read: async (context, arn) => {
    const { loadBalancing } = context.aws;
    const found = await unlessMissing(MISSING, () =>
      loadBalancing.send(new DescribeTargetGroupsCommand({ TargetGroupArns: [arn] })),
    );
    const live = found?.TargetGroups?.[0];
    if (live === undefined) {
      return undefined;
    }
    const [{ Attributes }, tagsAll] = await Promise.all([
      loadBalancing.send(new DescribeTargetGroupAttributesCommand({ TargetGroupArn: arn })),
      loadBalancingTags(context, arn),
    ]);
    const attribute = (name: string): string | undefined =>
      Attributes?.find(({ Key }) => Key === ATTRIBUTES[name])?.Value;
    return {
      arn,
      arnSuffix: arn.split(":").pop() ?? "",
      name: live.TargetGroupName ?? "",
      port: live.Port ?? null,
      protocol: live.Protocol ?? null,
      targetType: live.TargetType ?? "instance",
      vpcId: live.VpcId ?? null,
      loadBalancerArns: live.LoadBalancerArns ?? [],
      deregistrationDelay: Number(attribute("deregistrationDelay") ?? 300),
      connectionTermination: attribute("connectionTermination") === "true",
      preserveClientIp: attribute("preserveClientIp") ?? null,
      proxyProtocolV2: attribute("proxyProtocolV2") === "true",
      healthCheck: withoutNulls({
        enabled: live.HealthCheckEnabled ?? true,
        protocol: live.HealthCheckProtocol ?? null,
        port: live.HealthCheckPort ?? null,
        path: live.HealthCheckPath ?? null,
        matcher: live.Matcher?.HttpCode ?? null,
        interval: live.HealthCheckIntervalSeconds ?? null,
        timeout: live.HealthCheckTimeoutSeconds ?? null,
        healthyThreshold: live.HealthyThresholdCount ?? null,
        unhealthyThreshold: live.UnhealthyThresholdCount ?? null,
      }),
      tagsAll,
    };
  },

  update: async (context, arn, { news, touches }) => {
    if (touches("healthCheck")) {
      await context.aws.loadBalancing.send(
        new ModifyTargetGroupCommand({ TargetGroupArn: arn, ...healthCheck(news) }),
      );
    }
    const attributes = Object.keys(ATTRIBUTES).filter((name) => touches(name));
    await setAttributes(context, arn, news, attributes);
  },

  delete: async (context, arn) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["ResourceInUse", "ResourceInUseException"], context.signal, () =>
        context.aws.loadBalancing.send(new DeleteTargetGroupCommand({ TargetGroupArn: arn })),
      ),
    );
  },
};

function healthCheck(inputs: Inputs) {
  const check = inputs.block("healthCheck");
  if (check === undefined) {
    return {};
  }
  const matcher = check.string("matcher");
  return {
    HealthCheckEnabled: check.boolean("enabled"),
    HealthCheckProtocol: check.string("protocol") as ProtocolEnum | undefined,
    HealthCheckPort: check.string("port"),
    HealthCheckPath: check.string("path"),
    Matcher: matcher === undefined ? undefined : { HttpCode: matcher },
    HealthCheckIntervalSeconds: check.number("interval"),
    HealthCheckTimeoutSeconds: check.number("timeout"),
    HealthyThresholdCount: check.number("healthyThreshold"),
    UnhealthyThresholdCount: check.number("unhealthyThreshold"),
  };
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
      new ModifyTargetGroupAttributesCommand({ TargetGroupArn: arn, Attributes }),
    );
  }
}

function withoutNulls(values: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
