import type * as pulumi from "@pulumi/pulumi";
import { generateSecretsBundle } from "../pki/generateSecretsBundle";
import type { SecretsBundle } from "../pki/secretsBundle";
import { checkVersionContract } from "../config/versionContract";
import type { CheckFailure, Handler } from "../handler";
import { TalosResource } from "../talosResource";
import { isUnknown } from "../unknown";

export interface MachineSecretsArgs {
  /**
   * The dialect of machine configuration the cluster lives in, for example `v1.12`: the Talos
   * minor it was created with. Frozen at creation: machines read secrets by it, and with another
   * one an API server may no longer decrypt what etcd holds.
   */
  readonly versionContract: pulumi.Input<string>;
  /**
   * Lets `versionContract` change, which Talos' own upgrade notes must allow for this cluster.
   * Default: false.
   */
  readonly allowContractChange?: pulumi.Input<boolean>;
}

/**
 * The secrets of one cluster: its certificate authorities, tokens and encryption keys. Made once,
 * at the first `up`; every machine configuration and client certificate comes from them. Losing
 * them is losing the cluster: protect this resource, and keep backups of the stack's state.
 */
export class MachineSecrets extends TalosResource {
  /** All secrets, in the form of the file that `talosctl gen secrets` writes. Secret. */
  declare public readonly secretsBundle: pulumi.Output<SecretsBundle>;
  declare public readonly versionContract: pulumi.Output<string>;

  constructor(name: string, args: MachineSecretsArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      versionContract: args.versionContract,
      allowContractChange: args.allowContractChange ?? false,
      secretsBundle: undefined,
    };
    super("MachineSecrets", name, props, ["secretsBundle"], opts);
  }
}

interface Inputs {
  readonly versionContract: string;
  readonly allowContractChange: boolean;
}

interface State {
  readonly versionContract: string;
  readonly secretsBundle: SecretsBundle;
}

export const machineSecretsHandler: Handler<Inputs, State> = {
  check(olds, news) {
    const failures: CheckFailure[] = [];
    const contract = news.versionContract;
    if (!isUnknown(contract)) {
      const problem = checkVersionContract(contract);
      if (problem !== undefined) {
        failures.push({ property: "versionContract", reason: problem });
      }
      const frozen = olds?.versionContract;
      if (frozen !== undefined && frozen !== contract && !news.allowContractChange) {
        failures.push({
          property: "versionContract",
          reason: `the version contract of this cluster is "${frozen}" since its creation and can't become "${contract}": set it back to "${frozen}" (to upgrade the machines change talosVersion instead), or set allowContractChange if Talos' upgrade notes say that this change is safe`,
        });
      }
    }
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, state, news) {
    return { changes: state.versionContract !== news.versionContract };
  },

  async create({ versionContract }) {
    const secretsBundle = await generateSecretsBundle();
    return { id: "machine-secrets", state: { versionContract, secretsBundle } };
  },

  update(_id, state, { versionContract }) {
    return Promise.resolve({ ...state, versionContract });
  },
};
