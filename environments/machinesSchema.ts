import type { ClusterControlPlaneArgs, ClusterRoleArgs } from "../components";
import type { ClusterWorkerPoolArgs } from "../components/cluster/arguments/clusterWorkersArgs";
import { INGRESS_PROBES } from "../components/endpoint/ingressListeners";
import { ETCD_VOLUME_CONTENTS } from "../components/machines/etcdVolume";
import { FIRST_CONTACTS } from "../components/machines/machineConsole";
import { PLACEMENT_STRATEGIES } from "../components/machines/placement";
import { FAST_VOLUME_TYPES, VOLUME_TYPES } from "../components/machines/volumes";
import {
  GROUP_STRATEGIES,
  INSTANCE_REFRESHES,
  SPOT_ALLOCATIONS,
} from "../components/workers/autoScalingArgs";
import type { ConfigDocument } from "../provider";
import { NEWEST_RELEASES } from "../provider/config/newestReleases";
import { FIRST_DELIVERIES } from "../provider/lifecycle/delivery";
import { WHEN_BLOCKED } from "../provider/lifecycle/drainNode";
import {
  machineConfigurationSchema,
  type MachineConfigurationSettings,
} from "./machineConfigurationSchema";
import {
  choice,
  flag,
  group,
  list,
  type SettingSchema,
  text,
  textsByKey,
  whole,
} from "./settingSchema";

/** A patch in settings: YAML text, or an object. */
export type PatchSetting = string | ConfigDocument;

/** Settings of a role. */
export type RoleSettings = Omit<ClusterRoleArgs, "instanceProfileName"> & {
  readonly instanceProfileName?: string;
};

/** Settings of a single machine. */
interface MachineSettings {
  readonly zone?: string;
  readonly replacement?: string;
  readonly patches?: PatchSetting[];
}

/** Settings of a single machine of the control plane. */
interface ControlPlaneMachineSettings extends MachineSettings {
  readonly maintenanceFingerprints?: string[];
}

/** Arguments with known values. */
interface Known {
  readonly instanceType?: string;
  readonly imageId?: string;
  readonly kmsKeyId?: string;
  readonly role?: RoleSettings;
  readonly machines?: Readonly<Record<string, MachineSettings>>;
  readonly terminationProtection?: boolean;
}

/** Settings of the control plane. */
export type ControlPlaneSettings = Omit<ClusterControlPlaneArgs, keyof Known> &
  Omit<Known, "machines"> & {
    readonly machines?: Readonly<Record<string, ControlPlaneMachineSettings>>;
  };

/** Settings of all workers. */
export interface WorkersSettings {
  readonly machineConfiguration?: WorkerConfigurationSettings;
  readonly patches?: PatchSetting[];
  readonly role?: RoleSettings;
}

/** Settings of workers' configuration. */
export type WorkerConfigurationSettings = Omit<
  MachineConfigurationSettings,
  | "allowSchedulingOnControlPlanes"
  | "apiServerCertSans"
  | "extraManifests"
  | "nodeLabels"
  | "nodeTaints"
>;

/** Settings of a pool of workers. */
export type WorkerPoolSettings = ClusterWorkerPoolArgs & {
  readonly imageId?: string;
  readonly role?: RoleSettings;
  readonly machineConfiguration?: WorkerConfigurationSettings;
  readonly patches?: PatchSetting[];
  readonly machines?: Readonly<Record<string, MachineSettings>>;
  readonly tags?: Readonly<Record<string, string>>;
};

/** The shape of patches in an environment's settings. */
export const patches = list("a list of patches", {
  title: "a patch: YAML text, or an object",
  type: ["string", "object"],
});

const arns = (example: string) =>
  list(`a list of ARNs, as in ["${example}"]`, text(`an ARN, as in "${example}"`));
const zone = text(`an availability zone, as in "us-east-1a"`);
const replacement = text(`why the machine is replaced, as in "broken disk, 2026-11-24"`);

const machinesOf = (properties: Readonly<Record<string, SettingSchema>>): SettingSchema => ({
  title: `an object by machine, as in {"2": {zone: us-east-1b}}`,
  type: "object",
  additionalProperties: group("an object, as in {zone: us-east-1b}", properties),
});

