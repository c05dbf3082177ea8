import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../failRun";
import { logBeside } from "../logBeside";

/** The allowed instance types, of which one must exist, and the machines' zones. */
export interface OfferingQuery {
  readonly instanceTypes: readonly string[];
  /** Keys of zones. Numbered zones are not checked. */
  readonly zones: readonly string[];
}

/** The types that EC2 offers and their zones, position by position. */
export interface Offerings {
  readonly instanceTypes: readonly string[];
  readonly locations: readonly string[];
}

/**
 * Returns a value once EC2 offers one of the types in each zone. It also asks in the preview.
 * Without the permission to ask (`ec2:DescribeInstanceTypeOfferings`), it warns and returns the
 * value.
 *
 * @param options with the resource for the machines as `parent`
 */
export function whenOffered<Value>(
  value: pulumi.Output<Value>,
  query: pulumi.Input<OfferingQuery>,
  options: { readonly parent: pulumi.Resource },
): pulumi.Output<Value> {
  const { parent } = options;
  const asked = pulumi.output(query).apply(async (known) => {
    const ask = () =>
      aws.ec2.getInstanceTypeOfferings(
        {
          locationType: "availability-zone",
          filters: [{ name: "instance-type", values: [...known.instanceTypes] }],
        },
        options,
      );
    const problem = await findOfferingProblem(
      known,
      ask,
      (line) => void logBeside(parent, line, { severity: "warn" }),
    );
    if (problem !== undefined) {
      await failRun(problem, parent);
    }
    return true;
  });
  return pulumi.all([value, asked]).apply(([known]) => known as Value);
}

/** Asks EC2 and checks the answer. Without an answer it warns and finds no problem. */
export async function findOfferingProblem(
  query: OfferingQuery,
  ask: () => Promise<Offerings>,
  warn: (line: string) => void,
): Promise<string | undefined> {
  try {
    return offeringProblem(query, await ask());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`can't ask in which zones there is ${query.instanceTypes.join(", ")}: ${reason}`);
    return undefined;
  }
}

/** What is wrong with where types are asked for; undefined without a problem. */
function offeringProblem(
  { instanceTypes, zones }: OfferingQuery,
  { locations }: Offerings,
): string | undefined {
  const there = [...new Set(locations)].sort();
  const missing = zones.filter((zone) => !/^\d+$/.test(zone) && !there.includes(zone));
  if (missing.length === 0) {
    return undefined;
  }
  const types = instanceTypes.map((type) => `"${type}"`).join(" or ");
  const where = there.length === 0 ? "no zone of the region" : there.join(", ");
  return `EC2 has no ${types} in ${missing.join(", ")}, but in ${where}: take other zones, or another instance type`;
}
