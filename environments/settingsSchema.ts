import type {
  ApiExposure,
  ApiHealthCheck,
  ClusterCni,
  ClusterFirewallArgs,
  ClusterRoleArgs,
} from "../components";
import { API_EXPOSURES } from "../components/firewallArgs";
import { API_HEALTH_CHECKS } from "../components/planApiHealthCheck";
import type { ConfigDocument } from "../provider";
import { cniSetting, firewallSchema, networkSchema, type NetworkSettings } from "./networkSchema";
import {
  machineConfigurationSchema,
  type MachineConfigurationSettings,
} from "./machineConfigurationSchema";
import { PRESETS, type PresetName } from "./presets";
import { choice, flag, group, list, ranges, text, textsByKey, whole } from "./settingSchema";

/** What a stack's settings may hold, as they are written there. */
export interface GivenSettings {
  readonly preset?: PresetName;
  readonly environment?: string;
  readonly domain: string;
  readonly dns?: {
    readonly createZone?: boolean;
    readonly privateZone?: boolean;
    readonly zoneId?: string;
    readonly zoneName?: string;
  };
  readonly talosVersion: string;
  readonly versionContract: string;
  readonly kubernetesVersion: string;
  readonly operatorCidrs: readonly string[];
  readonly kubernetesApiCidrs?: readonly string[];
  readonly allowWorldToKubernetesApi?: boolean;
  readonly exposure?: ApiExposure;
  readonly apiHealthCheck?: ApiHealthCheck;
  readonly network: NetworkSettings;
  readonly firewall?: ClusterFirewallArgs;
  readonly cni?: ClusterCni;
  readonly cniManifests?: readonly string[];
  readonly kubeSpan?: boolean;
  readonly controlPlane?: {
    readonly machineCount?: number;
    readonly instanceType?: string;
    readonly imageId?: string;
    readonly imageOwner?: string;
    readonly imageName?: string;
    readonly role?: ClusterRoleArgs & { readonly instanceProfileName?: string };
    readonly rootVolumeSizeGib?: number;
    readonly machines?: Readonly<
      Record<string, { readonly zone?: string; readonly patches?: (string | ConfigDocument)[] }>
    >;
  };
  readonly podCidrs?: readonly string[];
  readonly serviceCidrs?: readonly string[];
  readonly machineConfiguration?: MachineConfigurationSettings;
  readonly patches?: (string | ConfigDocument)[];
  readonly protect?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
}

const patches = list("a list of patches", {
  title: "a patch: YAML text, or an object",
  type: ["string", "object"],
});
const arns = (example: string) =>
  list(`a list of ARNs, as in ["${example}"]`, text(`an ARN, as in "${example}"`));
const roleSchema = group("an object, as in {permissions: {ecrPull: true}}", {
  none: flag,
  instanceProfileName: text(`the name of an instance profile, as in "talos"`),
  permissionsBoundaryArn: text(
    `the ARN of a policy, as in "arn:aws:iam::123456789012:policy/boundary"`,
  ),
  permissions: group("an object, as in {ecrPull: true}", {
    cloudController: flag,
    ebsCsi: flag,
    ebsCsiKmsKeyArns: arns("arn:aws:kms:us-east-1:123456789012:key/0123abcd"),
    ecrPull: flag,
    ecrRepositoryArns: arns("arn:aws:ecr:us-east-1:123456789012:repository/app"),
    clusterAutoscaler: flag,
    etcdBackupArn: text(`the ARN of an S3 bucket, as in "arn:aws:s3:::backups/prod"`),
  }),
});
/** The settings of an environment: their names, shapes, and which must be given. */
export const settingsSchema = group(
  "settings",
  {
    preset: choice(Object.keys(PRESETS)),
    environment: text(`a part of a domain name, as in "sandbox"`),
    domain: text(`a domain of yours, as in "example.com"`),
    dns: group("an object, as in {createZone: true}", {
      createZone: flag,
      privateZone: flag,
      zoneId: text(`the id of a hosted zone, as in "Z0123456789ABC"`),
      zoneName: text(`the name of a hosted zone, as in "example.com"`),
    }),
    talosVersion: text(`a Talos release, as in "v1.12.1"`),
    versionContract: text(
      `the Talos minor the cluster was first made with, as in "v1.12"; it never changes`,
    ),
    kubernetesVersion: text(`a Kubernetes release, as in "v1.35.0"`),
    operatorCidrs: ranges,
    kubernetesApiCidrs: ranges,
    allowWorldToKubernetesApi: flag,
    exposure: choice(API_EXPOSURES),
    apiHealthCheck: choice(API_HEALTH_CHECKS),
    network: networkSchema,
    firewall: firewallSchema,
    cni: cniSetting,
    cniManifests: list(
      `a list of URLs, as in ["https://example.com/cilium.yaml"]`,
      text(`a URL, as in "https://example.com/cilium.yaml"`),
    ),
    kubeSpan: flag,
    controlPlane: group("an object, as in {machineCount: 3}", {
      machineCount: whole("1, 3 or 5"),
      instanceType: text(`an EC2 instance type, as in "m6i.large"`),
      imageId: text(`the id of an image, as in "ami-0123456789abcdef0"`),
      imageOwner: text(`an account, as in "123456789012", or "self"`),
      imageName: text(`the name of an image, as in "talos-v1.12.1-us-east-1-amd64"`),
      role: roleSchema,
      rootVolumeSizeGib: whole("a whole number of GiB"),
      machines: {
        title: `an object by machine, as in {"2": {zone: us-east-1b}}`,
        type: "object",
        additionalProperties: group("an object, as in {zone: us-east-1b}", {
          zone: text(`an availability zone, as in "us-east-1a"`),
          patches,
        }),
      },
    }),
    podCidrs: ranges,
    serviceCidrs: ranges,
    machineConfiguration: machineConfigurationSchema,
    patches,
    protect: flag,
    tags: textsByKey("team: storage"),
  },
  ["domain", "talosVersion", "versionContract", "kubernetesVersion", "operatorCidrs", "network"],
);
