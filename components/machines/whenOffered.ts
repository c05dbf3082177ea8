import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

/** Which types machines may have, of which one has to be there, and in which zones they are made. */
export interface OfferingQuery {
  readonly instanceTypes: readonly string[];
  /** Keys of zones; those that are numbers and no names are not judged. */
  readonly zones: readonly string[];
}

/** Which types EC2 has in which zones, position by position. */
export interface Offerings {
  readonly instanceTypes: readonly string[];
  readonly locations: readonly string[];
}

/**
 * Passes on a value where EC2 offers one of the types in each zone: asked in the preview, too. Where the
 * account may not be asked (`ec2:DescribeInstanceTypeOfferings`), it warns and passes the value on.
 *
 * @param options with the resource that machines are made for as `parent`
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
      (line) => void pulumi.log.warn(line, parent),
    );
    if (problem !== undefined) {
      throw new pulumi.ResourceError(problem, parent, true);
    }
    return true;
  });
  return pulumi.all([value, asked]).apply(([known]) => known as Value);
}

/** Asks, and judges the answer; without one it warns and finds nothing wrong. */
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
