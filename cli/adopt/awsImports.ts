import type { FormerResource } from "./formerResource";
import { textOf } from "./formerResource";

/**
 * Types of Terraform's AWS provider with Pulumi's types of the same, where the id that Pulumi imports is the
 * attribute `id`. Source: pulumi-aws v7, the section "Import" of each resource.
 */
const TYPES: Readonly<Record<string, string>> = {
  aws_vpc: "aws:ec2/vpc:Vpc",
  aws_subnet: "aws:ec2/subnet:Subnet",
  aws_internet_gateway: "aws:ec2/internetGateway:InternetGateway",
  aws_nat_gateway: "aws:ec2/natGateway:NatGateway",
  aws_eip: "aws:ec2/eip:Eip",
  aws_route_table: "aws:ec2/routeTable:RouteTable",
  aws_security_group: "aws:ec2/securityGroup:SecurityGroup",
  aws_instance: "aws:ec2/instance:Instance",
  aws_lb: "aws:lb/loadBalancer:LoadBalancer",
  aws_lb_target_group: "aws:lb/targetGroup:TargetGroup",
  aws_lb_listener: "aws:lb/listener:Listener",
  aws_route53_zone: "aws:route53/zone:Zone",
  aws_route53_record: "aws:route53/record:Record",
  aws_iam_role: "aws:iam/role:Role",
  aws_iam_instance_profile: "aws:iam/instanceProfile:InstanceProfile",
};

export interface AwsResources {
  /** What `pulumi import --file` reads. Undefined without any that it could import. */
  readonly importFile: string | undefined;
  /** How many are in it. */
  readonly importable: number;
  /** Addresses of those that are not: their ids in Pulumi are made otherwise. */
  readonly others: readonly string[];
}

/** What a former tool manages in AWS. */
export function awsImports(resources: readonly FormerResource[]): AwsResources {
  const managed = resources.filter(({ type, isData }) => type.startsWith("aws_") && !isData);
  const taken = new Set<string>();
  const known = managed.flatMap(({ type, name, attributes }) => {
    const { [type]: pulumiType } = TYPES;
    const id = textOf(attributes, "id");
    if (pulumiType === undefined || id === undefined) {
      return [];
    }
    const label = `${type.slice("aws_".length)}-${name}`.replaceAll(/[^A-Za-z0-9.-]+/g, "-");
    const unique = taken.has(label) ? `${label}-${id}` : label;
    taken.add(label);
    return [{ type: pulumiType, name: unique, id }];
  });
  return {
    importFile:
      known.length === 0 ? undefined : `${JSON.stringify({ resources: known }, undefined, 2)}\n`,
    importable: known.length,
    others: managed
      .filter(({ type, attributes }) => !(type in TYPES) || textOf(attributes, "id") === undefined)
      .map(({ address }) => address),
  };
}
