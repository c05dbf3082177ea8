import { isWorldRange } from "../policies";
import {
  birthChanges,
  type BirthValues,
  describeBirthChange,
  type IneffectiveChange,
  ineffectiveChanges,
  installedMinor,
  type ManifestInputs,
  removedManifests,
} from "../provider/config";
import { talosKind } from "../provider/engine";
import { clustersIn, type MachineChange, machineChanges, stoppingChanges } from "./machineChange";
import { outlineOf } from "./outlines";
import { compareNames, documentAt, type PreviewedResource } from "./previewedResource";
import { type QuorumStep, waitingForLost } from "./quorumSteps";
import type { ScalingGroupChange } from "./scalingGroupChange";

/** A risk of a change that a reviewer must see. */
export interface Risk {
  /** The kind, for programs. */
  readonly code: RiskCode;
  /** Its subject: the name of a resource or machine. */
  readonly subject: string;
  /** What may happen, and what to do. */
  readonly reason: string;
}

export type RiskCode =
  | "secretsLost"
  | "etcdLost"
  | "lostMachineFirst"
  | "quorumLost"
  | "controlPlaneReplaced"
  | "contractChanged"
  | "openToTheWorld"
  | "certificateExpires"
  | "protectedDeleted"
  | "networkReplaced"
  | "addressChanges"
  | "podsEnd"
  | "manifestsRemoved"
  | "birthChanged"
  | "addOnRemoved"
  | IneffectiveChange["code"];

/** The inputs for the search for risks. */
export interface RiskInputs {
  readonly resources: readonly PreviewedResource[];
  readonly machines: readonly MachineChange[];
  readonly scalingGroups: readonly ScalingGroupChange[];
  readonly quorum: readonly QuorumStep[];
  readonly now: Date;
}

/** The properties of a firewall rule that decide what it opens. */
const OPENING = /^(cidr|fromPort|toPort|ipProtocol)/;

/** Days before its end from which a certificate is reported. */
const EXPIRY_WARNING_DAYS = 14;

const INSTANCE = "aws:ec2/instance:Instance";

/** The risks for a reviewer, the gravest first. */
export function findRisks(inputs: RiskInputs): readonly Risk[] {
  const { machines, quorum } = inputs;
  // The engine's order varies.
  const resources = [...inputs.resources].sort((one, other) => compareNames(one.name, other.name));
  const etcdLost = quorum.some(isEtcdLost);
  const blocked = etcdLost ? [] : clustersIn(inputs.resources).flatMap(lostMachineFirst);
  return [
    ...resources.flatMap(secretsLost),
    ...(blocked.length > 0 ? blocked : quorumLost(quorum)),
    ...machines.flatMap(controlPlaneReplaced),
    ...resources.flatMap(contractChanged),
    ...resources.flatMap(openToTheWorld),
    ...resources.flatMap(protectedDeleted),
    ...resources.flatMap(networkReplaced),
    ...resources.flatMap((resource) => certificateExpires(resource, inputs.now)),
    ...resources.flatMap((resource) => addressChanges(resource, resources)),
    ...resources.flatMap(birthChanged),
    ...resources.flatMap((resource) => unheeded(resource, resources)),
    ...podsEnd(inputs),
    ...resources.flatMap(addOnRemoved),
    ...resources.flatMap(manifestsRemoved),
  ];
}

function secretsLost({ type, name, operation }: PreviewedResource): readonly Risk[] {
  if (talosKind(type) !== "MachineSecrets" || !isLost(operation)) {
    return [];
  }
  const reason =
    operation === "delete"
      ? "the cluster's certificate authorities are deleted: its machines can't be accessed any more"
      : "the cluster's certificate authorities are recreated: its machines trust the old ones, and can't be accessed any more";
  return [{ code: "secretsLost", subject: name, reason }];
}

function quorumLost(quorum: readonly QuorumStep[]): readonly Risk[] {
  const lost = quorum.find(isEtcdLost) ?? quorum.find(({ holds }) => !holds);
  if (lost === undefined) {
    return [];
  }
  if (isEtcdLost(lost)) {
    const reason = `etcd has ${lost.healthy} of ${lost.members} members left and needs ${lost.needed}, so this change can't bring it back: restore it with "talos-aws restore <stack> --from <snapshot>"; without a snapshot, destroy the stack and create it again`;
    return [{ code: "etcdLost", subject: lost.machine, reason }];
  }
  const reason = `etcd has ${lost.healthy} of ${lost.members} members during the change and needs ${lost.needed}: the Kubernetes API is down until they return`;
  return [{ code: "quorumLost", subject: lost.machine, reason }];
}

function isEtcdLost({ what, holds }: QuorumStep): boolean {
  return what === "lost" && !holds;
}

