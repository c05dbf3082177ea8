import type * as pulumi from "@pulumi/pulumi";
import { checkWord } from "../engine/checkWord";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { generateKeyOrToken } from "../pki/rotation/generateKeyOrToken";
import { type KeyOrToken, KEYS_AND_TOKENS } from "../pki/rotation/rotation";

/** Arguments of `RotatedSecret`. */
export interface RotatedSecretArgs {
  /** The key or token that it replaces. */
  readonly secret: pulumi.Input<KeyOrToken>;
  /** Its generation: 2 for the first one after that of `MachineSecrets`. */
  readonly generation: pulumi.Input<number>;
}

/** How `RotatedSecret` is registered. */
export const rotatedSecretKind: TalosKind<RotatedSecretArgs> = {
  name: "RotatedSecret",
  secrets: ["value"],
  inputsOf: (args) => ({ ...args, value: undefined }),
};

/**
 * A later generation of one of a cluster's keys or tokens; `RotatedAuthority` is the same for a CA.
 * It is created once, before machines use it, and stays as long as machines may use it. The loss of
 * a service account key ends the access of all pods to the Kubernetes API.
 */
export class RotatedSecret extends TalosResource {
  /**
   * The key as base64 of PEM, or the token. Of a discovery identity the id, a dot and the secret.
   * Secret.
   */
  declare readonly value: pulumi.Output<string>;

  constructor(name: string, args: RotatedSecretArgs, opts?: pulumi.CustomResourceOptions) {
    super(rotatedSecretKind, name, args, opts);
  }
}

interface Inputs {
  readonly secret: KeyOrToken;
  readonly generation: number;
}

interface State extends Inputs {
  readonly value: string;
}

/** Checks, creates, reads, updates and deletes `RotatedSecret`. */
export const rotatedSecretHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const failures = checkWord("secret", news.secret, KEYS_AND_TOKENS);
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, state, { secret, generation }) {
    const replaces = [
      ...(secret === state.secret ? [] : ["secret"]),
      ...(generation === state.generation ? [] : ["generation"]),
    ];
    return { changes: replaces.length > 0, replaces };
  },

  async create({ secret, generation }) {
    const value = await generateKeyOrToken(secret);
    return { id: `${secret}-${generation}`, state: { secret, generation, value } };
  },

  update(_id, state) {
    return Promise.resolve(state);
  },
};
