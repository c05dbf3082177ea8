import * as pulumi from "@pulumi/pulumi";
import type { ImmutableArgumentsArgs } from "../../../provider";
import { defined } from "../../defined";
import { architectureOf } from "../../machines/instanceType";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import type { PlacementGroupArgs } from "../../machines/placement";
import { planDataVolumes } from "../../machines/volumes";
import { DEFAULT_NETWORK_CIDR } from "../../network/networkArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { keptKeys } from "./planSecretsKeys";

/** Values for a created network. */
const MADE = "made";
const MADE_WITHOUT_INTERNET = "made without internet access";

const OTHER_NETWORK =
  "AWS keeps the old network while machines are in it, so the change would stop half-way. Make another cluster with the new network beside this one, move what runs here, then destroy this one";
const OTHER_RANGE =
  "AWS keeps subnets while machines are in them, so the change would stop half-way. Move the pods to a pool in other subnets, remove the pools in this range and the range, then add the other one";
const ETCD_PLACE = "controlPlane.etcdVolume.holds";
/** Value for the default key of an account's EBS. */
const DEFAULT_KEY = "the account's default key";
const OTHER_KEY =
  "AWS can't change the key of a volume. To have the new key on machines that are made again, accept the change in acceptedChanges, then replace one machine after another with pulumi up --replace";
const OTHER_VOLUMES =
  "machines keep the volumes with which they were created, so Talos would wait for new ones and leave removed ones unused. Add another pool with these volumes, move the pods there, then remove this pool";
const OTHER_ETCD_PLACE =
  "Talos moves no volume of a machine that exists, and refuses such a configuration. Leave it as it was, or make another cluster and restore etcd's snapshot there (docs/backup.md)";
const OTHER_PLACEMENT =
  "AWS replaces each machine to move it to another placement group, with all that is on its disk. Add another pool with it, move the pods there, then remove this pool";
const OTHER_SECRETS_KEY =
  "Secrets are encrypted with the key of this generation, and with another one no API server could read them. Leave it as it was, and go to another key by the next generation (docs/rotation.md)";
const OTHER_ARCHITECTURE =
  "AWS replaces each machine for another processor architecture, with all that is on its disk.";

/** Values and reasons by path, as plain mappings. */
interface PlainArguments {
  readonly values: Readonly<Record<string, pulumi.Input<string>>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/**
 * The values that AWS can't change while machines exist, by the argument's path: the network, how
 * its zones are given, and of named machines the architecture, the volume key, the placement group and
 * the data volumes. So are the keys in KMS of generations in use, and whether etcd's data is alone on its volume, which Talos can't change. Machines of an auto scaling group are replaced anyway. Sources: the AWS provider replaces a VPC for `cidrBlock` and
 * an instance for another architecture (terraform-provider-aws PR 36590); EC2 deletes no subnet
 * with a machine in it.
 */
export function planImmutable(
  args: TalosClusterArgs,
): Omit<ImmutableArgumentsArgs, keyof PlainArguments> & PlainArguments {
  const { network, controlPlane = {}, workerPools = {}, acceptedChanges } = args;
  const values: Record<string, pulumi.Input<string>> = {};
  const reasons: Record<string, string> = {};
  const recordedWith: Record<string, string> = {};
  const formerPaths: Record<string, string> = {};
  const keep = (path: string, value: pulumi.Input<string>, reason: string) => {
    values[path] = value;
    reasons[path] = reason;
  };
  // Earlier releases recorded the architecture as the type.
  const keepArchitecture = (path: string, value: pulumi.Input<string>, reason: string) => {
    formerPaths[`${path}.architecture`] = path;
    keep(`${path}.architecture`, value, reason);
  };
  const made = network.internetAccess === false ? MADE_WITHOUT_INTERNET : MADE;
  keep("network.adopt.vpcId", network.adopt?.vpcId ?? made, OTHER_NETWORK);
  if (network.adopt === undefined) {
    keep("network.cidrBlock", network.cidrBlock ?? DEFAULT_NETWORK_CIDR, OTHER_NETWORK);
    // A stack of a release without a second range must not change by itself.
    if (network.workerCidrBlock !== undefined) {
      keep("network.workerCidrBlock", network.workerCidrBlock, OTHER_RANGE);
    }
    keep(
      "network.zones",
      network.zones === undefined ? "counted" : "named",
      "subnets are named by their zones or by numbers, and AWS makes no second subnet of the same range. Go on giving zones as before",
    );
  }
  keepArchitecture(
    "controlPlane.instanceType",
    pulumi.output(controlPlane.instanceType ?? DEFAULT_INSTANCE_TYPE).apply(architectureOf),
    `${OTHER_ARCHITECTURE} Take an instance type of the same architecture, or make another cluster and restore etcd's snapshot there (docs/backup.md)`,
  );
  keep("controlPlane.kmsKeyId", controlPlane.kmsKeyId ?? DEFAULT_KEY, OTHER_KEY);
  // Recorded only for etcd alone, so a stack of an older release does not change by itself. It can
  // neither come nor go while there are machines.
  recordedWith[ETCD_PLACE] = "controlPlane.instanceType.architecture";
  reasons[ETCD_PLACE] = OTHER_ETCD_PLACE;
  if (controlPlane.etcdVolume?.holds === "etcd") {
    values[ETCD_PLACE] = "etcd";
  }
  for (const { path, keyArn, hasEncrypted } of keptKeys(args)) {
    reasons[path] = OTHER_SECRETS_KEY;
    if (hasEncrypted) {
      recordedWith[path] = "controlPlane.instanceType.architecture";
    }
    Object.assign(values, defined({ [path]: keyArn }));
  }
  for (const [name, pool] of Object.entries(workerPools)) {
    const { instanceType = DEFAULT_INSTANCE_TYPE, machineCount = 0 } = pool;
    if (machineCount > 0) {
      const reason = `${OTHER_ARCHITECTURE} Add another pool of that type, move the pods there, then remove this pool`;
      keepArchitecture(`workerPools.${name}.instanceType`, architectureOf(instanceType), reason);
      keep(`workerPools.${name}.kmsKeyId`, pool.kmsKeyId ?? DEFAULT_KEY, OTHER_KEY);
      const volumes = planDataVolumes(pool.dataVolumes)
        .map(({ name: key, volume: { sizeGib } }) => `${key} ${sizeGib} GiB`)
        .join(", ");
      // Recorded only where it is set, so a stack of an older release does not change by itself.
      const keepIfSet = (argument: string, value: string | undefined, why: string) => {
        const path = `workerPools.${name}.${argument}`;
        recordedWith[path] = `workerPools.${name}.instanceType.architecture`;
        reasons[path] = why;
        Object.assign(values, defined({ [path]: value }));
      };
      keepIfSet("dataVolumes", volumes === "" ? undefined : volumes, OTHER_VOLUMES);
      keepIfSet("placementGroup", placementOf(pool.placementGroup), OTHER_PLACEMENT);
    }
  }
  return { values, reasons, accepted: { ...acceptedChanges }, recordedWith, formerPaths };
}

function placementOf(group: PlacementGroupArgs | undefined): string | undefined {
  return group?.partitions === undefined
    ? group?.strategy
    : `${group.strategy} of ${group.partitions}`;
}
