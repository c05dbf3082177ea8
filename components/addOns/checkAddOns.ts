import { type PropertyProblem, within } from "../problems";
import { type AddOnChoices, eachAddOn } from "./addOnChoices";
import { containersOf } from "./addOnImages";
import { ownRole } from "./addOnPermissions";
import type { AddOn } from "./common/addOn";
import type { AddOnCluster } from "./common/addOnCluster";
import { checkManifest } from "./common/addOnManifest";
import { checkAddOnPods } from "./common/checkAddOnPods";

/** All problems of a cluster's add-ons, by themselves and together with its other arguments. */
export function checkAddOns(choices: AddOnChoices, cluster: AddOnCluster): PropertyProblem[] {
  const problems = eachAddOn(choices, (name, addOn, args) =>
    within(name, [
      ...checkManifest(args),
      ...checkPods(addOn, args, cluster),
      ...(addOn.check?.(args, cluster) ?? []),
      ...checkPower(addOn, args, cluster),
    ]),
  );
  return within("addOns", problems);
}

function checkPods<Args extends object>(
  addOn: AddOn<Args>,
  args: Args,
  { controlPlanes }: AddOnCluster,
): PropertyProblem[] {
  const { objects, isReplicated = false, ownSettings = [] } = addOn;
  return objects === undefined
    ? []
    : checkAddOnPods(args, {
        containers: containersOf(addOn),
        most: isReplicated ? controlPlanes : undefined,
        ownSettings,
      });
}

function checkPower<Args extends object>(
  addOn: AddOn<Args>,
  args: Args,
  cluster: AddOnCluster,
): PropertyProblem[] {
  const { aws } = addOn;
  const needsRole =
    aws?.identity !== undefined &&
    ownRole(addOn, args, cluster) === undefined &&
    aws.isAnywhere?.(args) !== true;
  const reason = "it calls AWS, which no machine can with controlPlane.role.none: leave that out";
  return cluster.isPowerless && needsRole ? [{ property: "", reason }] : [];
}
