import type * as pulumi from "@pulumi/pulumi";
import { checkWord } from "../engine/checkWord";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { generateAuthority } from "../pki/rotation/generateAuthority";
import { AUTHORITIES, type Authority } from "../pki/rotation/rotation";
import type { CertificateAndKey } from "../pki/secretsBundle";

/** Arguments of `RotatedAuthority`. */
export interface RotatedAuthorityArgs {
  /** The CA that it replaces. */
  readonly authority: pulumi.Input<Authority>;
  /** Its generation: 2 for the first one after that of `MachineSecrets`. */
  readonly generation: pulumi.Input<number>;
}

/** How `RotatedAuthority` is registered. */
export const rotatedAuthorityKind: TalosKind<RotatedAuthorityArgs> = {
  name: "RotatedAuthority",
  secrets: ["certificateAuthority"],
  inputsOf: (args) => ({ ...args, certificateAuthority: undefined }),
};

/**
 * A later generation of one of a cluster's CAs. It is created once, before machines use it, and
 * stays as long as machines or clients may use it. Its loss is as serious as that of
 * `MachineSecrets`.
 */
export class RotatedAuthority extends TalosResource {
  /** Certificate and key. Secret. */
  declare readonly certificateAuthority: pulumi.Output<CertificateAndKey>;

  constructor(name: string, args: RotatedAuthorityArgs, opts?: pulumi.CustomResourceOptions) {
    super(rotatedAuthorityKind, name, args, opts);
  }
}

interface Inputs {
  readonly authority: Authority;
  readonly generation: number;
}

interface State extends Inputs {
  readonly certificateAuthority: CertificateAndKey;
}

/** Checks, creates, reads, updates and deletes `RotatedAuthority`. */
export const rotatedAuthorityHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const failures = checkWord("authority", news.authority, AUTHORITIES);
    return Promise.resolve({ inputs: news, failures });
  },

  diff(_id, state, { authority, generation }) {
    const replaces = [
      ...(authority === state.authority ? [] : ["authority"]),
      ...(generation === state.generation ? [] : ["generation"]),
    ];
    return { changes: replaces.length > 0, replaces };
  },

  async create({ authority, generation }) {
    const certificateAuthority = await generateAuthority(authority);
    return {
      id: `${authority}-${generation}`,
      state: { authority, generation, certificateAuthority },
    };
  },

  update(_id, state) {
    return Promise.resolve(state);
  },
};
