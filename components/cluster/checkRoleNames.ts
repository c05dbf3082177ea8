import { roleNameProblem } from "../nameRules";
import type { PropertyProblem } from "../problems";
import { AWS_ADD_ONS, addOnChoices, isOwn } from "./addOns/addOnChoices";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { clusterIrsa } from "./clusterIrsa";
import { ADD_ON_ACCOUNTS } from "./makeIdentity";

/**
 * Names of roles that IAM has no room for: those of the control plane and of add-ons. Those of pools are
 * checked with the pools.
 *
 * @param name the cluster's name in the stack, a prefix of its children's names
 */
export function checkRoleNames(name: string, args: TalosClusterArgs): PropertyProblem[] {
  const { none = false, instanceProfileName } = args.controlPlane?.role ?? {};
  const choices = addOnChoices(args.addOns ?? {});
  const roles = [
    ...(none || instanceProfileName !== undefined ? [] : [`${name}-control-plane-role`]),
    ...(clusterIrsa(args) === undefined ? [] : AWS_ADD_ONS).flatMap((addOn) => {
      const choice = choices[addOn];
      const [, suffix] = ADD_ON_ACCOUNTS[addOn];
      return choice === undefined || !isOwn(choice) ? [] : [`${name}-${suffix}`];
    }),
  ];
  return roles.flatMap((role) => {
    const reason = roleNameProblem(role);
    return reason === undefined ? [] : [{ property: "name", reason: `${reason} for the cluster` }];
  });
}
