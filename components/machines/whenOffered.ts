import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { messageOfError } from "../../provider/base";
import { suggest } from "../../provider/config";
import { failRun } from "../failRun";
import { logBeside } from "../logBeside";
import { regionOfZone } from "../network/planSubnets";
import type { PropertyProblem } from "../problems";
import { architectureOf, workerTypeProblem } from "./instanceType";

/** An instance type, and the argument that names it. */
export interface NamedType {
  /** Path of the argument, for example `controlPlane.instanceType`. */
  readonly property: string;
  readonly instanceType: string;
}

/** The allowed instance types, which must all exist, and the machines' zones, which need one each. */
export interface OfferingQuery {
  readonly types: readonly NamedType[];
  /** Keys of zones. Numbered zones and those of another region are not checked. */
  readonly zones: readonly string[];
}

/** The types that EC2 offers and their zones, position by position. */
export interface Offerings {
  readonly region: string;
  readonly instanceTypes: readonly string[];
  readonly locations: readonly string[];
}

/** Asks EC2 where it offers types; all of the region by default. */
export type AskOfferings = (instanceTypes?: readonly string[]) => Promise<Offerings>;

/**
 * Returns a value once EC2 knows all of the types, and offers one of them in each zone. It also asks
 * in the preview. Without the permission to ask (`ec2:DescribeInstanceTypeOfferings`), it warns and
 * returns the value.
 *
 * @param options with the resource for the machines as `parent`
 */
export function whenOffered<Value>(
  value: pulumi.Output<Value>,
  query: pulumi.Input<OfferingQuery>,
  options: { readonly parent: pulumi.Resource },
): pulumi.Output<Value> {
  const { parent } = options;
  const ask: AskOfferings = (values) =>
    aws.ec2.getInstanceTypeOfferings(
      {
        locationType: "availability-zone",
        ...(values && { filters: [{ name: "instance-type", values: [...values] }] }),
      },
      options,
    );
  const asked = pulumi.output(query).apply(async (known) => {
    const problems = await findOfferingProblems(
      known,
      ask,
      (line) => void logBeside(parent, line, { severity: "warn" }),
    );
    if (problems.length > 0) {
      const lines = problems.map(({ property, reason }) => `${property}: ${reason}`);
      await failRun(lines.join("\n"), parent);
    }
    return true;
  });
  return pulumi.all([value, asked]).apply(([known]) => known as Value);
}

/** Asks EC2 and checks the answer. Without an answer it warns and finds no problem. */
export async function findOfferingProblems(
  query: OfferingQuery,
  ask: AskOfferings,
  warn: (line: string) => void,
): Promise<readonly PropertyProblem[]> {
  const names = query.types.map(({ instanceType }) => instanceType);
  try {
    const offerings = await ask(names);
    const strange = query.types.filter(
      ({ instanceType }) => !offerings.instanceTypes.includes(instanceType),
    );
    if (strange.length === 0) {
      return zoneProblems(query, offerings);
    }
    const all = await ask();
    if (all.instanceTypes.length === 0) {
      throw new Error(`EC2 lists no instance types in ${all.region}`);
    }
    return strange.map(({ property, instanceType }) => ({
      property,
      reason: describeStrange(instanceType, all),
    }));
  } catch (error) {
    const reason = messageOfError(error);
    warn(`can't ask in which zones there is ${names.join(", ")}: ${reason}`);
    return [];
  }
}

/** What is said of a type that the region doesn't have, with the most similar one for a machine. */
function describeStrange(instanceType: string, { region, instanceTypes }: Offerings): string {
  const usable = [...new Set(instanceTypes)]
    .filter(
      (type) =>
        workerTypeProblem(type) === undefined &&
        architectureOf(type) === architectureOf(instanceType),
    )
    .sort();
  const near = suggest(instanceType, usable, 2);
  const way =
    near === undefined
      ? `take one that "aws ec2 describe-instance-type-offerings --region ${region}" lists`
      : `did you mean "${near}"?`;
  return `EC2 has no instance type "${instanceType}" in ${region}: ${way}`;
}

/** What is wrong with the zones that none of the types has. */
function zoneProblems({ types, zones }: OfferingQuery, { locations }: Offerings) {
  const there = [...new Set(locations)].sort();
  const regions = there.map(regionOfZone);
  const missing = zones.filter(
    (zone) => regions.includes(regionOfZone(zone)) && !there.includes(zone),
  );
  const [first] = types;
  if (missing.length === 0 || first === undefined) {
    return [];
  }
  const names = types.map(({ instanceType }) => `"${instanceType}"`).join(" or ");
  const reason = `EC2 has no ${names} in ${missing.join(", ")}, but in ${there.join(", ")}: take other zones, or another instance type`;
  return [{ property: first.property, reason }];
}
