import { DescribeAutoScalingGroupsCommand } from "@aws-sdk/client-auto-scaling";
import {
  DescribeListenersCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import {
  GetInstanceProfileCommand,
  GetOpenIDConnectProviderCommand,
  GetOutboundWebIdentityFederationInfoCommand,
  GetRoleCommand,
  ListOpenIDConnectProvidersCommand,
  ListRolePoliciesCommand,
} from "@aws-sdk/client-iam";
import { ListResourceRecordSetsCommand } from "@aws-sdk/client-route-53";
import type { AwsClients } from "../awsClients";
import { unlessMissing } from "../awsErrors";
import type { FunctionKind } from "../functionKind";
import type { Inputs } from "../inputs";
import { fromTagList } from "../tags";
import { theOnly } from "./search";

const TEXT = { type: "string" } as const;
const REQUIRED = { type: "string", required: true } as const;

/** `aws.lb.getLoadBalancer`, by its ARN or name. */
const getLoadBalancer: FunctionKind = {
  token: "aws:lb/getLoadBalancer:getLoadBalancer",
  inputs: { arn: TEXT, name: TEXT, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const found = await unlessMissing(["LoadBalancerNotFoundException"], () =>
      aws.loadBalancing.send(
        new DescribeLoadBalancersCommand({
          LoadBalancerArns: given(inputs, "arn"),
          Names: given(inputs, "name"),
        }),
      ),
    );
    const live = theOnly("ELBv2 Load Balancer", found?.LoadBalancers);
    const arn = live.LoadBalancerArn ?? "";
    const { Attributes = [] } = await aws.loadBalancing.send(
      new DescribeLoadBalancerAttributesCommand({ LoadBalancerArn: arn }),
    );
    const isProtected = Attributes.find(({ Key }) => Key === "deletion_protection.enabled");
    return {
      id: arn,
      arn,
      name: live.LoadBalancerName ?? "",
      loadBalancerType: live.Type ?? "",
      securityGroups: live.SecurityGroups ?? [],
      enableDeletionProtection: isProtected?.Value === "true",
      vpcId: live.VpcId ?? "",
      tags: await tagsOf(aws, arn),
    };
  },
};

/** `aws.lb.getTargetGroup`, by its ARN or name. */
const getTargetGroup: FunctionKind = {
  token: "aws:lb/getTargetGroup:getTargetGroup",
  inputs: { arn: TEXT, name: TEXT, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const found = await unlessMissing(["TargetGroupNotFoundException"], () =>
      aws.loadBalancing.send(
        new DescribeTargetGroupsCommand({
          TargetGroupArns: given(inputs, "arn"),
          Names: given(inputs, "name"),
        }),
      ),
    );
    const live = theOnly("ELBv2 Target Group", found?.TargetGroups);
    const arn = live.TargetGroupArn ?? "";
    return {
      id: arn,
      arn,
      name: live.TargetGroupName ?? "",
      vpcId: live.VpcId ?? "",
      tags: await tagsOf(aws, arn),
    };
  },
};

/** `aws.lb.getListener`, by its load balancer and port. */
const getListener: FunctionKind = {
  token: "aws:lb/getListener:getListener",
  inputs: { loadBalancerArn: REQUIRED, port: { type: "number", required: true }, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const found = await unlessMissing(["LoadBalancerNotFoundException"], () =>
      aws.loadBalancing.send(
        new DescribeListenersCommand({ LoadBalancerArn: inputs.requiredString("loadBalancerArn") }),
      ),
    );
    const ofPort = found?.Listeners?.filter(({ Port }) => Port === inputs.number("port"));
    const live = theOnly("ELBv2 Listener", ofPort);
    const arn = live.ListenerArn ?? "";
    return { id: arn, arn, port: live.Port ?? 0, protocol: live.Protocol ?? "" };
  },
};

/** `aws.route53.getRecords`: all of a zone. */
const getRecords: FunctionKind = {
  token: "aws:route53/getRecords:getRecords",
  inputs: { zoneId: REQUIRED },
  invoke: async ({ aws }, inputs) => {
    const zoneId = inputs.requiredString("zoneId");
    const { ResourceRecordSets = [] } = await aws.route53.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: zoneId }),
    );
    const sets = ResourceRecordSets.map(({ Name, Type }) => ({
      name: Name ?? "",
      type: Type ?? "",
    }));
    return { zoneId, resourceRecordSets: sets };
  },
};

