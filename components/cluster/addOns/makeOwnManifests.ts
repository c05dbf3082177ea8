import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { CertificateAndKey, InlineManifest } from "../../../provider";
import { deriveServingCertificate } from "../../../provider/pki/deriveServingCertificate";
import { joinCertificates } from "../../../provider/pki/pem";
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
import { SYSTEM_NAMESPACE } from "./objects/addOnScope";
import { certificateSecret } from "./objects/certificateSecret";
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
import { withImages } from "./objects/withImages";
import { MANIFEST_NAMES, planOwnManifests } from "./planOwnManifests";

/** Sources of the add-ons' manifests, besides the cluster's arguments. */
export interface OwnManifestSources {
  readonly clusterName: pulumi.Input<string>;
  /** Roles of the add-ons that have their own. */
  readonly roles: Partial<Readonly<Record<AwsAddOnName, ServiceAccountRole>>>;
  /**
   * The generations of the Kubernetes CA, from which serving certificates are derived: that of servers, then
   * others that clients trust too. So a rotation finds clients that already trust the next one.
   */
  readonly servingAuthorities: readonly pulumi.Output<CertificateAndKey>[];
}

/** A server in the cluster that others call over TLS. */
interface Server {
  readonly host: string;
  /** Name of the Secret that contains its certificate. */
  readonly secretName: string;
  /** Name of the manifest that contains the Secret. */
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
 * The manifests of the add-ons that this package writes objects for; undefined if there are none.
 * If one contains a key, all of them are secret.
 * @param options options of the call that asks the AWS provider for its region
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
  const { clusterName, servingAuthorities, roles } = sources;
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
  const keyed = pulumi
    .all([scope, pulumi.all([...servingAuthorities])])
    .apply(async ([where, authorities]) => {
      const [made, trusted] = await Promise.all([
        Promise.all(served.map((server) => certify(server, authorities))),
        certificatesOf(WEBHOOK.host, authorities),
      ]);
      return [
        ...made,
        ...(webhook === undefined
          ? []
          : [
              {
                name: WEBHOOK_MANIFEST,
                contents: manifestOf(
                  withImages(
                    podIdentityWebhookObjects(where, webhook, joinCertificates(trusted)),
                    webhook.images,
                  ),
                ),
              },
            ]),
      ];
    });
  return pulumi.all([plain, keyed]).apply((both) => both.flat());
}

/**
 * The manifest of a server's certificate. It is separate, so a preview can show the lines of the
 * other manifests.
 */
async function certify(
  { host, secretName, manifest }: Server,
  authorities: readonly CertificateAndKey[],
): Promise<InlineManifest> {
  const [current] = authorities;
  if (current === undefined) {
    throw new Error(`there is no authority from which the certificate of ${host} follows`);
  }
  const made = await deriveServingCertificate(current, [host]);
  return { name: manifest, contents: manifestOf([certificateSecret(secretName, made)]) };
}

/** The certificates of a server in each generation. */
async function certificatesOf(
  host: string,
  authorities: readonly CertificateAndKey[],
): Promise<readonly string[]> {
  const made = await Promise.all(authorities.map((each) => deriveServingCertificate(each, [host])));
  return made.map(({ crt }) => crt);
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
  // A manifest of the user's is handled elsewhere.
  return isOwn(externalDns) ? { ...others, externalDns: { ...known, zoneIds } } : others;
}
