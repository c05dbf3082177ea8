import * as pulumi from "@pulumi/pulumi";
import {
  type Authority,
  type CertificateAndKey,
  type MachineConfigurationArgs,
  type MachineSecrets,
  type MachineType,
  RotatedAuthority,
  type Rotation,
  type SecretsBundle,
} from "../../provider";
import { generationsOf, planAuthority } from "../../provider/pki/rotation/planAuthority";
import { AUTHORITIES, labelOf } from "../../provider/pki/rotation/rotation";

/** The CAs in the configuration of a role's machines. */
export interface RoleAuthorities {
  /** The cluster's secrets, with the CAs that issue in this stage. */
  readonly secretsBundle: pulumi.Output<SecretsBundle>;
  /** Additional CAs that are accepted; undefined without any. */
  readonly acceptedAuthorities: MachineConfigurationArgs["acceptedAuthorities"];
}

/** A cluster's CAs in the current stages of their rotations. */
export interface ClusterRotation {
  /** The CAs of a role. Clients trust what the control plane accepts. */
  readonly of: (role: MachineType) => RoleAuthorities;
  /** Additional certificates that clients trust; undefined without any. */
  readonly trusted: (authority: Authority) => pulumi.Output<string>[] | undefined;
  /** The stage of a CA's rotation, for dependent resources; undefined if it was never rotated. */
  readonly label: (authority: Authority) => string | undefined;
}

const PLACES = { talosCa: "os", kubernetesCa: "k8s" } as const satisfies Record<Authority, string>;

const LABELS = { talosCa: "talos-ca", kubernetesCa: "kubernetes-ca" } as const;

/**
 * Creates the later generations of a cluster's CAs, and distributes them. Without a rotation it
 * creates nothing and returns the secrets unchanged.
 *
 * @param child options of a child of the cluster
 */
export function makeRotation(
  name: string,
  rotation: Rotation,
  secrets: MachineSecrets,
  child: pulumi.CustomResourceOptions,
): ClusterRotation {
  const made = new Map<string, pulumi.Output<CertificateAndKey>>();
  for (const authority of AUTHORITIES) {
    for (const generation of generationsOf(authority, rotation[authority])) {
      if (generation > 1) {
        const { certificateAuthority } = new RotatedAuthority(
          `${name}-${LABELS[authority]}-${generation}`,
          { authority, generation },
          { ...child, deletedWith: secrets },
        );
        made.set(`${authority} ${generation}`, certificateAuthority);
      }
    }
  }
  const find = (authority: Authority, generation: number) =>
    made.get(`${authority} ${generation}`) ??
    secrets.secretsBundle.apply(({ certs }) => certs[PLACES[authority]]);
  const certificatesOf = (authority: Authority, role: MachineType) => {
    const { accepted } = planAuthority(authority, rotation[authority], role);
    return accepted.length === 0
      ? undefined
      : // Certificates are public, and shown as fingerprints; an output of a secret would be one too.
        accepted.map((each) => pulumi.unsecret(find(authority, each).apply(({ crt }) => crt)));
  };
  return {
    of: (role) => {
      const [talosCa, kubernetesCa] = [
        certificatesOf("talosCa", role),
        certificatesOf("kubernetesCa", role),
      ];
      const isAny = talosCa !== undefined || kubernetesCa !== undefined;
      return {
        secretsBundle: bundleOf(rotation, secrets, find),
        acceptedAuthorities: isAny
          ? { ...(talosCa && { talosCa }), ...(kubernetesCa && { kubernetesCa }) }
          : undefined,
      };
    },
    trusted: (authority) => certificatesOf(authority, "controlplane"),
    label: (authority) => labelOf(rotation, [authority]),
  };
}

/** The secrets of the first generation, with the CAs that issue now. */
function bundleOf(
  rotation: Rotation,
  secrets: MachineSecrets,
  find: (authority: Authority, generation: number) => pulumi.Output<CertificateAndKey>,
): pulumi.Output<SecretsBundle> {
  const later = AUTHORITIES.flatMap((authority) => {
    const { issuing } = planAuthority(authority, rotation[authority], "controlplane");
    return issuing === 1 ? [] : [{ place: PLACES[authority], pair: find(authority, issuing) }];
  });
  if (later.length === 0) {
    return secrets.secretsBundle;
  }
  return pulumi
    .all([secrets.secretsBundle, pulumi.all(later.map(({ pair }) => pair))])
    .apply(([bundle, pairs]) => ({
      ...bundle,
      certs: pairs.reduce((certs, pair, index) => {
        const place = later[index]?.place;
        return place === undefined ? certs : { ...certs, [place]: pair };
      }, bundle.certs),
    }));
}
