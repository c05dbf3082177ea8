import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { clock } from "../base/clock";
import { fileProblem } from "../base/fileProblem";
import type { Progress } from "../base/progress";
import { isUnknown } from "../base/unknown";
import { checkTimeout } from "../engine/checkTimeout";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import {
  type FetchedKubeconfig,
  fetchKubeconfig,
  readKubeconfig,
} from "../lifecycle/kubernetes/fetchKubeconfig";
import type { ClientCredentials } from "../pki/clientCredentials";
import { isDue } from "./certificateTerm";
import { checkServerUrl } from "./checkServerUrl";

/** Arguments of `ClusterKubeconfig`. */
export interface ClusterKubeconfigArgs {
  /** Address of a control plane machine. */
  readonly node: pulumi.Input<string>;
  /** The Talos API to dial, if it isn't the machine's own. Default: `node`. */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /**
   * URL of the Kubernetes API in the kubeconfig, `https://<host>:<port>`. Default: the cluster's
   * endpoint in the machines' configuration.
   */
  readonly serverUrl?: pulumi.Input<string>;
  /**
   * How many hours before the end of its certificate `pulumi up` renews it. Default: a third of the
   * lifetime.
   */
  readonly renewalWindowHours?: pulumi.Input<number>;
  /**
   * Lifetime of the certificate in hours, as the machines' configuration says it
   * (`cluster.adminKubeconfig.certLifetime`). A change renews the kubeconfig. Default: it isn't compared.
   */
  readonly lifetimeHours?: pulumi.Input<number> | undefined;
  /**
   * Whether an API server must accept the kubeconfig. Set false for a runner that reaches only the
   * Talos API. Default: true.
   */
  readonly checked?: pulumi.Input<boolean>;
  /**
   * The stage of the Kubernetes CA's rotation. A new one recreates the kubeconfig. Default: none.
   */
  readonly rotation?: pulumi.Input<string> | undefined;
  /** How long to wait for the machine and for Kubernetes together. Seconds. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

const DEFAULT_TIMEOUT_SECONDS = 600;

/** How `ClusterKubeconfig` is registered. */
export const clusterKubeconfigKind: TalosKind<ClusterKubeconfigArgs> = {
  name: "ClusterKubeconfig",
  secrets: ["kubeconfig", "credentials"],
  inputsOf: (args) => ({
    node: args.node,
    endpoint: args.endpoint ?? args.node,
    credentials: pulumi.secret(args.credentials),
    serverUrl: args.serverUrl,
    renewalWindowHours: args.renewalWindowHours,
    checked: args.checked ?? true,
    timeoutSeconds: args.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    ...(args.lifetimeHours !== undefined && { lifetimeHours: args.lifetimeHours }),
    ...(args.rotation !== undefined && { rotation: args.rotation }),
    kubeconfig: undefined,
    notAfter: undefined,
  }),
};

/**
 * The administrator's kubeconfig, created by the cluster: a client certificate in the group
 * `system:masters`, valid for a year unless the machines' configuration says otherwise. `pulumi up`
 * renews it in the last third of that time.
 */
export class ClusterKubeconfig extends TalosResource {
  /** The file that `kubectl` reads. Secret. */
  declare readonly kubeconfig: pulumi.Output<string>;
  declare readonly serverUrl: pulumi.Output<string>;
  /** When its client certificate expires, RFC 3339. */
  declare readonly notAfter: pulumi.Output<string>;

  constructor(name: string, args: ClusterKubeconfigArgs, opts?: pulumi.CustomResourceOptions) {
    super(clusterKubeconfigKind, name, args, opts);
  }
}

interface Inputs {
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly serverUrl?: string;
  readonly renewalWindowHours?: number;
  readonly lifetimeHours?: number;
  readonly checked: boolean;
  readonly rotation?: string;
  readonly timeoutSeconds: number;
}

interface State extends Omit<FetchedKubeconfig, "certificate"> {
  /** The client certificate, base64 of PEM. Its dates decide when to renew it. */
  readonly clientCertificate: string;
  /** The input `serverUrl`; absent for the cluster's endpoint. */
  readonly givenServerUrl?: string;
  readonly lifetimeHours?: number;
  readonly rotation?: string;
}

/** Checks, creates, reads, updates and deletes `ClusterKubeconfig`. */
export const clusterKubeconfigHandler: Handler<Inputs, State> = {
  achieved: { create: "the API server accepts it", update: "the API server accepts it" },

  check(_olds, news) {
    const { serverUrl } = news;
    const failures = [
      ...checkTimeout(news.timeoutSeconds),
      ...(serverUrl === undefined ? [] : checkServerUrl(serverUrl)),
    ];
    const window = news.renewalWindowHours;
    if (window !== undefined && !isUnknown(window) && !(window > 0)) {
      const reason = `${window} is no valid time: give the hours before the certificate's end, more than 0`;
      failures.push({ property: "renewalWindowHours", reason });
    }
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, state, { serverUrl, renewalWindowHours, lifetimeHours, rotation }) {
    return {
      changes:
        serverUrl !== state.givenServerUrl ||
        rotation !== state.rotation ||
        lifetimeHours !== state.lifetimeHours ||
        isDue(state.clientCertificate, renewalWindowHours),
    };
  },

  async create(inputs, progress) {
    const state = await fetch(inputs, progress);
    return { id: state.serverUrl, state };
  },

  import(id) {
    const { certificate, ...known } = readKubeconfigFile(id);
    return Promise.resolve({
      id: known.serverUrl,
      state: { ...known, clientCertificate: certificate },
      // Nothing at all would be a new resource to `check`, which misses its arguments.
      inputs: { timeoutSeconds: DEFAULT_TIMEOUT_SECONDS },
    });
  },

  update(_id, _state, news, progress) {
    return fetch(news, progress);
  },
};

async function fetch(inputs: Inputs, progress: Progress): Promise<State> {
  const deadline = clock.now() + inputs.timeoutSeconds * 1_000;
  const { certificate, ...fetched } = await fetchKubeconfig(
    inputs,
    { serverUrl: inputs.serverUrl, isChecked: inputs.checked, deadline },
    progress,
  );
  const given = inputs.serverUrl === undefined ? {} : { givenServerUrl: inputs.serverUrl };
  const { rotation, lifetimeHours } = inputs;
  return {
    ...fetched,
    clientCertificate: certificate,
    ...given,
    ...(lifetimeHours !== undefined && { lifetimeHours }),
    ...(rotation !== undefined && { rotation }),
  };
}

/** An existing file, as the cluster made it. */
function readKubeconfigFile(path: string): FetchedKubeconfig {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(
      `the kubeconfig "${path}" can't be imported: ${fileProblem(error)}. Write the path of the file as the id`,
      { cause: error },
    );
  }
  return readKubeconfig(text, `the file "${path}"`);
}
