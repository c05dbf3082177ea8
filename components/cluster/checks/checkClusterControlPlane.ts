import { checkWord } from "../../argumentChecks";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { checkMachines } from "../../controlPlane/planMachines";
import { defined } from "../../defined";
import { checkEtcdVolume } from "../../machines/etcdVolume";
import { controlPlaneTypeProblem } from "../../machines/instanceType";
import { FIRST_CONTACTS } from "../../machines/machineConsole";
import { checkMachineImage } from "../../machines/machineImage";
import { checkMachineSettings } from "../../machines/machineSettings";
import { checkNodeDrain } from "../../machines/nodeDrain";
import { checkRoleExtension } from "../../permissions/extendRole";
import { checkNodePermissions } from "../../permissions/planNodePolicy";
import { judge, type PropertyProblem, within } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { ClusterImageArgs, ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/** All problems of the control plane's arguments, by their paths there. */
export function checkClusterControlPlane(args: ChosenClusterArgs): PropertyProblem[] {
  const { controlPlane = {}, talosVersion } = args;
  const { instanceType } = controlPlane;
  return [
    ...checkMachines({
      machineCount: controlPlane.machineCount ?? DEFAULT_MACHINE_COUNT,
      zoneKeys: args.facts.access.zoneKeys,
      machines: controlPlane.machines,
    }),
    ...(instanceType === undefined
      ? []
      : judge("instanceType", instanceType, controlPlaneTypeProblem).problems),
    ...checkWord("firstContact", controlPlane.firstContact, FIRST_CONTACTS),
    ...checkNodeDrain(controlPlane.drain),
    ...checkEtcdVolume(
      controlPlane.etcdVolume,
      typeof talosVersion === "string" ? talosVersion : undefined,
    ),
    ...checkEtcdEncryption(args),
    ...checkMachineSettings(controlPlane),
    ...checkImage(controlPlane),
    ...within("role", checkRole(controlPlane.role ?? {})),
  ];
}

/** Talos' own encryption of EPHEMERAL does not cover a volume of etcd alone. */
function checkEtcdEncryption({
  controlPlane = {},
  machineConfiguration = {},
}: Pick<TalosClusterArgs, "controlPlane" | "machineConfiguration">): PropertyProblem[] {
  const isAlone = controlPlane.etcdVolume?.holds === "etcd";
  const isPlain = machineConfiguration.diskEncryption === undefined;
  const reason =
    'it can\'t be "etcd" together with machineConfiguration.diskEncryption, which would not cover etcd\'s data there: take "everything", or leave the encryption to EBS';
  return !isAlone || isPlain ? [] : [{ property: "etcdVolume.holds", reason }];
}

/** All problems of the machines' role. */
export function checkRole(role: ClusterRoleArgs): PropertyProblem[] {
  const { none = false, instanceProfileName, permissions = {}, ...extension } = role;
  const given: Readonly<Record<string, unknown>> = { ...role };
  const makes = [
    "permissions",
    "permissionsBoundaryArn",
    "path",
    "managedPolicyArns",
    "statements",
  ].filter((property) => given[property] !== undefined);
  const others = [...(instanceProfileName === undefined ? [] : ["instanceProfileName"]), ...makes];
  const clash = (property: string, which: readonly string[]) =>
    which.length === 0
      ? []
      : [{ property, reason: `it excludes ${which.join(" and ")}: leave out one or the other` }];
  return [
    ...(none ? clash("none", others) : []),
    ...(instanceProfileName === undefined ? [] : clash("instanceProfileName", makes)),
    ...within("permissions", checkNodePermissions(permissions)),
    ...checkRoleExtension(extension),
  ];
}

/** The lookup of an image, as `MachineImageArgs`. */
export function checkImage({
  imageId,
  imageOwner: owner,
  imageName,
}: ClusterImageArgs): PropertyProblem[] {
  return checkMachineImage(defined({ imageId, owner, imageName })).map((problem) =>
    problem.property === "owner" ? { ...problem, property: "imageOwner" } : problem,
  );
}
