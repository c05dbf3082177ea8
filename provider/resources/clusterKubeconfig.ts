import * as pulumi from "@pulumi/pulumi";
import { checkTimeout } from "../checkTimeout";
import type { Handler } from "../handler";
import { type FetchedKubeconfig, fetchKubeconfig } from "../lifecycle/fetchKubeconfig";
import type { ClientCredentials } from "../pki/clientCredentials";
import { isInRenewalWindow } from "../renewalWindow";
import { report } from "../report";
import { TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";

export interface ClusterKubeconfigArgs {
  /** Address of a control plane machine. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, when it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * URL of the Kubernetes API in the kubeconfig, `https://<host>:<port>`. Default: the cluster's
   * endpoint, as the machines know it.
   */
  readonly serverUrl?: pulumi.Input<string>;
  /** How long to wait for a machine to answer. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/**
 * An administrator's kubeconfig, made by the cluster: a client certificate in the group
 * `system:masters`, valid for a year, renewed by the `up`s in the last third of it.
 */
export class ClusterKubeconfig extends TalosResource {
  /** The file that `kubectl` reads. Secret. */
  declare public readonly kubeconfig: pulumi.Output<string>;
  declare public readonly serverUrl: pulumi.Output<string>;
  /** When its client certificate ends, RFC 3339. */
  declare public readonly notAfter: pulumi.Output<string>;

  constructor(name: string, args: ClusterKubeconfigArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      node: args.node,
      endpoint: args.endpoint ?? args.node,
      credentials: pulumi.secret(args.credentials),
      serverUrl: args.serverUrl,
      timeoutSeconds: args.timeoutSeconds ?? 600,
      kubeconfig: undefined,
      notAfter: undefined,
    };
    super("ClusterKubeconfig", name, props, ["kubeconfig", "credentials"], opts);
  }
}

interface Inputs {
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly serverUrl?: string;
  readonly timeoutSeconds: number;
}

interface State extends Omit<FetchedKubeconfig, "certificate"> {
  /** The client certificate alone, base64 of PEM: says when to renew. */
  readonly clientCertificate: string;
  /** The input `serverUrl`, when one was given: without it the cluster's endpoint is meant. */
  readonly givenServerUrl?: string;
}

export const clusterKubeconfigHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const failures = checkTimeout(news.timeoutSeconds);
    const { serverUrl } = news;
    if (serverUrl !== undefined && !isUnknown(serverUrl) && !isHttpsUrl(serverUrl)) {
      failures.push({
        property: "serverUrl",
        reason: `"${serverUrl}" is no URL of a Kubernetes API: give it as https://<host>:<port>`,
      });
    }
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, state, { serverUrl }) {
    return {
      changes:
        serverUrl !== state.givenServerUrl ||
        isInRenewalWindow(state.clientCertificate, new Date()),
    };
  },

  async create(inputs) {
    const state = await fetch(inputs);
    return { id: state.serverUrl, state };
  },

  update(_id, _state, news) {
    return fetch(news);
  },
};

async function fetch(inputs: Inputs): Promise<State> {
  const deadline = Date.now() + inputs.timeoutSeconds * 1_000;
  const { certificate, ...fetched } = await fetchKubeconfig(
    inputs,
    { serverUrl: inputs.serverUrl, deadline },
    report,
  );
  const given = inputs.serverUrl === undefined ? {} : { givenServerUrl: inputs.serverUrl };
  return { ...fetched, clientCertificate: certificate, ...given };
}

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}
