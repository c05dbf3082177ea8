import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { CertificateAndKey } from "../../../provider";
import { deriveServingCertificate, joinCertificates } from "../../../provider/pki";
import { eachAddOn, hasObjectsAfterBootstrap, isOurs } from "../../addOns/addOnChoices";
import type { AddOnServer } from "../../addOns/common/addOn";
import { type AddOnDelivery, deliveryOf } from "../../addOns/common/addOnDelivery";
import { certificateSecret } from "../../addOns/common/certificateSecret";
import { manifestOf } from "../../addOns/common/manifestOf";
import { ownObjects, type ObjectsPart } from "../../addOns/ownObjects";
import { planOwnManifests } from "../../addOns/planOwnManifests";
import { podIdentityWebhook } from "../../addOns/podIdentityWebhook";
import type { AddOnName } from "../../addOns/registry";
import type { ServiceAccountRole } from "../../identity/serviceAccountRole";
import type { ClusterPlan } from "../plan/planCluster";

/** Sources of the add-ons' manifests, besides the cluster's arguments. */
export interface OwnManifestSources {
  readonly clusterName: pulumi.Input<string>;
  /** Roles of the add-ons that have their own. */
  readonly roles: Partial<Readonly<Record<AddOnName, ServiceAccountRole>>>;
  /**
   * The generations of the Kubernetes CA, from which serving certificates are derived: that of servers, then
   * others that clients trust too. So a rotation finds clients that already trust the next one.
   */
  readonly servingAuthorities: readonly pulumi.Output<CertificateAndKey>[];
}

/** An add-on, and what of it this package's objects describe. */
interface OwnAddOn {
  readonly delivery: AddOnDelivery;
  /** Whether its objects replace a manifest. */
  readonly isOurs: boolean;
  /** Whether its objects are in a list of their own. */
  readonly hasOwnList: boolean;
  /** Whether some of its objects are always applied after the bootstrap. */
  readonly hasMore: boolean;
  readonly name: AddOnName;
  readonly manifestName: string;
  readonly choice: object;
  /** Undefined if nothing calls it over TLS. */
  readonly server?: AddOnServer | undefined;
}

/** A manifest whose name a preview knows before its text. */
export interface OwnManifest {
  readonly name: string;
  readonly contents: pulumi.Output<string>;
  readonly delivery: AddOnDelivery;
  /** Whether it is in the list of its add-on, and not in that of all. */
  readonly isApart?: boolean;
}

/**
 * The manifests of the add-ons that this package writes objects for. Their names are known at once. A text is unknown in a
 * preview only if it has a role or a key that is not made yet.
 * @param options options of the call that asks the AWS provider for its region
 */
export function makeOwnManifests(
  args: ClusterPlan,
  sources: OwnManifestSources,
  options: pulumi.InvokeOptions,
): readonly OwnManifest[] {
  const described = eachAddOn(args.addOns ?? {}, (name, addOn, choice): OwnAddOn[] => [
    {
      name,
      choice,
      manifestName: addOn.manifestName,
      server: addOn.server,
      delivery: deliveryOf({ asked: args.addOnDelivery, needed: addOn.delivery }),
      isOurs: isOurs(addOn, choice),
      hasOwnList: addOn.hasOwnList === true,
      hasMore: hasObjectsAfterBootstrap(addOn, choice),
    },
  ]);
  const own = described.filter((each) => each.isOurs);
  const further = described.filter(({ hasMore }) => hasMore);
  const webhook = args.facts.irsa?.webhook;
  if (own.length + further.length === 0 && webhook === undefined) {
    return [];
  }
  const { clusterName, servingAuthorities, roles } = sources;
  const { recordName } = args.facts.names;
  const scope = pulumi
    .all([
      clusterName,
      aws.getRegionOutput({}, options).region,
      args.kubernetesVersion,
      args.machines.controlPlane.named.length,
    ])
    .apply(([name, region, kubernetesVersion, controlPlanes]) => ({
      clusterName: name,
      region,
      kubernetesVersion,
      controlPlanes,
      recordName,
      isIsolated: args.network.internetAccess === false,
      runsKarpenter: args.addOns?.karpenter !== undefined,
    }));
  const contentsOf = ({ name, choice }: OwnAddOn, part: ObjectsPart) =>
    pulumi
      .all([scope, pulumi.output(choice), roles[name]?.roleArn])
      .apply(([where, known, roleArn]) => {
        const identities = roleArn === undefined ? {} : { [name]: { roleArn } };
        const planned = planOwnManifests(where, { [name]: known }, identities, part);
        return planned.map(({ contents }) => contents).join("");
      });
  const plain = own.map((each) => ({
    name: each.manifestName,
    contents: contentsOf(each, "objects"),
    delivery: each.delivery,
    isApart: each.hasOwnList,
  }));
  const more = further.map((each) => ({
    name: `${each.manifestName}-after-bootstrap`,
    contents: contentsOf(each, "objectsAfterBootstrap"),
    delivery: "afterBootstrap" as const,
  }));
  const authorities = pulumi.all([...servingAuthorities]);
  // Machines know the webhook before there are other pods, so it is always in their configuration.
  const always = { delivery: "machineConfiguration" as const };
  const served = [...own, ...(webhook === undefined ? [] : [{ ...podIdentityWebhook, ...always }])];
  const certificates = served.flatMap(({ manifestName, server, delivery }) =>
    server === undefined
      ? []
      : [
          {
            name: `${manifestName}-certificate`,
            contents: authorities.apply((known) => certificateManifest(server, known)),
            delivery,
          },
        ],
  );
  const ofWebhook = webhook && {
    ...always,
    name: podIdentityWebhook.manifestName,
    contents: pulumi.all([scope, authorities]).apply(async ([where, known]) => {
      const trusted = await certificatesOf(podIdentityWebhook.server, known);
      const parts = { certificates: joinCertificates(trusted) };
      return manifestOf(ownObjects(podIdentityWebhook, where, webhook, parts));
    }),
  };
  return [...plain, ...more, ...certificates, ...(ofWebhook === undefined ? [] : [ofWebhook])];
}

/**
 * The manifest of a server's certificate. It is separate, so a preview can show the lines of the
 * other manifests.
 */
async function certificateManifest(
  { host, secretName }: AddOnServer,
  authorities: readonly CertificateAndKey[],
): Promise<string> {
  const [current] = authorities;
  if (current === undefined) {
    throw new Error(`there is no authority from which the certificate of ${host} follows`);
  }
  const made = await deriveServingCertificate(current, [host]);
  return manifestOf([certificateSecret(secretName, made)]);
}

async function certificatesOf(
  { host }: AddOnServer,
  authorities: readonly CertificateAndKey[],
): Promise<readonly string[]> {
  const made = await Promise.all(authorities.map((each) => deriveServingCertificate(each, [host])));
  return made.map(({ crt }) => crt);
}