/** What waits for a lost machine whose replacement comes later in the same update. */
function lostMachineFirst(cluster: readonly PreviewedResource[]): readonly Risk[] {
  const { lost, waiting } = waitingForLost(machineChanges(cluster));
  const isUpgraded = cluster.some(
    ({ type, changes }) => talosKind(type) === "KubernetesUpgrade" && changes.includes("images"),
  );
  const later = [...(isUpgraded ? ["the upgrade of Kubernetes"] : []), ...waiting];
  if (lost.length === 0 || later.length === 0) {
    return [];
  }
  const reason = `AWS no longer has it, and the update would wait in vain: ${later.join(", ")} comes before its replacement, and needs every member of etcd. Set this change back, run "talos-aws up <stack>" to replace the machine, then make the change again`;
  return [{ code: "lostMachineFirst", subject: lost.join(", "), reason }];
}

function controlPlaneReplaced({
  name,
  role,
  effect,
  because,
  isLost,
}: MachineChange): readonly Risk[] {
  if (role !== "controlplane" || (effect !== "replaced" && effect !== "removed")) {
    return [];
  }
  if (isLost === true) {
    const reason = "AWS no longer has it: an empty machine takes its place in etcd";
    return [{ code: "controlPlaneReplaced", subject: name, reason }];
  }
  const reason =
    effect === "removed"
      ? "the machine's etcd member and its disk's data are deleted with it"
      : `an empty machine replaces it${because.length > 0 ? ` (${because.join(", ")} changes)` : ""} and joins etcd before this one leaves; the data on this one's disk is lost`;
  return [{ code: "controlPlaneReplaced", subject: name, reason }];
}

function contractChanged(resource: PreviewedResource): readonly Risk[] {
  const [before, after] = [resource.oldInputs.versionContract, resource.newInputs.versionContract];
  if (talosKind(resource.type) !== "MachineSecrets" || before === after) {
    return [];
  }
  const isTold = typeof before === "string" && typeof after === "string";
  const [kept, given] = [resource.oldInputs, resource.newInputs].map(
    ({ contractDefaults, versionContract }) => contractDefaults ?? versionContract,
  );
  const meaning =
    kept === given ? "its settings mean the same, also on the way back" : "read each one's diff";
  const reason = `every machine's configuration is written in another dialect, from ${isTold ? `${before} to ${after}` : "another one"}: ${meaning}`;
  return isTold ? [{ code: "contractChanged", subject: resource.name, reason }] : [];
}

function openToTheWorld(resource: PreviewedResource): readonly Risk[] {
  const { type, operation, newInputs, changes, name } = resource;
  const isNew = operation === "create" || changes.some((change) => OPENING.test(change));
  const cidr = [newInputs.cidrIpv4, newInputs.cidrIpv6]
    .filter((range) => typeof range === "string")
    .find(isWorldRange);
  if (type !== "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule" || !isNew || !cidr) {
    return [];
  }
  const ports = describePorts(newInputs.fromPort, newInputs.toPort);
  const from = cidr === "0.0.0.0/0" || cidr === "::/0" ? "every address" : cidr;
  return [
    { code: "openToTheWorld", subject: name, reason: `${ports} can be reached from ${from}` },
  ];
}

function describePorts(from: unknown, to: unknown): string {
  if (typeof from !== "number" || typeof to !== "number") {
    return "every port";
  }
  return from === to ? `port ${from}` : `ports ${from} to ${to}`;
}

function protectedDeleted({
  isProtected,
  operation,
  name,
  oldInputs,
}: PreviewedResource): readonly Risk[] {
  const byEc2 = oldInputs.disableApiTermination === true;
  const reason = byEc2
    ? "EC2 refuses to end it, because its termination protection is on: first set `terminationProtection`, and `protect` if it is on too, to false and run up; then make this change"
    : "it is protected, so Pulumi will refuse: to change it, first set `protect` to false";
  return (isProtected || byEc2) && isLost(operation)
    ? [{ code: "protectedDeleted", subject: name, reason }]
    : [];
}

function networkReplaced({
  type,
  operation,
  name,
  replacedBy,
}: PreviewedResource): readonly Risk[] {
  const what = {
    "aws:ec2/vpc:Vpc": "the network, and with it every machine",
    "aws:lb/loadBalancer:LoadBalancer":
      "the Kubernetes API's load balancer: clients wait until the name resolves to the new one",
    "aws:route53/zone:Zone": "the hosted zone: the parent domain must delegate to new name servers",
  }[type];
  return what !== undefined && operation === "replace"
    ? [
        {
          code: "networkReplaced",
          subject: name,
          reason: `${replacedBy.join(", ")} replaces ${what}`,
        },
      ]
    : [];
}

function certificateExpires(resource: PreviewedResource, now: Date): readonly Risk[] {
  const { oldOutputs, operation, name } = resource;
  const { notAfter } = oldOutputs;
  if (typeof notAfter !== "string" || operation !== "same") {
    return [];
  }
  const days = (Date.parse(notAfter) - now.getTime()) / 86_400_000;
  const when = days < 0 ? "has expired" : `expires in ${Math.floor(days)} days`;
  return days < EXPIRY_WARNING_DAYS
    ? [
        {
          code: "certificateExpires",
          subject: name,
          reason: `its certificate ${when}, and this change doesn't renew it`,
        },
      ]
    : [];
}

