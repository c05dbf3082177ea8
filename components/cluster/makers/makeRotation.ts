import * as pulumi from "@pulumi/pulumi";
import {
  type Authority,
  type CertificateAndKey,
  type KeyOrToken,
  type MachineConfigurationArgs,
  type MachineSecrets,
  type MachineType,
  type Patch,
  RotatedAuthority,
  RotatedSecret,
  type Rotation,
  type SecretsBundle,
} from "../../../provider";
import { generatedMark, publicServiceAccountKey } from "../../../provider/config";
import {
  AUTHORITIES,
  authorityIn,
  generationsOf,
  keyOrTokenIn,
  KEYS_AND_TOKENS,
  labelOf,
  planGenerations,
  planTrustdToken,
  type RotatableSecret,
  splitIdentity,
  withAuthority,
  withKeyOrToken,
} from "../../../provider/pki";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { planSecretboxKeys, type SecretboxKeys } from "../plan/planSecretsKeys";

/** The secrets in the configuration of a role's machines. */
export interface RoleSecrets {
  /** The cluster's secrets, with the generations that are used in this stage. */
  readonly secretsBundle: pulumi.Output<SecretsBundle>;
  /** What machines accept besides; undefined without any. */
  readonly acceptedAuthorities: MachineConfigurationArgs["acceptedAuthorities"];
}

/** A cluster's secrets in the current stages of their rotations. */
export interface ClusterRotation {
  /** The secrets of a role. Clients trust what the control plane accepts. */
  readonly of: (role: MachineType) => RoleSecrets;
  /** A patch of the first control plane machine; undefined without any. */
  readonly firstMachinePatch: pulumi.Output<Patch> | undefined;
  /** Additional certificates that clients trust; undefined without any. */
  readonly trusted: (authority: Authority) => pulumi.Output<string>[] | undefined;
  /**
   * A CA's generations that control planes have: the issuing one, then those that are accepted too.
   * Secret.
   */
  readonly authorities: (authority: Authority) => pulumi.Output<CertificateAndKey>[];
  /**
   * The public keys of all service account tokens that API servers accept, each base64 of PEM;
   * undefined if they accept only the one of `secretsBundle`.
   */
  readonly serviceAccountKeys: pulumi.Output<string>[] | undefined;
  /**
   * The discovery identity of this stage, by the places of the machines' configurations that keep
   * theirs otherwise: `ConfigurationApplyArgs.acceptedChanges`. Undefined if it was never rotated.
   */
  readonly identity: Readonly<Record<string, pulumi.Output<string>>> | undefined;
  /** The stage of a CA's rotation, for dependent resources; undefined if it was never rotated. */
  readonly label: (authority: Authority) => string | undefined;
}

/** The arguments of a cluster that say which secrets its machines have. */
type RotationArgs = Pick<TalosClusterArgs, "rotation" | "secretsEncryption">;

interface RotationPlan {
  readonly rotation: Rotation;
  readonly secretbox: SecretboxKeys;
}

interface Generations {
  readonly authority: (which: Authority, number: number) => pulumi.Output<CertificateAndKey>;
  readonly keyOrToken: (which: KeyOrToken, number: number) => pulumi.Output<string>;
}

const LABELS = {
  talosCa: "talos-ca",
  kubernetesCa: "kubernetes-ca",
  etcdCa: "etcd-ca",
  aggregatorCa: "aggregator-ca",
  serviceAccountKey: "service-account-key",
  secretboxKey: "secretbox-key",
  bootstrapToken: "bootstrap-token",
  trustdToken: "trustd-token",
  discoveryIdentity: "discovery-identity",
} as const satisfies Record<RotatableSecret, string>;

/**
 * Creates the later generations of a cluster's CAs, keys and tokens, and distributes them. Without a
 * rotation it creates nothing and returns the secrets unchanged.
 *
 * @param child options of a child of the cluster
 */
export function makeRotation(
  name: string,
  args: RotationArgs,
  secrets: MachineSecrets,
  child: pulumi.CustomResourceOptions,
): ClusterRotation {
  const { rotation = {} } = args;
  const secretbox = planSecretboxKeys(args);
  const generations = makeGenerations(name, { rotation, secretbox }, secrets, child);
  const certificatesOf = (which: Authority, role: MachineType) =>
    unlessEmpty(
      planGenerations(which, rotation[which], role).accepted.map((number) =>
        // Certificates are public, and shown as fingerprints; an output of a secret would be one
        // too.
        pulumi.unsecret(generations.authority(which, number).apply(({ crt }) => crt)),
      ),
    );
  const keys = generationsOf("serviceAccountKey", rotation.serviceAccountKey);
  const serviceAccountKeys =
    keys.length === 1
      ? undefined
      : keys.map((number) =>
          // Only public keys remain here.
          pulumi.unsecret(
            generations.keyOrToken("serviceAccountKey", number).apply(publicServiceAccountKey),
          ),
        );
  const tokens = planGenerations("bootstrapToken", rotation.bootstrapToken, "controlplane");
  const ofControlPlane = () => ({
    etcdCa: certificatesOf("etcdCa", "controlplane"),
    aggregatorCa: certificatesOf("aggregatorCa", "controlplane"),
    serviceAccountKey: serviceAccountKeys,
    secretboxKey:
      secretbox.all.length < 2
        ? undefined
        : secretbox.all.map((number) => generations.keyOrToken("secretboxKey", number)),
    bootstrapToken: unlessEmpty(
      tokens.accepted.map((number) => generations.keyOrToken("bootstrapToken", number)),
    ),
  });
  const first = planTrustdToken(rotation.trustdToken, "firstControlPlane");
  return {
    of: (role) => {
      const accepted = Object.entries({
        talosCa: certificatesOf("talosCa", role),
        kubernetesCa: certificatesOf("kubernetesCa", role),
        ...(role === "controlplane" && ofControlPlane()),
      }).filter(([, values]) => values !== undefined);
      return {
        secretsBundle: bundleOf(role, { rotation, secretbox }, secrets, generations),
        acceptedAuthorities: accepted.length === 0 ? undefined : Object.fromEntries(accepted),
      };
    },
    firstMachinePatch:
      first === planTrustdToken(rotation.trustdToken, "controlplane")
        ? undefined
        : generations
            .keyOrToken("trustdToken", first)
            .apply((token): Patch => ({ machine: { token } })),
    trusted: (which) => certificatesOf(which, "controlplane"),
    authorities: (which) => {
      const { issuing, accepted } = planGenerations(which, rotation[which], "controlplane");
      return [issuing, ...accepted].map((number) => generations.authority(which, number));
    },
    serviceAccountKeys,
    identity: identityOf(rotation, generations),
    label: (which) => labelOf(rotation, [which]),
  };
}

