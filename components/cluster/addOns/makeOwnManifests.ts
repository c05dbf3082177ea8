import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type InlineManifest, type SecretsBundle } from "../../../provider";
import { deriveServingCertificate } from "../../../provider/pki/deriveServingCertificate";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { clusterNames } from "../../endpoint/clusterNames";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { type AddOnChoices, addOnChoices, isOwn, isOwnPinned } from "./addOnChoices";
import { certificateSecret } from "./objects/certificateSecret";
import { SYSTEM_NAMESPACE } from "./objects/addOnScope";
import { manifestOf } from "./objects/kubernetesObject";
import {
  LOAD_BALANCER_CONTROLLER_ACCOUNT,
  LOAD_BALANCER_CONTROLLER_CERTIFICATE,
} from "./objects/loadBalancerControllerObjects";
import { MANIFEST_NAMES, planOwnManifests } from "./planOwnManifests";

/** What the manifests of a cluster's add-ons are made of besides its arguments. */
export interface OwnManifestSources {
  readonly clusterName: pulumi.Input<string>;
  /** The cluster's secrets, of which certificates within it are made. */
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
}

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
  if (!hasOwn(choices)) {
    return undefined;
  }
  const { clusterName, secretsBundle } = sources;
  const { recordName } = clusterNames(args);
  const plain = pulumi
    .all([
      clusterName,
      aws.getRegionOutput({}, options).region,
      args.kubernetesVersion,
      args.controlPlane?.machineCount ?? DEFAULT_MACHINE_COUNT,
      pulumi.output(choices.externalDns?.zoneIds ?? []),
    ])
    .apply(([name, region, kubernetesVersion, controlPlanes, zoneIds]) =>
      planOwnManifests(
        { clusterName: name, region, kubernetesVersion, controlPlanes, recordName },
        withZones(choices, zoneIds),
      ),
    );
  const keys = makeCertificates(choices, pulumi.output(secretsBundle));
  return keys === undefined ? plain : pulumi.all([plain, keys]).apply((both) => both.flat());
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

/** Certificates in manifests of their own, so that a preview can show the others' lines. */
function makeCertificates(
  { loadBalancerController: controller }: AddOnChoices,
  secretsBundle: pulumi.Output<SecretsBundle>,
): pulumi.Output<InlineManifest[]> | undefined {
  if (controller === undefined || !isOwn(controller)) {
    return undefined;
  }
  const name = LOAD_BALANCER_CONTROLLER_ACCOUNT;
  return secretsBundle.apply(async (bundle) => {
    const made = await deriveServingCertificate(bundle, [`${name}.${SYSTEM_NAMESPACE}.svc`]);
    const secret = certificateSecret(LOAD_BALANCER_CONTROLLER_CERTIFICATE, made);
    const manifest = `${MANIFEST_NAMES.loadBalancerController}-certificate`;
    return [{ name: manifest, contents: manifestOf([secret]) }];
  });
}
