import { eachAddOn } from "../../addOns/addOnChoices";
import { ownRole } from "../../addOns/addOnPermissions";
import { roleNameProblem } from "../../nameRules";
import type { PropertyProblem } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";

/**
 * Names of roles that IAM has no room for: those of the control plane and of add-ons. Those of pools are
 * checked with the pools.
 *
 * @param name the cluster's name in the stack, a prefix of its children's names
 */
export function checkRoleNames(name: string, args: ChosenClusterArgs): PropertyProblem[] {
  const { none = false, instanceProfileName } = args.controlPlane?.role ?? {};
  const cluster = args.facts.addOnCluster;
  const roles = [
    ...(none || instanceProfileName !== undefined ? [] : [`${name}-control-plane-role`]),
    ...eachAddOn(args.addOns ?? {}, (_name, addOn, choice) => {
      const role = ownRole(addOn, choice, cluster);
      return role === undefined ? [] : [`${name}-${role.roleName}`];
    }),
  ];
  return roles.flatMap((role) => {
    const reason = roleNameProblem(role);
    return reason === undefined ? [] : [{ property: "name", reason: `${reason} for the cluster` }];
  });
}
