import type * as pulumi from "@pulumi/pulumi";

/** The id of the subnet in a planned zone. */
export function subnetIn(
  subnets: Readonly<Record<string, { readonly id: pulumi.Input<string> }>>,
  zoneKey: string,
): pulumi.Input<string> {
  const subnet = subnets[zoneKey];
  if (subnet === undefined) {
    throw new Error(`a machine was planned in zone "${zoneKey}", which has no subnet`);
  }
  return subnet.id;
}
