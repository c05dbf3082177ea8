import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { CertificateAndKey } from "../../../provider";
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
  AWS_ADD_ONS,
  type AwsAddOnName,
  isOwn,
} from "./addOnChoices";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./objects/addOnScope";
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
import {
  type KnownChoices,
  MANIFEST_NAMES,
  type OwnAddOnName,
  ownedAddOns,
  planOwnManifests,
} from "./planOwnManifests";

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

/** A manifest whose name a preview knows before its text. */
export interface OwnManifest {
  readonly name: string;
  readonly contents: pulumi.Output<string>;
}

/**
 * The manifests of the add-ons that this package writes objects for. Their names are known at once. A text is unknown in a
 * preview only if it has a role or a key that is not made yet.
 * @param options options of the call that asks the AWS provider for its region
 */
export function makeOwnManifests(
  args: TalosClusterArgs,
  sources: OwnManifestSources,
  options: pulumi.InvokeOptions,
): readonly OwnManifest[] {
  const choices = addOnChoices(args.addOns ?? {});
  const webhook = clusterIrsa(args)?.webhook;
  const owned = ownedAddOns(choices);
  if (owned.length === 0 && webhook === undefined) {
    return [];
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
  const zoneIds = pulumi.output([...(choices.externalDns?.zoneIds ?? [])]);
  const plain = owned.map((addOn): OwnManifest => {
    const roleArn = callsAws(addOn) ? roles[addOn]?.roleArn : undefined;
    const contents = pulumi
      .all([scope, addOn === "externalDns" ? zoneIds : [], roleArn])
      .apply(([where, zones, arn]) => textOf(addOn, where, withZones(choices, zones), arn));
    return { name: MANIFEST_NAMES[addOn], contents };
  });
  const controller = choices.loadBalancerController;
  const served = [
    ...(controller !== undefined && isOwn(controller) ? [LOAD_BALANCER_CONTROLLER] : []),
    ...(webhook === undefined ? [] : [WEBHOOK]),
  ];
  const authorities = pulumi.all([...servingAuthorities]);
  const certificates = served.map((server): OwnManifest => ({
    name: server.manifest,
    contents: authorities.apply((known) => certify(server, known)),
  }));
  const ofWebhook = webhook && {
    name: WEBHOOK_MANIFEST,
    contents: pulumi.all([scope, authorities]).apply(async ([where, known]) => {
      const trusted = joinCertificates(await certificatesOf(WEBHOOK.host, known));
      return manifestOf(
        withImages(podIdentityWebhookObjects(where, webhook, trusted), webhook.images),
      );
    }),
  };
  return [...plain, ...certificates, ...(ofWebhook === undefined ? [] : [ofWebhook])];
}

function textOf(
  addOn: OwnAddOnName,
  scope: AddOnScope,
  { [addOn]: choice }: KnownChoices,
  roleArn: string | undefined,
): string {
  const identities = roleArn === undefined ? {} : { [addOn]: { roleArn } };
  return planOwnManifests(scope, { [addOn]: choice }, identities)
    .map(({ contents }) => contents)
    .join("");
}

function callsAws(addOn: OwnAddOnName): addOn is AwsAddOnName {
  return AWS_ADD_ONS.some((name) => name === addOn);
}

/**
 * The manifest of a server's certificate. It is separate, so a preview can show the lines of the
 * other manifests.
 */
async function certify(
  { host, secretName }: Server,
  authorities: readonly CertificateAndKey[],
): Promise<string> {
  const [current] = authorities;
  if (current === undefined) {
    throw new Error(`there is no authority from which the certificate of ${host} follows`);
  }
  const made = await deriveServingCertificate(current, [host]);
  return manifestOf([certificateSecret(secretName, made)]);
}

/** The certificates of a server in each generation. */
async function certificatesOf(
  host: string,
  authorities: readonly CertificateAndKey[],
): Promise<readonly string[]> {
  const made = await Promise.all(authorities.map((each) => deriveServingCertificate(each, [host])));
  return made.map(({ crt }) => crt);
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