const statement = group(
  "an object, as in {actions: [s3:GetObject], resources: [...]}",
  {
    actions: list(`a list of actions, as in ["s3:GetObject"]`, text("an action")),
    resources: list(`a list of ARNs, as in ["arn:aws:s3:::mine/*"]`, text("an ARN")),
    conditions: {
      title: `an object by operator and key, as in {StringEquals: {"aws:RequestedRegion": us-east-1}}`,
      type: "object",
    },
  },
  ["actions", "resources"],
);
const role = group("an object, as in {permissions: {ecrPull: true}}", {
  none: flag,
  instanceProfileName: text(`the name of an instance profile, as in "talos"`),
  permissionsBoundaryArn: text(
    `the ARN of a policy, as in "arn:aws:iam::123456789012:policy/boundary"`,
  ),
  path: text(`a path, as in "/talos/"`),
  managedPolicyArns: textsByKey("read: arn:aws:iam::aws:policy/ReadOnlyAccess"),
  statements: list("a list of statements", statement),
  permissions: group("an object, as in {ecrPull: true}", {
    cloudController: flag,
    ebsCsi: flag,
    ebsCsiKmsKeyArns: arns("arn:aws:kms:us-east-1:123456789012:key/0123abcd"),
    ecrPull: flag,
    ecrRepositoryArns: arns("arn:aws:ecr:us-east-1:123456789012:repository/app"),
    clusterAutoscaler: flag,
    loadBalancerController: flag,
    externalDnsZoneIds: list(
      "a list of ids of hosted zones, as in [Z0123456789ABCDEFGHIJ]",
      text(`the id of a hosted zone, as in "Z0123456789ABCDEFGHIJ"`),
    ),
    auditLogGroupName: text(`the name of a log group, as in "/talos/prod/audit"`),
    etcdBackupArn: text(`the ARN of an S3 bucket, as in "arn:aws:s3:::backups/prod"`),
    etcdBackupKmsKeyArn: text("the ARN of a key"),
  }),
});

/** Settings of a volume's speed. */
const volumeSpeed = (types: readonly string[]) => ({
  type: choice(types),
  iops: whole("a number of operations a second, as in 3000"),
  throughputMib: whole("a number of MiB a second, as in 125"),
});

/** Two limits of a number. */
const range = (title: string) =>
  group("an object, as in {min: 2, max: 4}", { min: whole(title), max: whole(title) }, ["min"]);

const types = list(
  `a list of instance types, as in ["m6i.*"]`,
  text(`an EC2 instance type, as in "m6i.*"`),
);

/** Settings of machines that control planes and pools share. */
const machines: Readonly<Record<string, SettingSchema>> = {
  instanceType: text(`an EC2 instance type, as in "m6i.large"`),
  subnets: choice(["public", "private"]),
  imageId: text(`the id of an image, as in "ami-0123456789abcdef0"`),
  imageOwner: text(`an account, as in "123456789012", or "self"`),
  imageName: text(
    `the name of an image, as in "talos-${NEWEST_RELEASES.talosVersion}-us-east-1-amd64"`,
  ),
  role,
  rootVolumeSizeGib: whole("a whole number of GiB"),
  rootVolume: group("an object, as in {type: gp3, iops: 4000}", volumeSpeed(FAST_VOLUME_TYPES)),
  kmsKeyId: text(`the ARN of a key, as in "arn:aws:kms:us-east-1:123456789012:key/0123abcd"`),
  detailedMonitoring: flag,
  metadataHopLimit: whole("a number of hops, as in 1"),
  machines: machinesOf({
    zone,
    replacement,
    patches,
    maintenanceFingerprints: list(
      "a list of fingerprints, as the machine's console prints them",
      text(`the 44 characters of the last line "server certificate issued"`),
    ),
  }),
  terminationProtection: flag,
  drain: group("an object, as in {timeoutSeconds: 600}", {
    timeoutSeconds: whole("a number of seconds, as in 600"),
    whenBlocked: choice(WHEN_BLOCKED),
  }),
};

/** The shape of `controlPlane` in an environment's settings. */
export const controlPlaneSchema = group("an object, as in {machineCount: 3}", {
  machineCount: whole("1, 3 or 5"),
  ...machines,
  delivery: choice(FIRST_DELIVERIES),
  firstContact: choice(FIRST_CONTACTS),
  fixedAddresses: flag,
  etcdVolume: group(
    "an object, as in {sizeGib: 20}",
    {
      sizeGib: whole("a whole number of GiB"),
      holds: choice(ETCD_VOLUME_CONTENTS),
      ...volumeSpeed(FAST_VOLUME_TYPES),
    },
    ["sizeGib"],
  ),
});

const {
  allowSchedulingOnControlPlanes,
  apiServerCertSans,
  extraManifests,
  nodeLabels,
  nodeTaints,
  ...workerOptions
} = machineConfigurationSchema.properties ?? {};
const workerConfiguration = group("an object, as in {sysctls: {}}", workerOptions);

/** The shape of `workers` in an environment's settings. */
export const workersSchema = group("an object, as in {role: {permissions: {ecrPull: true}}}", {
  machineConfiguration: workerConfiguration,
  patches,
  role,
});

