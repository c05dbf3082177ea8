import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type InlineManifest, type SecretsBundle } from "../../../provider";
import { deriveServingCertificate } from "../../../provider/pki/deriveServingCertificate";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { clusterNames } from "../../endpoint/clusterNames";
import type { ServiceAccountRole } from "../../identity/serviceAccountRole";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterIrsa } from "../clusterIrsa";
import {
  type AddOnChoices,
  addOnChoices,
  type AwsAddOnName,
  isOwn,
  isOwnPinned,
} from "./addOnChoices";
import { certificateSecret } from "./objects/certificateSecret";
import { SYSTEM_NAMESPACE } from "./objects/addOnScope";
import { manifestOf } from "./objects/kubernetesObject";
import {
  LOAD_BALANCER_CONTROLLER_ACCOUNT,
  LOAD_BALANCER_CONTROLLER_CERTIFICATE,
} from "./objects/loadBalancerControllerObjects";
import {
  POD_IDENTITY_CERTIFICATE,
  POD_IDENTITY_HOST,
  podIdentityWebhookObjects,
} from "./objects/podIdentityWebhookObjects";
import { MANIFEST_NAMES, planOwnManifests } from "./planOwnManifests";

/** What the manifests of a cluster's add-ons are made of besides its arguments. */
export interface OwnManifestSources {
  readonly clusterName: pulumi.Input<string>;
  /** Roles of add-ons that have one of their own. */
  readonly roles: Partial<Readonly<Record<AwsAddOnName, ServiceAccountRole>>>;
  /** The cluster's secrets, of which certificates within it are made. */
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
}

/** A server within the cluster that is called by TLS, or has to be able to. */
interface Server {
  readonly host: string;
  /** The Secret that it reads its certificate from. */
  readonly secretName: string;
  /** What the manifest of that is called. */
  readonly manifest: string;
}

const LOAD_BALANCER_CONTROLLER: Server = {
  host: `${LOAD_BALANCER_CONTROLLER_ACCOUNT}.${SYSTEM_NAMESPACE}.svc`,
  secretName: LOAD_BALANCER_CONTROLLER_CERTIFICATE,
  manifest: `${MANIFEST_NAMES.loadBalancerController}-certificate`,
};

const WEBHOOK_MANIFEST = "pod-identity-webhook";
const WEBHOOK: Server = {
  host: POD_IDENTITY_HOST,
  secretName: POD_IDENTITY_CERTIFICATE,
  manifest: `${WEBHOOK_MANIFEST}-certificate`,
};

/**
 * The manifests of the add-ons that this package describes itself; undefined where there are none. Where
 * one holds a key, all of them are secret.
 *
 * @param options by which the account is asked for its region
 */
export function makeOwnManifests(
  args: TalosClusterArgs,
  sources: OwnManifestSources,
  options: pulumi.InvokeOptions,
): pulumi.Output<InlineManifest[]> | undefined {
  const choices = addOnChoices(args.addOns ?? {});
  const webhook = clusterIrsa(args)?.webhook;
  if (!hasOwn(choices) && webhook === undefined) {
    return undefined;
  }
  const { clusterName, secretsBundle, roles } = sources;
  const { recordName } = clusterNames(args);
  const scope = pulumi
    .all([
      clusterName,
      aws.getRegionOutput({}, options).region,
      args.kubernetesVersion,
      args.controlPlane?.machineCount ?? DEFAULT_MACHINE_COUNT,
    ])
    .apply(([name, region, kubernetesVersion, controlPlanes]) => ({
      ...{ clusterName: name, region, kubernetesVersion, controlPlanes, recordName },
    }));
  const identities = pulumi.output(
    Object.fromEntries(
      Object.entries(roles).map(([addOn, { roleArn }]) => [addOn, { roleArn }] as const),
    ),
  );
  const plain = pulumi
    .all([scope, pulumi.output([...(choices.externalDns?.zoneIds ?? [])]), identities])
    .apply(([where, zoneIds, known]) =>
      planOwnManifests(where, withZones(choices, zoneIds), known),
    );
  const controller = choices.loadBalancerController;
  const served = [
    ...(controller !== undefined && isOwn(controller) ? [LOAD_BALANCER_CONTROLLER] : []),
    ...(webhook === undefined ? [] : [WEBHOOK]),
  ];
  if (served.length === 0) {
    return plain;
  }
  const keyed = pulumi.all([scope, pulumi.output(secretsBundle)]).apply(async ([where, bundle]) => {
    const made = await Promise.all(served.map((server) => certify(server, bundle)));
    const { crt } = await deriveServingCertificate(bundle, [WEBHOOK.host]);
    return [
      ...made,
      ...(webhook === undefined
        ? []
        : [
            {
              name: WEBHOOK_MANIFEST,
              contents: manifestOf(podIdentityWebhookObjects(where, webhook, crt)),
            },
          ]),
    ];
  });
  return pulumi.all([plain, keyed]).apply((both) => both.flat());
}

/** A certificate in a manifest of its own, so that a preview can show the others' lines. */
async function certify(
  { host, secretName, manifest }: Server,
  bundle: SecretsBundle,
): Promise<InlineManifest> {
  const made = await deriveServingCertificate(bundle, [host]);
  return { name: manifest, contents: manifestOf([certificateSecret(secretName, made)]) };
}

function hasOwn(choices: AddOnChoices): boolean {
  const { cilium: _never, servingCertificateApprover, metricsServer, ...others } = choices;
  const pinned = [servingCertificateApprover, metricsServer];
  return (
    Object.values(others).some((addOn: object) => isOwn(addOn)) ||
    pinned.some((addOn) => addOn !== undefined && isOwnPinned(addOn))
  );
}

function withZones(choices: AddOnChoices, zoneIds: readonly string[]) {
  const { externalDns, ...others } = choices;
  if (externalDns === undefined) {
    return others;
  }
  const { manifest: _text, ...known } = externalDns;
  // A manifest of the user's is passed on elsewhere.
  return isOwn(externalDns) ? { ...others, externalDns: { ...known, zoneIds } } : others;
}
