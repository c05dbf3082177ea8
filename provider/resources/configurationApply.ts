import * as pulumi from "@pulumi/pulumi";
import { ConfigError } from "../config/configError";
import { decodeDocuments } from "../config/encode";
import type { Patch } from "../config/patch";
import type { ClientCredentials } from "../pki/clientCredentials";
import { type Handler, PartialCreateError } from "../handler";
import {
  awaitConfiguration,
  deliverConfiguration,
  deliverFirstConfiguration,
  type Delivery,
} from "../lifecycle/deliverConfiguration";
import { checkTimeout } from "../checkTimeout";
import { readPatchArgument } from "../readPatchFiles";
import { type RenderedConfiguration, renderConfiguration } from "../renderConfiguration";
import { report } from "../report";
import { TalosResource } from "../talosResource";
import { isUnknown, UNKNOWN } from "../unknown";

export interface ConfigurationApplyArgs {
  /**
   * What machine this is: its EC2 instance id. Another id is another machine, which has no
   * configuration yet: the resource is replaced.
   */
  readonly machineId: pulumi.Input<string>;
  /** Address of the machine. */
  readonly node: pulumi.Input<string>;
  /**
   * The Talos API to dial, when it isn't the machine's own: a control plane that forwards. The
   * first configuration can't be forwarded: a machine without one is dialled at `node`.
   * Default: `node`.
   */
  readonly endpoint?: pulumi.Input<string>;
  /** `ClientConfiguration.credentials`. */
  readonly credentials: pulumi.Input<ClientCredentials>;
  /** `MachineConfiguration.machineConfiguration`. */
  readonly machineConfiguration: pulumi.Input<string>;
  /**
   * Patches for this machine alone, applied after those of its role, in the forms that
   * `MachineConfiguration` takes. Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
  /** How long to wait until the machine runs the configuration. Default: 600. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

/**
 * One machine runs one configuration. Done when the machine itself says so.
 *
 * A machine is trusted without a certificate only for its very first configuration, while it is
 * in maintenance mode and this resource doesn't exist yet: whoever answers at its address then
 * gets the configuration, keys and all, so the firewall must let only operators in. From then on
 * every call is mutual TLS with the cluster's certificate authority.
 */
export class ConfigurationApply extends TalosResource {
  declare public readonly node: pulumi.Output<string>;
  /** SHA-256, hex, of the meaning of the configuration that the machine runs. */
  declare public readonly configurationHash: pulumi.Output<string>;
  /** That configuration, each secret replaced by a fingerprint. */
  declare public readonly redactedConfiguration: pulumi.Output<string>;

  constructor(name: string, args: ConfigurationApplyArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      machineId: args.machineId,
      node: args.node,
      endpoint: args.endpoint ?? args.node,
      credentials: pulumi.secret(args.credentials),
      machineConfiguration: pulumi.secret(args.machineConfiguration),
      patches: readPatchArgument(args.patches ?? []),
      timeoutSeconds: args.timeoutSeconds ?? 600,
      configurationHash: "",
      redactedConfiguration: "",
    };
    super("ConfigurationApply", name, props, ["credentials", "machineConfiguration"], opts);
  }
}

interface Inputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly credentials: ClientCredentials;
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  readonly timeoutSeconds: number;
  /** Computed by `check`, so that previews know them. */
  readonly configurationHash: string;
  readonly redactedConfiguration: string;
}

interface State {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly configurationHash: string;
  readonly redactedConfiguration: string;
}

export const configurationApplyHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const failures = checkTimeout(news.timeoutSeconds);
    if (isUnknown(news.machineConfiguration) || isUnknown(news.patches)) {
      const unknown = { configurationHash: UNKNOWN, redactedConfiguration: UNKNOWN };
      return Promise.resolve({ inputs: { ...news, ...unknown }, failures });
    }
    const result = render(news);
    if ("failures" in result) {
      return Promise.resolve({ inputs: news, failures: [...failures, ...result.failures] });
    }
    const { hash, redacted } = result.rendered;
    const computed = { configurationHash: hash, redactedConfiguration: redacted };
    return Promise.resolve({ inputs: { ...news, ...computed }, failures });
  },

  diff(_id, state, news) {
    const isOtherMachine = isUnknown(news.machineId) || news.machineId !== state.machineId;
    // Other credentials, also ones that a preview doesn't know yet, are no reason to touch a
    // machine: they are used when it is touched.
    return {
      changes:
        isOtherMachine ||
        news.configurationHash !== state.configurationHash ||
        news.node !== state.node ||
        news.endpoint !== state.endpoint,
      replaces: isOtherMachine ? ["machineId"] : [],
    };
  },

  async create(inputs) {
    const delivery = deliveryOf(inputs);
    await deliverFirstConfiguration(delivery);
    try {
      await awaitConfiguration(delivery);
    } catch (error) {
      // The machine has its configuration and will never again talk without a certificate.
      const message = error instanceof Error ? error.message : String(error);
      throw new PartialCreateError(message, inputs.machineId, stateOf(inputs), { cause: error });
    }
    return { id: inputs.machineId, state: stateOf(inputs) };
  },

  async update(_id, _state, news) {
    const delivery = deliveryOf(news);
    await deliverConfiguration(delivery);
    await awaitConfiguration(delivery);
    return stateOf(news);
  },
};

function render(inputs: Inputs) {
  try {
    return renderConfiguration(decodeDocuments(inputs.machineConfiguration), inputs.patches);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    return {
      failures: error.problems.map(({ message }) => ({
        property: "machineConfiguration",
        reason: `not a machine configuration: ${message}`,
      })),
    };
  }
}

function rendered(inputs: Inputs): RenderedConfiguration {
  const result = render(inputs);
  if ("failures" in result) {
    throw new Error(result.failures.map(({ reason }) => reason).join("\n"));
  }
  return result.rendered;
}

function deliveryOf(inputs: Inputs): Delivery {
  const { text, hash } = rendered(inputs);
  const deadline = Date.now() + inputs.timeoutSeconds * 1_000;
  return { machine: inputs, text, hash, deadline, report };
}

function stateOf(inputs: Inputs): State {
  const { machineId, node, endpoint, configurationHash, redactedConfiguration } = inputs;
  return { machineId, node, endpoint, configurationHash, redactedConfiguration };
}
