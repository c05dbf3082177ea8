import {
  type Action,
  type ActionTypeEnum,
  CreateListenerCommand,
  DeleteListenerCommand,
  DescribeListenersCommand,
  ModifyListenerCommand,
  type ProtocolEnum,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import { loadBalancingTagging, loadBalancingTags, newTags } from "../loadBalancing";
import type { ResourceKind } from "../resourceKind";

const MISSING = ["ListenerNotFound", "ListenerNotFoundException"];

/** `aws.lb.Listener`, with forward actions to a target group. */
export const listener: ResourceKind = {
  type: "aws:lb/listener:Listener",
  title: "listener",
  regional: true,
  inputs: {
    loadBalancerArn: { type: "string", required: true, replaces: true },
    port: { type: "number" },
    protocol: { type: "string", computed: true },
    sslPolicy: { type: "string", computed: true },
    certificateArn: { type: "string" },
    defaultActions: {
      type: "blocks",
      required: true,
      fields: {
        type: { type: "string", required: true },
        targetGroupArn: { type: "string" },
        order: { type: "number", computed: true },
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
    return Listeners?.[0]?.ListenerArn ?? "";
  },

  read: async (context, arn) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.loadBalancing.send(new DescribeListenersCommand({ ListenerArns: [arn] })),
    );
    const live = found?.Listeners?.[0];
    return (
      live && {
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

  update: async ({ aws }, arn, { news }) => {
    await aws.loadBalancing.send(
      new ModifyListenerCommand({ ListenerArn: arn, ...settings(news) }),
    );
  },

  delete: async ({ aws }, arn) => {
    await unlessMissing(MISSING, () =>
      aws.loadBalancing.send(new DeleteListenerCommand({ ListenerArn: arn })),
    );
  },
};

function settings(inputs: Inputs) {
  const CertificateArn = inputs.string("certificateArn");
  return {
    Port: inputs.number("port"),
    Protocol: inputs.string("protocol") as ProtocolEnum | undefined,
    SslPolicy: inputs.string("sslPolicy"),
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