/** `aws.iam.getRole` */
const getRole: FunctionKind = {
  token: "aws:iam/getRole:getRole",
  inputs: { name: REQUIRED },
  invoke: async ({ aws }, inputs) => {
    const name = inputs.requiredString("name");
    const { Role } = await aws.iam.send(new GetRoleCommand({ RoleName: name }));
    return { id: name, name, arn: Role?.Arn ?? "", tags: fromTagList(Role?.Tags) };
  },
};

/** `aws.iam.getOpenIdConnectProvider`, by its URL, which AWS returns without `https://`. */
const getOpenIdConnectProvider: FunctionKind = {
  token: "aws:iam/getOpenIdConnectProvider:getOpenIdConnectProvider",
  inputs: { url: REQUIRED },
  invoke: async ({ aws }, inputs) => {
    const url = inputs.requiredString("url").replace(/^https:\/\//, "");
    const list = await aws.iam.send(new ListOpenIDConnectProvidersCommand({}));
    const arns = (list.OpenIDConnectProviderList ?? []).flatMap(({ Arn }) => Arn ?? []);
    const arn = arns.find((each) => each.endsWith(`:oidc-provider/${url}`));
    if (arn === undefined) {
      throw new Error(`reading IAM OIDC Provider (${url}): couldn't find resource`);
    }
    const live = await aws.iam.send(
      new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: arn }),
    );
    return { id: arn, arn, url, tags: fromTagList(live.Tags) };
  },
};

/** `aws.iam.getOutboundWebIdentityFederation`: the issuer of the account's tokens. */
const getFederation: FunctionKind = {
  token: "aws:iam/getOutboundWebIdentityFederation:getOutboundWebIdentityFederation",
  inputs: {},
  invoke: async ({ aws }) => {
    const live = await aws.iam.send(new GetOutboundWebIdentityFederationInfoCommand({}));
    return { issuerIdentifier: live.IssuerIdentifier ?? "" };
  },
};

/** `aws.iam.getRolePolicies`: the inline policies of a role. */
const getRolePolicies: FunctionKind = {
  token: "aws:iam/getRolePolicies:getRolePolicies",
  inputs: { roleName: REQUIRED },
  invoke: async ({ aws }, inputs) => {
    const roleName = inputs.requiredString("roleName");
    const found = await aws.iam.send(new ListRolePoliciesCommand({ RoleName: roleName }));
    return { roleName, policyNames: found.PolicyNames ?? [] };
  },
};

/** `aws.iam.getInstanceProfile` */
const getInstanceProfile: FunctionKind = {
  token: "aws:iam/getInstanceProfile:getInstanceProfile",
  inputs: { name: REQUIRED },
  invoke: async ({ aws }, inputs) => {
    const name = inputs.requiredString("name");
    const { InstanceProfile: live } = await aws.iam.send(
      new GetInstanceProfileCommand({ InstanceProfileName: name }),
    );
    return { id: name, name, arn: live?.Arn ?? "", roleName: live?.Roles?.[0]?.RoleName ?? "" };
  },
};

/** `aws.autoscaling.getAmiIds`, which finds auto scaling groups by their names. */
const getGroups: FunctionKind = {
  token: "aws:autoscaling/getAmiIds:getAmiIds",
  inputs: { names: { type: "strings", required: true }, region: TEXT },
  invoke: async ({ aws, region }, inputs) => {
    const { AutoScalingGroups = [] } = await aws.autoScaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: inputs.strings("names") }),
    );
    return {
      id: region,
      names: AutoScalingGroups.map((each) => each.AutoScalingGroupName ?? ""),
      arns: AutoScalingGroups.map((each) => each.AutoScalingGroupARN ?? ""),
    };
  },
};

/** Functions that return one object outside EC2. */
export const otherDetails: readonly FunctionKind[] = [
  getLoadBalancer,
  getTargetGroup,
  getListener,
  getRecords,
  getRole,
  getOpenIdConnectProvider,
  getFederation,
  getRolePolicies,
  getInstanceProfile,
  getGroups,
];

/** A list of the given value; empty without one. */
function given(inputs: Inputs, name: string): string[] | undefined {
  const value = inputs.string(name);
  return value === undefined ? undefined : [value];
}

async function tagsOf({ loadBalancing }: AwsClients, arn: string): Promise<Record<string, string>> {
  const { TagDescriptions } = await loadBalancing.send(
    new DescribeTagsCommand({ ResourceArns: [arn] }),
  );
  return fromTagList(TagDescriptions?.[0]?.Tags);
}
