import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "../base/unknown";
import type { CheckFailure, Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { rememberCredentials } from "../lifecycle/rotation/renewedCredentials";
import { certificateExpiry } from "../pki/certificateExpiry";
import {
  type ClientCredentials,
  issueClientCredentials,
  type Role,
  ROLES,
} from "../pki/clientCredentials";
import { joinCertificates } from "../pki/pem";
import { renderTalosconfig } from "../pki/renderTalosconfig";
import type { CertificateAndKey, SecretsBundle } from "../pki/secretsBundle";
import { type CertificateTerm, checkTerm, isDue } from "./certificateTerm";

/** Arguments of `ClientConfiguration`. */
export interface ClientConfigurationArgs {
  /** Name of the context in the talosconfig. */
  readonly clusterName: pulumi.Input<string>;
  /** The cluster's secrets. Their Talos CA signs the client certificate. */
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
  /**
   * Additional trusted CAs, during a rotation of the Talos CA, each base64 of PEM. Default: none.
   */
  readonly acceptedAuthorities?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /** Addresses or names of the control plane machines that `talosctl` talks to. */
  readonly endpoints: pulumi.Input<pulumi.Input<string>[]>;
  /** Machines that `talosctl` asks without `--nodes`. Default: none. */
  readonly nodes?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Roles of the certificate. `os:reader` allows only reading. Default: `["os:admin"]`, everything.
   */
  readonly roles?: pulumi.Input<pulumi.Input<Role>[]>;
  /**
   * Lifetime of the certificate in hours. It cannot be revoked, except by a new CA for the whole
   * cluster. Default: 8760 (a year), as in Talos' own tools.
   */
  readonly lifetimeHours?: pulumi.Input<number>;
  /**
   * How many hours before its end `pulumi up` renews the certificate. It also renews an expired
   * one, because the CA is in the state. Resources that record the certificate for their delete do
   * so again in the last third of its lifetime, and change nothing else. Default: a third of the
   * lifetime.
   */
  readonly renewalWindowHours?: pulumi.Input<number>;
}

/** How `ClientConfiguration` is registered. */
export const clientConfigurationKind: TalosKind<ClientConfigurationArgs> = {
  name: "ClientConfiguration",
  secrets: ["credentials", "talosconfig"],
  inputsOf: (args) => ({
    clusterName: args.clusterName,
    certificateAuthority: pulumi.secret(args.secretsBundle).apply((bundle) => bundle.certs.os),
    ...(args.acceptedAuthorities !== undefined && {
      acceptedAuthorities: args.acceptedAuthorities,
    }),
    endpoints: args.endpoints,
    nodes: args.nodes ?? [],
    roles: args.roles ?? ["os:admin"],
    lifetimeHours: args.lifetimeHours ?? 365 * 24,
    renewalWindowHours: args.renewalWindowHours,
    credentials: undefined,
    talosconfig: undefined,
    notAfter: undefined,
  }),
};

/** A client certificate for the Talos API, and the talosconfig file that holds it. */
export class ClientConfiguration extends TalosResource {
  /** The credentials for the other resources of this package. Secret. */
  declare readonly credentials: pulumi.Output<ClientCredentials>;
  /** The file that `talosctl` reads. Secret. */
  declare readonly talosconfig: pulumi.Output<string>;
  /** When the certificate expires, RFC 3339. */
  declare readonly notAfter: pulumi.Output<string>;

  constructor(name: string, args: ClientConfigurationArgs, opts?: pulumi.CustomResourceOptions) {
    super(clientConfigurationKind, name, args, opts);
  }
}

interface Inputs extends CertificateTerm {
  readonly clusterName: string;
  readonly certificateAuthority: CertificateAndKey;
  readonly acceptedAuthorities?: readonly string[];
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
  readonly roles: readonly Role[];
}

interface State {
  readonly credentials: ClientCredentials;
  readonly talosconfig: string;
  readonly notAfter: string;
  /** The values that the certificate was issued for. It is kept while they stay the same. */
  readonly roles: readonly Role[];
  readonly lifetimeHours: number;
  /** The other values in the talosconfig. */
  readonly clusterName: string;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
}

/** Checks, creates, reads, updates and deletes `ClientConfiguration`. */
export const clientConfigurationHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const failures: CheckFailure[] = [];
    const { endpoints, roles } = news;
    if (!isUnknown(endpoints) && endpoints.length === 0) {
      failures.push({
        property: "endpoints",
        reason: "no endpoint is given: talosctl needs the address of at least one control plane",
      });
    }
    if (!isUnknown(roles)) {
      const allowed = ROLES.map((role) => `"${role}"`).join(", ");
      if (roles.length === 0) {
        failures.push({ property: "roles", reason: `no role is given: allowed are ${allowed}` });
      }
      for (const role of roles.filter((each) => !ROLES.includes(each))) {
        failures.push({
          property: "roles",
          reason: `"${role}" is no role: allowed are ${allowed}`,
        });
      }
    }
    return Promise.resolve({ inputs: news, failures: [...failures, ...checkTerm(news)] });
  },

  diff(_id, state, news) {
    if (!isUnknown(state.credentials)) {
      rememberCredentials(state.credentials);
    }
    return {
      changes:
        isUnknown(news) ||
        needsCertificate(state, news) ||
        !isDeepStrictEqual(
          [state.clusterName, state.endpoints, state.nodes],
          [news.clusterName, news.endpoints, news.nodes],
        ),
    };
  },

  async create(inputs) {
    const state = render(inputs, await issue(inputs));
    return { id: inputs.clusterName, state };
  },

  async update(_id, state, news) {
    return render(news, needsCertificate(state, news) ? await issue(news) : state.credentials);
  },
};

function needsCertificate(state: State, news: Inputs): boolean {
  return (
    state.credentials.ca !== trusted(news) ||
    !isDeepStrictEqual([state.roles, state.lifetimeHours], [news.roles, news.lifetimeHours]) ||
    isDue(state.credentials.crt, news.renewalWindowHours)
  );
}

async function issue(inputs: Inputs): Promise<ClientCredentials> {
  const credentials = await issueClientCredentials(inputs.certificateAuthority, {
    roles: inputs.roles,
    now: new Date(),
    lifetimeHours: inputs.lifetimeHours,
  });
  return { ...credentials, ca: trusted(inputs) };
}

/** All trusted CAs, in one field. */
function trusted({ certificateAuthority, acceptedAuthorities = [] }: Inputs): string {
  return joinCertificates([certificateAuthority.crt, ...acceptedAuthorities]);
}

function render(inputs: Inputs, credentials: ClientCredentials): State {
  rememberCredentials(credentials);
  const { clusterName, endpoints, nodes, roles, lifetimeHours } = inputs;
  return {
    credentials,
    talosconfig: renderTalosconfig({ clusterName, endpoints, nodes, credentials }),
    notAfter: certificateExpiry(credentials.crt).toISOString(),
    roles,
    lifetimeHours,
    clusterName,
    endpoints,
    nodes,
  };
}
