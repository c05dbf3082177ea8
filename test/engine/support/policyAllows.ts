import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import type { AwsCall } from "./awsCall";

/** The account of moto. */
const ACCOUNT = "123456789012";
/** What EC2's ids are of. */
const EC2_IDS: Readonly<Record<string, string>> = {
  ami: "image",
  eigw: "egress-only-internet-gateway",
  eipalloc: "elastic-ip",
  eni: "network-interface",
  fl: "vpc-flow-log",
  i: "instance",
  igw: "internet-gateway",
  lt: "launch-template",
  nat: "natgateway",
  rtb: "route-table",
  sg: "security-group",
  sgr: "security-group-rule",
  snap: "snapshot",
  subnet: "subnet",
  vol: "volume",
  vpc: "vpc",
  vpce: "vpc-endpoint",
};
/** For these, EC2 asks for one type of resource, whatever else they name: Service Authorization Reference. */
const ONE_TYPE: Readonly<Record<string, string>> = {
  CreateLaunchTemplate: "launch-template",
  CreateLaunchTemplateVersion: "launch-template",
  CreateRoute: "route-table",
  DeleteRoute: "route-table",
  ReplaceRoute: "route-table",
};
/** For these, Elastic Load Balancing asks for what it changes alone, not for where that leads. */
const CHANGED_BY_CALL: Readonly<Record<string, string>> = {
  CreateListener: "LoadBalancerArn",
  ModifyListener: "ListenerArn",
};

/** A permission that a call needs: an action and what it is done with, `undefined` for any. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string | undefined;
}

/**
 * What IAM would have to allow for a call.
 *
 * @param paths those that identities have other than `/`, by their names; they are part of their ARNs
 */
export function neededFor(
  call: AwsCall,
  paths: ReadonlyMap<string, string>,
): readonly NeededPermission[] {
  const action = `${call.service}:${call.action}`;
  const named = resourcesOf(call, paths);
  const own = (named.length === 0 ? [undefined] : named).map((resource) => ({ action, resource }));
  return call.action === "AddRoleToInstanceProfile"
    ? [
        ...own,
        { action: "iam:PassRole", resource: identityOf("role", call.parameters.RoleName, paths) },
      ]
    : own;
}

/** The paths that calls give to the identities that they create, by the identities' names. */
export function pathsOf(calls: readonly AwsCall[]): ReadonlyMap<string, string> {
  return new Map(
    calls.flatMap(({ service, parameters: { Path, RoleName, InstanceProfileName } }) => {
      const name = InstanceProfileName ?? RoleName;
      return service === "iam" && Path !== undefined && name !== undefined ? [[name, Path]] : [];
    }),
  );
}

function identityOf(kind: string, name = "", paths: ReadonlyMap<string, string>): string {
  return `arn:aws:iam::${ACCOUNT}:${kind}${paths.get(name) ?? "/"}${name}`;
}

function resourcesOf(
  { service, region, action, parameters }: AwsCall,
  paths: ReadonlyMap<string, string>,
): string[] {
  const at = (path: string) => `arn:aws:${service}:${region}:${ACCOUNT}:${path}`;
  const values = Object.entries(parameters);
  switch (service) {
    case "ec2":
      return values
        .flatMap(([name, value]) => {
          const [, prefix = ""] = /^([a-z]+)-[0-9a-f]{8,}$/.exec(value) ?? [];
          const kind = EC2_IDS[prefix];
          const asked = (ONE_TYPE[action] ?? kind) === kind;
          const isRead = action.startsWith("Describe");
          return kind === undefined || isRead || !asked || name.includes("Filter")
            ? []
            : [`${kind}/${value}`];
        })
        .map((path) =>
          /^(image|snapshot)\//.test(path) ? `arn:aws:ec2:${region}::${path}` : at(path),
        );
    case "elasticloadbalancing": {
      const changed = CHANGED_BY_CALL[action];
      const named = values.filter(
        ([name, value]) =>
          value.startsWith("arn:aws:elasticloadbalancing:") &&
          (changed === undefined || changed === name),
      );
      const { Name: name = "" } = parameters;
      const made = {
        CreateLoadBalancer: at(`loadbalancer/net/${name}/0123456789abcdef`),
        CreateTargetGroup: at(`targetgroup/${name}/0123456789abcdef`),
      }[action];
      return action.startsWith("Describe")
        ? []
        : [...named.map(([, value]) => value), ...(made === undefined ? [] : [made])];
    }
    case "iam": {
      const { RoleName, InstanceProfileName, OpenIDConnectProviderArn: provider } = parameters;
      if (InstanceProfileName !== undefined) {
        return [identityOf("instance-profile", InstanceProfileName, paths)];
      }
      return [
        ...(RoleName === undefined ? [] : [identityOf("role", RoleName, paths)]),
        ...(provider === undefined ? [] : [provider]),
      ];
    }
    case "autoscaling":
      return action.startsWith("Describe")
        ? []
        : values
            .filter(([name]) => /^AutoScalingGroupName$|\.ResourceId$/.test(name))
            .map(([, name]) => at(`autoScalingGroup:0123:autoScalingGroupName/${name}`));
    case "kms":
      return values
        .filter(([name]) => ["KeyId", "TargetKeyId", "AliasName"].includes(name))
        .map(([name, value]) =>
          value.startsWith("arn:") ? value : at(name === "AliasName" ? value : `key/${value}`),
        );
    case "route53":
      return values.map(([kind, id]) => `arn:aws:route53:::${kind}/${id}`);
    case "s3":
      return [
        `arn:aws:s3:::${parameters.bucket ?? ""}${parameters.key === undefined ? "" : `/${parameters.key}`}`,
      ];
    default:
      return [];
  }
}

/** Whether a policy allows an action, as IAM judges it; conditions are taken as true. */
export function allows(
  { Statement }: PolicyDocument,
  { action, resource }: NeededPermission,
): boolean {
  return Statement.some(({ Action, Resource = "*" }) => {
    const resources = typeof Resource === "string" ? [Resource] : Resource;
    return (
      Action.some((each) => matches(each, action)) &&
      (resource === undefined || resources.some((each) => matches(each, resource)))
    );
  });
}

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.split("*").map((part) => part.replace(/[.+^${}()|[\]\\?]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`, "s").test(text);
}
