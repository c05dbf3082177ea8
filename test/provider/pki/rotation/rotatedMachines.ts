import { publicServiceAccountKey } from "../../../../provider/config/generate/acceptedServiceAccountKeys";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { createServiceAccountKey } from "../../../../provider/pki/privateKey";
import { generateAuthority } from "../../../../provider/pki/rotation/generateAuthority";
import { generateKeyOrToken } from "../../../../provider/pki/rotation/generateKeyOrToken";
import { generationsOf, planGenerations } from "../../../../provider/pki/rotation/planGenerations";
import {
  planTrustdToken,
  type TokenHolder,
} from "../../../../provider/pki/rotation/planTrustdToken";
import {
  authorityIn,
  keyOrTokenIn,
  withAuthority,
  withKeyOrToken,
} from "../../../../provider/pki/rotation/rotatedBundle";
import {
  AUTHORITIES,
  type Authority,
  type KeyOrToken,
  KEYS_AND_TOKENS,
  type Rotation,
} from "../../../../provider/pki/rotation/rotation";
import type { SecretsBundle } from "../../../../provider/pki/secretsBundle";
import { sharedSecrets } from "../sharedSecrets";

/** Both generations of all secrets of a cluster: the second one of each is in `next`. */
export interface Generations {
  readonly first: SecretsBundle;
  readonly next: SecretsBundle;
}

/** The secrets of a cluster in its first and second generation. */
export async function twoGenerations(): Promise<Generations> {
  const shared = await sharedSecrets();
  // RSA keys would cost seconds.
  const [one, other] = await Promise.all([
    createServiceAccountKey("p256"),
    createServiceAccountKey("p256"),
  ]);
  const first = withKeyOrToken(shared, "serviceAccountKey", one);
  let next = first;
  for (const authority of AUTHORITIES) {
    next = withAuthority(next, authority, await generateAuthority(authority));
  }
  for (const secret of KEYS_AND_TOKENS) {
    const made = secret === "serviceAccountKey" ? other : await generateKeyOrToken(secret);
    next = withKeyOrToken(next, secret, made);
  }
  return { first, next };
}

/**
 * The configuration of a machine in the stages of a rotation to the second generation, as
 * `TalosCluster` has it made.
 *
 * @param holder a machine, by what it does with the trustd token
 */
export function rotatedMachine(
  { first, next }: Generations,
  rotation: Rotation,
  holder: TokenHolder,
  release: {
    readonly talosVersion: string;
    readonly kubernetesVersion: string;
    /** Default: `v1.12`. */
    readonly versionContract?: string;
    readonly contractDefaults?: string;
  },
): ConfigDocument[] {
  const role = holder === "worker" ? "worker" : "controlplane";
  const generation = (number: number) => (number === 1 ? first : next);
  let bundle = first;
  for (const authority of AUTHORITIES) {
    const { issuing } = planGenerations(authority, rotation[authority], "controlplane");
    bundle = withAuthority(bundle, authority, authorityIn(generation(issuing), authority));
  }
  for (const secret of KEYS_AND_TOKENS) {
    const used =
      secret === "trustdToken"
        ? planTrustdToken(rotation.trustdToken, holder)
        : planGenerations(secret, rotation[secret], role).issuing;
    bundle = withKeyOrToken(bundle, secret, keyOrTokenIn(generation(used), secret));
  }
  const accepted = (authority: Authority) =>
    planGenerations(authority, rotation[authority], role).accepted.map(
      (number) => authorityIn(generation(number), authority).crt,
    );
  const all = (secret: KeyOrToken) => {
    const numbers = generationsOf(secret, rotation[secret]);
    return numbers.length === 1
      ? []
      : numbers.map((number) => keyOrTokenIn(generation(number), secret));
  };
  return generateMachineConfig({
    clusterName: "demo",
    endpoint: "https://api.example.com:6443",
    machineType: role,
    secretsBundle: bundle,
    versionContract: "v1.12",
    installDisk: "/dev/xvda",
    ...release,
    installerImage: `factory.talos.dev/aws-installer/abc:${release.talosVersion}`,
    acceptedAuthorities: {
      talosCa: accepted("talosCa"),
      kubernetesCa: accepted("kubernetesCa"),
      ...(role === "controlplane" && {
        etcdCa: accepted("etcdCa"),
        aggregatorCa: accepted("aggregatorCa"),
        serviceAccountKey: all("serviceAccountKey").map(publicServiceAccountKey),
        secretboxKey: all("secretboxKey"),
        bootstrapToken: planGenerations(
          "bootstrapToken",
          rotation.bootstrapToken,
          role,
        ).accepted.map((number) => keyOrTokenIn(generation(number), "bootstrapToken")),
      }),
    },
  });
}
