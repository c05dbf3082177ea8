import * as pulumi from "@pulumi/pulumi";
import type { PlannedSettings } from "../../../provider";
import { joined, type Plan } from "./plan";
import { PLANNED_ARGUMENTS } from "./plannedArguments";
import { machineFirewall } from "./plannedFirewall";
import { placesOfAll, placesOfControlPlanes } from "./plannedPlaces";

/**
 * What patches and transformations of a role must not change, because firewall, load balancer, ranges,
 * waits, other machines or permissions of a `TalosCluster` follow from its arguments alone.
 */
export function plannedSettingsOf(plan: Plan): pulumi.Output<PlannedSettings> {
  const ofArguments = Object.values(PLANNED_ARGUMENTS).map((answer) =>
    typeof answer === "string" ? {} : answer(plan),
  );
  const places = joined([
    ...ofArguments,
    placesOfAll(plan),
    machineFirewall(plan),
    ...(plan.role === "controlplane" ? [placesOfControlPlanes(plan)] : []),
  ]);
  return pulumi.output(places);
}
