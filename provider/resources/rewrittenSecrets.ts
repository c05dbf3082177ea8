import * as pulumi from "@pulumi/pulumi";
import { checkTimeout } from "../checkTimeout";
import { clock } from "../clock";
import type { Handler } from "../handler";
import { rewriteSecrets } from "../lifecycle/rewriteSecrets";
import type { ClientCredentials } from "../pki/clientCredentials";
import type { Progress } from "../progress";
import { type TalosKind, TalosResource } from "../talosResource";

/** Arguments of `RewrittenSecrets`. */
export interface RewrittenSecretsArgs {
  /** Addresses of the control plane machines. The first one that answers is used. */
  readonly nodes: pulumi.Input<pulumi.Input<string>[]>;
  /** The Talos API to dial, when it isn't the machines' own. Default: each machine's. */
  readonly endpoint?: pulumi.Input<string> | undefined;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** The generation of the secretbox key that encrypts. Another one writes all Secrets again. */
  readonly generation: pulumi.Input<number>;
  /** How long the writing may take. Seconds. Default: 1800. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/** How `RewrittenSecrets` is registered. */
export const rewrittenSecretsKind: TalosKind<RewrittenSecretsArgs> = {
  name: "RewrittenSecrets",
  secrets: ["credentials"],
  inputsOf: (args) => ({
    nodes: args.nodes,
    ...(args.endpoint !== undefined && { endpoint: args.endpoint }),
    credentials: pulumi.secret(args.credentials),
    generation: args.generation,
    timeoutSeconds: args.timeoutSeconds ?? 1_800,
  }),
};

/**
 * Has every Secret of a cluster encrypted with the key that API servers encrypt with now, by writing
 * it again unchanged. Let it depend on the `ConfigurationApply` of every control plane machine. It
 * uses the Kubernetes API on port 6443, and reads all Secrets into memory, a page at a time.
 */
export class RewrittenSecrets extends TalosResource {
  constructor(name: string, args: RewrittenSecretsArgs, opts?: pulumi.CustomResourceOptions) {
    super(rewrittenSecretsKind, name, args, opts);
  }
}

interface Inputs {
  readonly nodes: readonly string[];
  readonly endpoint?: string | undefined;
  readonly credentials: ClientCredentials;
  readonly generation: number;
  readonly timeoutSeconds: number;
}

interface State {
  readonly generation: number;
}

/** Checks, creates, reads, updates and deletes `RewrittenSecrets`. */
export const rewrittenSecretsHandler: Handler<Inputs, State> = {
  transient: ["nodes", "endpoint", "credentials", "timeoutSeconds"],

  check(_olds, news) {
    // The engine needs each transient input to be present.
    const inputs = { ...news, endpoint: news.endpoint };
    return Promise.resolve({ inputs, failures: checkTimeout(news.timeoutSeconds) });
  },

  diff(_id, state, { generation }) {
    return { changes: generation !== state.generation };
  },

  async create(inputs, progress) {
    await rewrite(inputs, progress);
    return { id: "secrets", state: { generation: inputs.generation } };
  },

  async update(_id, _state, news, progress) {
    await rewrite(news, progress);
    return { generation: news.generation };
  },
};

function rewrite(inputs: Inputs, progress: Progress): Promise<void> {
  const { nodes, endpoint, credentials, timeoutSeconds } = inputs;
  return rewriteSecrets({
    controlPlanes: nodes.map((node) => ({ node, endpoint: endpoint ?? node, credentials })),
    deadline: clock.now() + timeoutSeconds * 1_000,
    progress,
  });
}
