import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../failRun";
import { checkZoneRegions, type ChosenRegion, type ZoneNames } from "./checkZoneRegions";

/**
 * Whether all zones of a network are in the region of its AWS provider. If not, it fails the run, also
 * a preview.
 *
 * @param parent the network's component
 * @returns in a preview unknown, if the provider's region is
 */
export function areZonesInRegion(
  choices: ZoneNames,
  parent: pulumi.Resource,
): pulumi.Output<boolean> {
  return aws.getRegionOutput({}, { parent }).apply(async ({ region }) => {
    const problems = checkZoneRegions(choices, chosenRegion(region, parent));
    if (problems.length > 0) {
      const lines = problems.map(({ property, reason }) => `${property}: ${reason}`);
      await failRun(lines.join("\n"), parent);
    }
    return problems.length === 0;
  });
}

function chosenRegion(region: string, parent: pulumi.Resource): ChosenRegion {
  if (parent.getProvider("aws:ec2/vpc:Vpc") !== undefined) {
    return { region, by: "provider" };
  }
  return new pulumi.Config("aws").get("region") === region
    ? { region, by: "aws:region" }
    : { region };
}
