import type * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { orFailRun } from "../failRun";
import { demand } from "../problems";

/**
 * The availability zone of a machine. A preview knows it for a machine that exists and stays. Then
 * it compares it with the network's zones, because AWS deletes no subnet with a machine in it, and
 * tries for 20 minutes (`DependencyViolation`, EC2 API "DeleteSubnet").
 *
 * @param machineName its name in the stack
 * @param networkZones all zones of the network; undefined: not checked
 * @returns the zone; the run fails if the network no longer has it
 */
export function machineZone(
  machineName: string,
  instance: aws.ec2.Instance,
  networkZones: pulumi.Input<pulumi.Input<string>[]> | undefined,
): pulumi.Output<string> {
  if (networkZones === undefined) {
    return instance.availabilityZone;
  }
  return pulumi
    .all([instance.availabilityZone, pulumi.output(networkZones)])
    .apply(([zone, zones]) =>
      orFailRun(instance, () =>
        demand("network.zones", zone, (known) => removedZoneProblem(machineName, known, zones)),
      ),
    );
}

/** What is wrong with the zones of a network for a machine that is in one; undefined without a problem. */
export function removedZoneProblem(
  machineName: string,
  zone: string,
  zones: readonly string[],
): string | undefined {
  if (zones.includes(zone)) {
    return undefined;
  }
  return `the zone "${zone}" can't be removed while the machine ${machineName} is in it: AWS deletes no subnet with a machine in it. Move the machine first (give it another zone in "machines", and run pulumi up), or remove it; then remove the zone, which replaces the load balancers that lie in it`;
}