function makeGenerations(
  name: string,
  { rotation, secretbox }: RotationPlan,
  secrets: MachineSecrets,
  child: pulumi.CustomResourceOptions,
): Generations {
  const opts = { ...child, deletedWith: secrets };
  const authorities = new Map<string, pulumi.Output<CertificateAndKey>>();
  const keysAndTokens = new Map<string, pulumi.Output<string>>();
  for (const authority of AUTHORITIES) {
    for (const generation of laterGenerations(authority, rotation)) {
      const label = `${name}-${LABELS[authority]}-${generation}`;
      const { certificateAuthority } = new RotatedAuthority(label, { authority, generation }, opts);
      authorities.set(`${authority} ${generation}`, certificateAuthority);
    }
  }
  for (const secret of KEYS_AND_TOKENS) {
    const later = laterGenerations(secret, rotation);
    const isMade = (generation: number) =>
      secret !== "secretboxKey" || secretbox.all.includes(generation);
    for (const generation of later.filter(isMade)) {
      const label = `${name}-${LABELS[secret]}-${generation}`;
      const { value } = new RotatedSecret(label, { secret, generation }, opts);
      keysAndTokens.set(`${secret} ${generation}`, value);
    }
  }
  return {
    authority: (which, number) =>
      authorities.get(`${which} ${number}`) ??
      secrets.secretsBundle.apply((bundle) => authorityIn(bundle, which)),
    keyOrToken: (which, number) =>
      keysAndTokens.get(`${which} ${number}`) ??
      secrets.secretsBundle.apply((bundle) => keyOrTokenIn(bundle, which)),
  };
}

function identityOf(
  { discoveryIdentity: step }: Rotation,
  { keyOrToken }: Generations,
): ClusterRotation["identity"] {
  if (step === undefined) {
    return undefined;
  }
  const { issuing } = planGenerations("discoveryIdentity", step, "controlplane");
  const identity = keyOrToken("discoveryIdentity", issuing).apply(splitIdentity);
  // What machines show of both: the id, and a fingerprint of the secret.
  return {
    "cluster.id": pulumi.unsecret(identity.apply(({ id }) => id)),
    "cluster.secret": pulumi.unsecret(identity.apply(({ secret }) => generatedMark(secret))),
  };
}

function laterGenerations(secret: RotatableSecret, rotation: Rotation): readonly number[] {
  return generationsOf(secret, rotation[secret]).filter((generation) => generation > 1);
}

/** The secrets of the first generation, with the generations that a role uses now. */
function bundleOf(
  role: MachineType,
  { rotation, secretbox }: RotationPlan,
  secrets: MachineSecrets,
  { authority, keyOrToken }: Generations,
): pulumi.Output<SecretsBundle> {
  const authorities = AUTHORITIES.flatMap((which) => {
    const { issuing } = planGenerations(which, rotation[which], "controlplane");
    return issuing === 1 ? [] : [{ which, pair: authority(which, issuing) }];
  });
  const others = KEYS_AND_TOKENS.flatMap((which) => {
    const used =
      which === "trustdToken"
        ? planTrustdToken(rotation.trustdToken, role)
        : which === "secretboxKey"
          ? secretbox.bundled
          : planGenerations(which, rotation[which], role).issuing;
    return used === 1 ? [] : [{ which, value: keyOrToken(which, used) }];
  });
  if (authorities.length === 0 && others.length === 0) {
    return secrets.secretsBundle;
  }
  return pulumi
    .all([
      secrets.secretsBundle,
      pulumi.all(authorities.map(({ which, pair }) => ({ which, pair }))),
      pulumi.all(others.map(({ which, value }) => ({ which, value }))),
    ])
    .apply(([first, pairs, values]) => {
      const bundle = pairs.reduce((all, { which, pair }) => withAuthority(all, which, pair), first);
      return values.reduce((all, { which, value }) => withKeyOrToken(all, which, value), bundle);
    });
}

function unlessEmpty<Item>(items: readonly Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : [...items];
}
