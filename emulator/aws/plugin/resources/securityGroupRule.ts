import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  DescribeSecurityGroupRulesCommand,
  ModifySecurityGroupRulesCommand,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type IpPermission,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { networkRange } from "../valueRules";

const MISSING = [
  "InvalidSecurityGroupRuleId.NotFound",
  "InvalidGroup.NotFound",
  "InvalidPermission.NotFound",
];
const PEERS = ["cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"];

/** `aws.vpc.SecurityGroupIngressRule` */
export const securityGroupIngressRule = ruleKind("ingress");

/** `aws.vpc.SecurityGroupEgressRule` */
export const securityGroupEgressRule = ruleKind("egress");

function ruleKind(direction: "ingress" | "egress"): ResourceKind {
  const name = direction === "ingress" ? "Ingress" : "Egress";
  return {
    type: `aws:vpc/securityGroup${name}Rule:SecurityGroup${name}Rule`,
    title: `security group ${direction} rule`,
    regional: true,
    inputs: {
      securityGroupId: { type: "string", required: true, replaces: true },
      ipProtocol: { type: "string", required: true },
      fromPort: { type: "number" },
      toPort: { type: "number" },
      cidrIpv4: { type: "string", rule: networkRange("ipv4") },
      cidrIpv6: { type: "string", rule: networkRange("ipv6") },
      prefixListId: { type: "string" },
      referencedSecurityGroupId: { type: "string" },
      description: { type: "string" },
    },
    outputs: ["arn", "securityGroupRuleId", "tagsAll"],
    tagging: ec2Tagging,

    validate: (inputs) => {
      const given = PEERS.filter((peer) => inputs.has(peer));
      return given.length === 1
        ? []
        : [
            {
              property: given[1] ?? "cidrIpv4",
              reason: `exactly one of ${PEERS.join(", ")} must be set, and ${given.length} are`,
            },
          ];
    },

    // EC2 can change the source of a rule, but not the kind of source.
    replacesOn: (property, olds, news) =>
      PEERS.includes(property) && olds.has(property) !== news.has(property),

    create: async (context, inputs) => {
      const request = {
        GroupId: inputs.requiredString("securityGroupId"),
        IpPermissions: [permission(inputs)],
        TagSpecifications: tagSpecifications("security-group-rule", context.tagsOf(inputs)),
      };
      const { SecurityGroupRules } =
        direction === "ingress"
          ? await context.aws.ec2.send(new AuthorizeSecurityGroupIngressCommand(request))
          : await context.aws.ec2.send(new AuthorizeSecurityGroupEgressCommand(request));
      return SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? "";
    },

    read: async (context, id, state) => {
      const found = await unlessMissing(MISSING, () =>
        context.aws.ec2.send(new DescribeSecurityGroupRulesCommand({ SecurityGroupRuleIds: [id] })),
      );
      const live = found?.SecurityGroupRules?.find((rule) => rule.SecurityGroupRuleId === id);
      return (
        live && {
          arn: ec2Arn(context, live.GroupOwnerId, `security-group-rule/${id}`),
          securityGroupRuleId: id,
          securityGroupId: live.GroupId ?? "",
          ipProtocol: live.IpProtocol ?? "",
          fromPort: portOf(live.FromPort, state.has("fromPort")),
          toPort: portOf(live.ToPort, state.has("toPort")),
          cidrIpv4: live.CidrIpv4 ?? null,
          cidrIpv6: live.CidrIpv6 ?? null,
          prefixListId: live.PrefixListId ?? null,
          referencedSecurityGroupId: live.ReferencedGroupInfo?.GroupId ?? null,
          description: live.Description ?? null,
          tagsAll: fromTagList(live.Tags),
        }
      );
    },

    update: async ({ aws }, id, { news }) => {
      await aws.ec2.send(
        new ModifySecurityGroupRulesCommand({
          GroupId: news.requiredString("securityGroupId"),
          SecurityGroupRules: [
            {
              SecurityGroupRuleId: id,
              SecurityGroupRule: {
                ...ports(news),
                CidrIpv4: news.string("cidrIpv4"),
                CidrIpv6: news.string("cidrIpv6"),
                PrefixListId: news.string("prefixListId"),
                ReferencedGroupId: news.string("referencedSecurityGroupId"),
                Description: news.string("description"),
              },
            },
          ],
        }),
      );
    },

    delete: async ({ aws }, id, state) => {
      const request = {
        GroupId: state.requiredString("securityGroupId"),
        SecurityGroupRuleIds: [id],
      };
      await unlessMissing(MISSING, async () => {
        if (direction === "ingress") {
          await aws.ec2.send(new RevokeSecurityGroupIngressCommand(request));
        } else {
          await aws.ec2.send(new RevokeSecurityGroupEgressCommand(request));
        }
      });
    },
  };
}

/** EC2 returns -1 for an absent port; the input wins if it is -1 too. */
function portOf(live: number | undefined, isGiven: boolean): number | null {
  return live === undefined || (live === -1 && !isGiven) ? null : live;
}

function ports(inputs: Inputs) {
  return {
    IpProtocol: inputs.requiredString("ipProtocol"),
    FromPort: inputs.number("fromPort"),
    ToPort: inputs.number("toPort"),
  };
}

function permission(inputs: Inputs): IpPermission {
  const Description = inputs.string("description");
  const peer = (name: string) => inputs.string(name) ?? "";
  return {
    ...ports(inputs),
    ...(inputs.has("cidrIpv4") && { IpRanges: [{ CidrIp: peer("cidrIpv4"), Description }] }),
    ...(inputs.has("cidrIpv6") && { Ipv6Ranges: [{ CidrIpv6: peer("cidrIpv6"), Description }] }),
    ...(inputs.has("prefixListId") && {
      PrefixListIds: [{ PrefixListId: peer("prefixListId"), Description }],
    }),
    ...(inputs.has("referencedSecurityGroupId") && {
      UserIdGroupPairs: [{ GroupId: peer("referencedSecurityGroupId"), Description }],
    }),
  };
}
