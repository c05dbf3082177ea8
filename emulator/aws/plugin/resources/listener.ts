import {
  type Action,
  CreateListenerCommand,
  DeleteListenerCommand,
  DescribeListenerAttributesCommand,
  DescribeListenersCommand,
  ModifyListenerAttributesCommand,
  ModifyListenerCommand,
  ActionTypeEnum,
  ProtocolEnum,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import { loadBalancingTagging, loadBalancingTags, newTags } from "../loadBalancing";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { between, memberOf, arn } from "../valueRules";

const MISSING = ["ListenerNotFound", "ListenerNotFoundException"];

const IDLE_TIMEOUT = "tcp.idle_timeout.seconds";

/** `aws.lb.Listener`, with forward actions to a target group. */
export const listener: ResourceKind = {
  type: "aws:lb/listener:Listener",
  title: "listener",
  regional: true,
  inputs: {
    loadBalancerArn: { type: "string", required: true, replaces: true, rule: arn },
    port: { type: "number", rule: between(1, 65535) },
    protocol: { type: "string", computed: true, rule: memberOf(ProtocolEnum) },
    sslPolicy: { type: "string", computed: true },
    certificateArn: { type: "string", rule: arn },
    tcpIdleTimeoutSeconds: { type: "number", computed: true, rule: between(60, 6000) },
    defaultActions: {
      type: "blocks",
      required: true,
      fields: {
        type: { type: "string", required: true, rule: memberOf(ActionTypeEnum) },
        targetGroupArn: { type: "string", rule: arn },
        order: { type: "number", computed: true, rule: between(1, 50_000) },
      },
    },
  },
  outputs: ["arn", "tagsAll"],
  tagging: loadBalancingTagging,

  create: async (context, inputs) => {
    const { Listeners } = await context.aws.loadBalancing.send(
      new CreateListenerCommand({
        LoadBalancerArn: inputs.requiredString("loadBalancerArn"),
        ...settings(inputs),
        Tags: newTags(context.tagsOf(inputs)),
      }),
    );
    const arn = Listeners?.[0]?.ListenerArn ?? "";
    return afterCreate(arn, () => setIdleTimeout(context, arn, inputs));
  },

  read: async (context, arn) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.loadBalancing.send(new DescribeListenersCommand({ ListenerArns: [arn] })),
    );
    const live = found?.Listeners?.[0];
    return (
      live && {
        tcpIdleTimeoutSeconds: await idleTimeoutOf(context, arn),
        arn,
        loadBalancerArn: live.LoadBalancerArn ?? "",
        port: live.Port ?? null,
        protocol: live.Protocol ?? null,
        sslPolicy: live.SslPolicy ?? null,
        certificateArn: live.Certificates?.[0]?.CertificateArn ?? null,
        defaultActions: (live.DefaultActions ?? []).map((action) => ({
          type: action.Type ?? "",
          targetGroupArn: targetGroupOf(action) ?? null,
          order: action.Order ?? null,
        })),
        tagsAll: await loadBalancingTags(context, arn),
      }
    );
  },

  update: async (context, arn, { news, touches }) => {
    await context.aws.loadBalancing.send(
      new ModifyListenerCommand({ ListenerArn: arn, ...settings(news) }),
    );
    if (touches("tcpIdleTimeoutSeconds")) {
      await setIdleTimeout(context, arn, news);
    }
  },

  delete: async ({ aws }, arn) => {
    await unlessMissing(MISSING, () =>
      aws.loadBalancing.send(new DeleteListenerCommand({ ListenerArn: arn })),
    );
  },
};

async function setIdleTimeout({ aws }: OperationContext, arn: string, inputs: Inputs) {
  const seconds = inputs.number("tcpIdleTimeoutSeconds");
  if (seconds !== undefined) {
    const Attributes = [{ Key: IDLE_TIMEOUT, Value: String(seconds) }];
    await aws.loadBalancing.send(
      new ModifyListenerAttributesCommand({ ListenerArn: arn, Attributes }),
    );
  }
}

async function idleTimeoutOf({ aws }: OperationContext, arn: string): Promise<number | null> {
  const { Attributes = [] } = await aws.loadBalancing.send(
    new DescribeListenerAttributesCommand({ ListenerArn: arn }),
  );
  const value = Attributes.find(({ Key }) => Key === IDLE_TIMEOUT)?.Value;
  return value === undefined ? null : Number(value);
}

function settings(inputs: Inputs) {
  const CertificateArn = inputs.string("certificateArn");
  return {
    Port: inputs.number("port"),
    Protocol: inputs.string("protocol") as ProtocolEnum | undefined,
    SslPolicy: inputs.filled("sslPolicy"),
    Certificates: CertificateArn === undefined ? undefined : [{ CertificateArn }],
    DefaultActions: inputs.blocks("defaultActions").map((action) => ({
      Type: action.requiredString("type") as ActionTypeEnum,
      TargetGroupArn: action.string("targetGroupArn"),
      Order: action.number("order"),
    })),
  };
}

/** AWS tells the group of a forward both ways, and some answers have only the longer one. */
function targetGroupOf(action: Action): string | undefined {
  return action.TargetGroupArn ?? action.ForwardConfig?.TargetGroups?.[0]?.TargetGroupArn;
}