/** EC2 gives an instance a new public address after a stop, unless it is an Elastic IP. */
function addressChanges(
  instance: PreviewedResource,
  resources: readonly PreviewedResource[],
): readonly Risk[] {
  const { type, name, newInputs, operation } = instance;
  const fixed = resources.find(
    (other) => other.type === "aws:ec2/eipAssociation:EipAssociation" && other.name === name,
  );
  if (type === INSTANCE && fixed?.operation === "create" && /^(same|update)$/.test(operation)) {
    const reason =
      "an Elastic IP replaces its public address: connections to the old one break, and resources that contain it change in the same run";
    return [{ code: "addressChanges", subject: name, reason }];
  }
  const isFixed = fixed !== undefined && fixed.operation !== "delete";
  const isPublic = newInputs.associatePublicIpAddress === true && !isFixed;
  if (type !== INSTANCE || !isPublic || stoppingChanges(instance).length === 0) {
    return [];
  }
  const reason =
    "the stop changes its public address, and a preview can't know the new one: resources that contain the old one, such as the talosconfig and the firewall, change in the same run";
  return [{ code: "addressChanges", subject: name, reason }];
}

/** Settings that stay unchanged on a machine, although the diff shows a change. */
function unheeded(
  apply: PreviewedResource,
  resources: readonly PreviewedResource[],
): readonly Risk[] {
  const { type, name, operation, oldInputs, newInputs } = apply;
  const after = outlineOf(newInputs);
  if (talosKind(type) !== "ConfigurationApply" || operation === "delete" || after === undefined) {
    return [];
  }
  const before =
    operation === "create" || operation === "replace" ? undefined : outlineOf(oldInputs);
  const isUpgraded = documentAt(newInputs, "talosSystem") !== undefined;
  const isSynced = resources.some(
    (each) =>
      talosKind(each.type) === "KubernetesManifests" &&
      each.parent === apply.parent &&
      each.operation !== "delete",
  );
  return ineffectiveChanges(before, after, { isUpgraded, isSynced }).map(({ code, reason }) => ({
    code,
    subject: name,
    reason,
  }));
}

/** Changes of what a machine keeps from its birth, which the program accepts: others are refused. */
function birthChanged({ type, name, operation, ...inputs }: PreviewedResource): readonly Risk[] {
  const [before, after] = [inputs.oldInputs, inputs.newInputs].map(outlineOf);
  const isChanged = talosKind(type) === "ConfigurationApply" && operation === "update";
  if (!isChanged || before === undefined || after === undefined) {
    return [];
  }
  const born = documentAt(inputs.oldInputs, "bornOtherwise") as BirthValues | undefined;
  return birthChanges(before, after, installedMinor(after), born).map((change) => ({
    code: "birthChanged",
    subject: name,
    reason: describeBirthChange(change),
  }));
}

/** Groups that end machines without a drain, while the cluster stays. */
function podsEnd({ scalingGroups, resources }: RiskInputs): readonly Risk[] {
  if (resources.some((each) => secretsLost(each).length > 0)) {
    return [];
  }
  const remedy =
    'set autoScaling.drainSeconds and the add-on "nodeTerminationHandler" in an update before this one';
  return scalingGroups.flatMap(({ name, effect, shrinks, drainSeconds }) => {
    const allEnd = effect === "ended" || effect === "replaced";
    if (drainSeconds !== undefined || !(allEnd || shrinks)) {
      return [];
    }
    const reason = allEnd
      ? `AWS ends the machines at once, and their pods with them, whatever their budgets say: drain the nodes first, or ${remedy}`
      : `if more machines run than the new sizes allow, AWS chooses some and ends them at once, and their pods with them: ${remedy}`;
    return [{ code: "podsEnd", subject: name, reason }];
  });
}

/** Add-ons that the program leaves out, with what the cluster loses. A destroy leaves out none. */
function addOnRemoved({
  type,
  operation,
  oldInputs,
  newInputs,
}: PreviewedResource): readonly Risk[] {
  if (talosKind(type) !== "ImmutableArguments" || operation === "delete") {
    return [];
  }
  const after = documentAt(newInputs, "removals") ?? {};
  return Object.entries(documentAt(oldInputs, "removals") ?? {}).flatMap(([path, reason]) =>
    path in after
      ? []
      : [
          {
            code: "addOnRemoved" as const,
            subject: path,
            reason: `it is left out: ${String(reason)}`,
          },
        ],
  );
}

/** Objects that are deleted from the cluster together with their manifests. */
function manifestsRemoved(resource: PreviewedResource): readonly Risk[] {
  const { type, name, oldInputs, newInputs } = resource;
  const [before, after] = [documentAt(oldInputs, "manifests"), documentAt(newInputs, "manifests")];
  if (talosKind(type) !== "KubernetesManifests" || before === undefined || after === undefined) {
    return [];
  }
  return removedManifests(before as ManifestInputs, after as ManifestInputs).map((what) => ({
    code: "manifestsRemoved" as const,
    subject: name,
    reason: `${what}: its objects are deleted from the cluster, except namespaces`,
  }));
}

function isLost(operation: PreviewedResource["operation"]): boolean {
  return operation === "delete" || operation === "replace";
}