/** The shape of `workerPools` in an environment's settings. */
export const workerPoolsSchema: SettingSchema = {
  title: "an object of pools by names of your own, as in {apps: {machineCount: 2}}",
  type: "object",
  additionalProperties: group("an object, as in {machineCount: 2}", {
    ...machines,
    machines: machinesOf({
      zone,
      replacement,
      patches,
    }),
    subnets: choice(["public", "private", "worker"]),
    zones: list(`a list of availability zones, as in ["us-east-1a"]`, zone),
    moreSecurityGroupIds: list(
      `a list of security groups, as in ["sg-0123456789abcdef0"]`,
      text(`the id of a security group, as in "sg-0123456789abcdef0"`),
    ),
    targets: {
      title: "an object of target groups by names of your own, as in {web: {targetGroupArn: ...}}",
      type: "object",
      additionalProperties: group(
        "an object, as in {targetGroupArn: ...}",
        { targetGroupArn: text("the ARN of a target group"), port: whole("a port, as in 30080") },
        ["targetGroupArn"],
      ),
    },
    labels: textsByKey("team: storage"),
    ingress: group(
      "an object, as in {listeners: {https: {port: 443, targetPort: 30443}}}",
      {
        listeners: {
          title:
            "an object of ports by names of your own, as in {https: {port: 443, targetPort: 30443}}",
          type: "object",
          additionalProperties: group(
            "an object, as in {port: 443, targetPort: 30443}",
            {
              port: whole("a port, as in 443"),
              targetPort: whole("a port, as in 30443"),
              certificateArn: text("the ARN of a certificate"),
              sslPolicy: text(`a policy, as in "ELBSecurityPolicy-TLS13-1-2-2021-06"`),
              proxyProtocol: flag,
              healthCheck: group("an object, as in {protocol: http, path: /healthz}", {
                protocol: choice(INGRESS_PROBES),
                port: whole("a port, as in 10254"),
                path: text(`a path, as in "/healthz"`),
                intervalSeconds: whole("a number of seconds, as in 10"),
              }),
            },
            ["port", "targetPort"],
          ),
        },
        clientCidrs: list(
          `a list of ranges, as in ["203.0.113.0/24"]`,
          text(`a range, as in "203.0.113.0/24"`),
        ),
        allowWorld: flag,
        internal: flag,
        deletionProtection: flag,
        accessLogs: group(
          "an object, as in {bucketName: example-logs}",
          {
            bucketName: text("the name of a bucket, as in example-logs"),
            prefix: text(`a folder, as in "ingress/web"`),
          },
          ["bucketName"],
        ),
      },
      ["listeners"],
    ),
    placementGroup: group(
      "an object, as in {strategy: spread}",
      {
        strategy: choice(PLACEMENT_STRATEGIES),
        partitions: whole("a number of partitions, 1 to 7"),
      },
      ["strategy"],
    ),
    capacityReservation: group(`an object, as in {id: cr-0123456789abcdef0}`, {
      id: text(`the id of a capacity reservation, as in "cr-0123456789abcdef0"`),
      resourceGroupArn: text("the ARN of a resource group"),
      preference: choice(["open", "none"]),
    }),
    dataVolumes: {
      title: "an object of volumes by name, as in {data: {sizeGib: 100}}",
      type: "object",
      additionalProperties: group(
        "an object, as in {sizeGib: 100}",
        {
          sizeGib: whole("a whole number of GiB"),
          ...volumeSpeed(VOLUME_TYPES),
          filesystem: choice(["xfs", "ext4"]),
        },
        ["sizeGib"],
      ),
    },
    taints: textsByKey("dedicated: storage:NoSchedule"),
    machineConfiguration: workerConfiguration,
    patches,
    tags: textsByKey("team: storage"),
    machineCount: whole("a number of machines, 0 or more"),
    maxUnavailable: {
      title: `how many machines change at the same time, as in 2 or "10%"`,
      type: ["integer", "string"],
    },
    autoScaling: group(
      "an object, as in {minSize: 1, maxSize: 5}",
      {
        minSize: whole("the minimum number of machines"),
        maxSize: whole("the maximum number of machines"),
        desiredSize: whole("the number of machines"),
        groups: choice(GROUP_STRATEGIES),
        clusterAutoscaler: flag,
        moreInstanceTypes: list(
          `a list of instance types, as in ["m6a.large"]`,
          text(`an EC2 instance type, as in "m6a.large"`),
        ),
        instanceRequirements: group(
          "an object, as in {vcpus: {min: 2, max: 4}, memoryGib: {min: 8}}",
          {
            vcpus: range("a number of virtual processors, as in 4"),
            memoryGib: range("a number of GiB, as in 8"),
            allowedInstanceTypes: types,
            excludedInstanceTypes: types,
            burstable: flag,
          },
          ["vcpus", "memoryGib"],
        ),
        drainSeconds: whole("a number of seconds, as in 180"),
        onDemandPercentage: whole("a percentage, as in 50"),
        onDemandBaseSize: whole("a number of machines"),
        spotAllocation: choice(SPOT_ALLOCATIONS),
        capacityRebalance: flag,
        refresh: choice(INSTANCE_REFRESHES),
        minHealthyPercentage: whole("a percentage, as in 100"),
        maxHealthyPercentage: whole("a percentage, as in 110"),
        refreshTimeoutSeconds: whole("a number of seconds, as in 3600"),
        warmupSeconds: whole("a number of seconds"),
        healthCheckGraceSeconds: whole("a number of seconds"),
        maxInstanceLifetimeDays: whole("a number of days, 1 to 365"),
        protectFromScaleIn: flag,
      },
      ["minSize", "maxSize"],
    ),
  }),
};
