import { addOnPolicy, type ClusterRoles } from "../../components/cluster";
import { defined } from "../../components/defined";
import { knownText } from "../../components/knownText";
import {
  type KnownPermissions,
  type NodePermissions,
  planNodePolicy,
  type PolicyDocument,
  type PolicyScope,
  type RoleStatement,
} from "../../components/permissions";

/** A role with its policies, as far as they are known before AWS is asked. */
export interface RolePolicy {
  /** The start of the role's name in AWS. */
  readonly name: string;
  /** Who has the role: machines, or pods of an add-on. */
  readonly holder: "machines" | "pods";
  /** The instance profile that exists already, whose policies aren't known here. */
  readonly existing?: string;
  /** The policy that the role is made with. */
  readonly policy?: PolicyDocument;
  readonly managedPolicyArns?: readonly string[];
  /** More statements of the user's. */
  readonly statements?: readonly RoleStatement[];
}

/**
 * The roles of a cluster with plain arguments, with their policies. Machines without any role are left out.
 *
 * @param name of the cluster in the stack
 */
export function rolePolicies(
  name: string,
  { controlPlane, workers, addOns }: ClusterRoles,
  scope: PolicyScope,
): RolePolicy[] {
  const ofMachines = [controlPlane, ...workers].flatMap(
    ({ key, made, instanceProfileName }): RolePolicy[] => {
      const role = { name: `${name}-${key}`, holder: "machines" } as const;
      if (made === undefined) {
        return instanceProfileName === undefined
          ? []
          : [{ ...role, existing: knownText(instanceProfileName) }];
      }
      const { permissions = {}, managedPolicyArns = {}, statements } = made;
      const arns = Object.values(managedPolicyArns).map(knownText);
      return [
        {
          ...role,
          policy: planNodePolicy(scope, plainPermissions(permissions)),
          ...(arns.length > 0 && { managedPolicyArns: arns }),
          ...(statements !== undefined && { statements }),
        },
      ];
    },
  );
  const ofAddOns = addOns.map(({ roleName, permissions }) => ({
    ...({ name: `${name}-${roleName}`, holder: "pods" } as const),
    policy: addOnPolicy(scope, plainPermissions(permissions)),
  }));
  return [...ofMachines, ...ofAddOns];
}

function plainPermissions({
  externalDnsZoneIds,
  secretsKmsKeyArns,
  ...others
}: NodePermissions): KnownPermissions {
  return defined({
    ...others,
    externalDnsZoneIds: externalDnsZoneIds?.map(knownText),
    secretsKmsKeyArns: secretsKmsKeyArns?.map(knownText),
  });
}
