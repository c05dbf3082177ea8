import { type InputProblem, inputProblems } from "../configError";
import { imageProblem } from "../imageProblem";
import type { ConfigDocument } from "../machineConfig";
import { talosMinor } from "../releases/talosMinor";
import type { AcceptedAuthoritiesOptions } from "./acceptedAuthorities";
import { secretboxKeys, secretboxProviders } from "./encryptionProviders";
import type { Generator } from "./generator";
import { encryptionBy, hasKeyDocuments } from "./keyDocuments";
import { kmsPluginPod, kmsProvider } from "./kmsPlugin";
import { configDocument } from "./mapping";

/** Stands for the secretbox keys of the secrets bundle among the providers. */
export const SECRETBOX = "secretbox";

/** Keys in AWS KMS that encrypt Secrets in etcd, beside the secretbox keys of the secrets bundle, or instead. */
export interface SecretsEncryption {
  /**
   * Image of the KMS plugin `kubernetes-sigs/aws-encryption-provider`, with a version or digest. Nobody publishes
   * one: docs/rotation.md says how it is built.
   */
  readonly pluginImage: string;
  /**
   * What API servers read Secrets with: ARNs of symmetric keys in KMS, and `secretbox` for the keys of the
   * secrets bundle. The first one encrypts, for example `["arn:aws:kms:…", "secretbox"]`. A key that is taken out
   * while Secrets of it exist makes them unreadable, and with them every list of Secrets.
   */
  readonly providers: readonly string[];
}

/** Who encrypts Secrets in etcd. */
export interface SecretsEncryptionOptions {
  /**
   * Has control planes encrypt Secrets in etcd by AWS KMS. Each runs the plugin as a static pod, and needs a role
   * that may use the keys. API servers aren't ready while they can't reach it. Needs Talos v1.14. Default: the
   * secretbox key of the secrets bundle encrypts.
   */
  readonly secretsEncryption?: SecretsEncryption | undefined;
}

/** An ARN of a key: an alias may name another key tomorrow. Partition, region and account are in it. */
const KEY_ARN = /^arn:aws[a-z-]*:kms:([a-z0-9-]+):\d{12}:key\/[A-Za-z0-9-]+$/;

/** Keys of AWS KMS that encrypt Secrets: `KubeEtcdEncryptionConfig`, and `KubeStaticPodConfig` for the plugin. */
export const secretsEncryption: Generator<SecretsEncryptionOptions & AcceptedAuthoritiesOptions> = {
  check({ secretsEncryption: given, talosVersion, versionContract }) {
    if (given === undefined) {
      return [];
    }
    const release = talosVersion ?? versionContract ?? "";
    return [
      ...inputProblems(["secretsEncryption"], talosWithoutKms(release)),
      ...inputProblems(["secretsEncryption", "pluginImage"], imageProblem(given.pluginImage)),
      ...checkProviders(given.providers),
    ];
  },

  generate(
    { secretsEncryption: given, secretsBundle, machineType, acceptedAuthorities = {} },
    contract,
  ) {
    if (given === undefined || machineType === "worker") {
      return {};
    }
    const { pluginImage, providers } = given;
    const own = secretboxKeys(secretsBundle.secrets, acceptedAuthorities.secretboxKey);
    const { document, replaced } = encryptionBy(
      providers.flatMap((provider): ConfigDocument[] =>
        provider === SECRETBOX ? secretboxProviders(own) : [kmsProvider(provider)],
      ),
      secretsBundle,
      contract,
    );
    // Sorted, so that the documents keep their order when another key encrypts.
    const pods = providers
      .filter((provider) => provider !== SECRETBOX)
      .sort()
      .map((keyArn) => kmsPluginPod({ keyArn, pluginImage }));
    return {
      documents: [
        document,
        ...pods.map(({ name, pod }) => configDocument("KubeStaticPodConfig", { name, pod })),
      ],
      replaced,
    };
  },
};

/** Why a release of Talos can't encrypt by KMS; undefined if it can, or is none. */
export function talosWithoutKms(release: string): string | undefined {
  return talosMinor(release) === undefined || hasKeyDocuments(release)
    ? undefined
    : `Talos ${release} has no document for it: upgrade to Talos v1.14 first, or leave it out`;
}

function checkProviders(providers: readonly string[]): InputProblem[] {
  const problems = providers.flatMap((provider, index) =>
    inputProblems(
      ["secretsEncryption", "providers", index],
      provider === SECRETBOX
        ? undefined
        : providers.indexOf(provider) < index
          ? `${JSON.stringify(provider)} is there twice: name each key once`
          : keyArnProblem(provider),
    ),
  );
  const hasKey = providers.some((provider) => provider !== SECRETBOX);
  return [
    ...problems,
    ...inputProblems(
      ["secretsEncryption", "providers"],
      hasKey ? undefined : "has no key of KMS: add one, or leave secretsEncryption out",
    ),
  ];
}

/** What is wrong with the ARN of a key in KMS; undefined without a problem. */
export function keyArnProblem(arn: string): string | undefined {
  return KEY_ARN.test(arn)
    ? undefined
    : `${JSON.stringify(arn)} is no ARN of a key in KMS: write it in full, as in "arn:aws:kms:us-east-1:123456789012:key/0123abcd-0123-abcd-0123-0123456789ab". An alias may name another key tomorrow, and Secrets of the former one could not be read`;
}
