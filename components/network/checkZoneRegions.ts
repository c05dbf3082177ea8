import type { PropertyProblem } from "../problems";
import type { NetworkChoices } from "./networkArgs";
import { regionOfZone } from "./planSubnets";

/** The region in which AWS is asked, and what chose it. */
export interface ChosenRegion {
  readonly region: string;
  /** Default: something that this package doesn't see, such as the variable AWS_REGION. */
  readonly by?: "aws:region" | "provider";
}

/** The part of a network that names zones. */
export type ZoneNames = Pick<NetworkChoices, "zones"> & {
  readonly adopt?:
    | {
        readonly publicSubnetIds?: Readonly<Record<string, unknown>> | undefined;
        readonly privateSubnetIds?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
};

/** The problems of a network's zones that are in another region than the one where AWS is asked. */
export function checkZoneRegions(
  { zones = [], adopt }: ZoneNames,
  { region, by }: ChosenRegion,
): PropertyProblem[] {
  const { publicSubnetIds = {}, privateSubnetIds = {} } = adopt ?? {};
  const adopted = Object.entries({ publicSubnetIds, privateSubnetIds }).flatMap(([tier, ids]) =>
    Object.keys(ids).map((zone) => ({ property: `adopt.${tier}["${zone}"]`, zone })),
  );
  const named = zones.map((zone, index) => ({ property: `zones[${index}]`, zone }));
  return [...named, ...adopted]
    .filter(({ zone }) => regionOfZone(zone) !== region)
    .map(({ property, zone }) => {
      const wanted = regionOfZone(zone);
      const ways = {
        "aws:region": `aws:region is "${region}": name zones of "${region}", or run "pulumi config set aws:region ${wanted}"`,
        provider: `the given AWS provider works in "${region}": name zones of "${region}", or give it the region "${wanted}"`,
        other: `AWS is asked in "${region}": name zones of "${region}", or run "pulumi config set aws:region ${wanted}"`,
      };
      const reason = `"${zone}" is in the region "${wanted}", and ${ways[by ?? "other"]}`;
      return { property, reason };
    });
}
