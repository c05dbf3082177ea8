import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "../base/unknown";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { certificateExpiry } from "../pki/certificateExpiry";
import { issueCertificate } from "../pki/issueCertificate";
import { checkKubernetesIdentity } from "../pki/kubernetesIdentity";
import { joinCertificates } from "../pki/pem";
import { renderKubeconfig } from "../pki/renderKubeconfig";
import type { CertificateAndKey, SecretsBundle } from "../pki/secretsBundle";
import { type CertificateTerm, checkTerm, isDue } from "./certificateTerm";
import { checkServerUrl } from "./checkServerUrl";

/** Thirty days, because a lost kubeconfig can't be revoked. */
const DEFAULT_LIFETIME_HOURS = 720;

/** Arguments of `UserKubeconfig`. */
export interface UserKubeconfigArgs {
  /** Name of the cluster in the kubeconfig. */
  readonly clusterName: pulumi.Input<string>;
  /** URL of the Kubernetes API, `https://<host>:<port>`. */
  readonly serverUrl: pulumi.Input<string>;
  /** The cluster's secrets. Their Kubernetes CA signs the client certificate. */
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
  /**
   * Additional trusted CAs, during a rotation of the Kubernetes CA, each base64 of PEM. Default:
   * none.
   */
  readonly acceptedAuthorities?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** The user's name in Kubernetes, for example `ci`. It must not begin with `system:`. */
  readonly user: pulumi.Input<string>;
  /**
   * The user's groups. Bind roles to them, or to the user. Default: none; the user has no
   * permission until you bind a role.
   */
  readonly groups?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Allows `system:masters` in `groups`, which has all permissions whatever the cluster's rules
   * say. Default: false.
   */
  readonly allowAdministrators?: pulumi.Input<boolean>;
  /**
   * Lifetime of the certificate in hours. Kubernetes can't revoke it: every copy keeps the
   * permissions of the user and the groups until then. Default: 720 (thirty days).
   */
  readonly lifetimeHours?: pulumi.Input<number>;
  /**
   * How many hours before its end `pulumi up` renews the certificate, and so the kubeconfig.
   * Default: a third of the lifetime.
   */
  readonly renewalWindowHours?: pulumi.Input<number>;
}

/** How `UserKubeconfig` is registered. */
export const userKubeconfigKind: TalosKind<UserKubeconfigArgs> = {
  name: "UserKubeconfig",
  secrets: ["kubeconfig", "client"],
  inputsOf: (args) => ({
    clusterName: args.clusterName,
    serverUrl: args.serverUrl,
    certificateAuthority: pulumi.secret(args.secretsBundle).apply(({ certs }) => certs.k8s),
    ...(args.acceptedAuthorities !== undefined && {
      acceptedAuthorities: args.acceptedAuthorities,
    }),
    user: args.user,
    groups: args.groups ?? [],
    allowAdministrators: args.allowAdministrators ?? false,
    lifetimeHours: args.lifetimeHours ?? DEFAULT_LIFETIME_HOURS,
    renewalWindowHours: args.renewalWindowHours,
    kubeconfig: undefined,
    client: undefined,
    notAfter: undefined,
  }),
};

/**
 * A kubeconfig for a user other than the administrator: a client certificate signed with the
 * cluster's secrets. It contacts no machine, so it works while the cluster is down.
 */
export class UserKubeconfig extends TalosResource {
  /** The file that `kubectl` reads. Secret. */
  declare readonly kubeconfig: pulumi.Output<string>;
  /** When its client certificate expires, RFC 3339. */
  declare readonly notAfter: pulumi.Output<string>;

  constructor(name: string, args: UserKubeconfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(userKubeconfigKind, name, args, opts);
  }
}

interface Inputs extends CertificateTerm {
  readonly clusterName: string;
  readonly serverUrl: string;
  readonly certificateAuthority: CertificateAndKey;
  readonly acceptedAuthorities?: readonly string[];
  readonly user: string;
  readonly groups: readonly string[];
  readonly allowAdministrators: boolean;
}

interface State {
  readonly kubeconfig: string;
  readonly notAfter: string;
  /**
   * The certificate and its key. They are kept while the values they were issued for stay the same.
   */
  readonly client: CertificateAndKey;
  readonly user: string;
  readonly groups: readonly string[];
  readonly lifetimeHours: number;
  /** The other values in the kubeconfig. */
  readonly clusterName: string;
  readonly serverUrl: string;
  /** Certificates of the trusted CAs, base64 of PEM. */
  readonly authorityCertificate: string;
}

/** Checks, creates, reads, updates and deletes `UserKubeconfig`. */
export const userKubeconfigHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const { serverUrl, user, groups } = news;
    const known = {
      user: isUnknown(user) ? "unknown" : user,
      groups: isUnknown(groups) ? [] : groups,
    };
    const isAllowed = isUnknown(news.allowAdministrators) || news.allowAdministrators;
    const failures = [
      ...checkServerUrl(serverUrl),
      ...checkKubernetesIdentity(known, isAllowed),
      ...checkTerm(news),
    ];
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, state, news) {
    return {
      changes:
        isUnknown(news) ||
        needsCertificate(state, news) ||
        state.clusterName !== news.clusterName ||
        state.serverUrl !== news.serverUrl,
    };
  },

  async create(inputs) {
    return { id: inputs.user, state: render(inputs, await issue(inputs)) };
  },

  async update(_id, state, news) {
    return render(news, needsCertificate(state, news) ? await issue(news) : state.client);
  },
};

function needsCertificate(state: State, news: Inputs): boolean {
  return (
    state.authorityCertificate !== trusted(news) ||
    state.user !== news.user ||
    state.lifetimeHours !== news.lifetimeHours ||
    !isDeepStrictEqual(state.groups, news.groups) ||
    isDue(state.client.crt, news.renewalWindowHours)
  );
}

function issue({ certificateAuthority, user, groups, lifetimeHours }: Inputs) {
  const now = new Date();
  return issueCertificate(certificateAuthority, {
    commonName: user,
    organizations: [...new Set(groups)],
    usages: ["clientAuth"],
    notBefore: now,
    notAfter: new Date(now.getTime() + lifetimeHours * 3_600_000),
    keyType: "p256",
  });
}

function render(inputs: Inputs, client: CertificateAndKey): State {
  const { clusterName, serverUrl, user, groups, lifetimeHours } = inputs;
  const authorityCertificate = trusted(inputs);
  return {
    kubeconfig: renderKubeconfig({ clusterName, serverUrl, authorityCertificate, user, client }),
    notAfter: certificateExpiry(client.crt).toISOString(),
    client,
    user,
    groups,
    lifetimeHours,
    clusterName,
    serverUrl,
    authorityCertificate,
  };
}

/** All CAs whose API servers are trusted, in one field. */
function trusted({ certificateAuthority, acceptedAuthorities = [] }: Inputs): string {
  return joinCertificates([certificateAuthority.crt, ...acceptedAuthorities]);
}
