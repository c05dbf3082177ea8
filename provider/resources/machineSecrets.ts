import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "../base/unknown";
import { type InputProblem, inputProblems } from "../config/configError";
import { contractProblem } from "../config/releases/contractChange";
import { checkChosenDefaults } from "../config/releases/contractDefaults";
import { checkVersionContract } from "../config/releases/versionContract";
import type { Handler } from "../engine/handler";
import { type TalosKind, TalosResource } from "../engine/talosResource";
import { generateSecretsBundle } from "../pki/generateSecretsBundle";
import { importSecrets } from "../pki/importSecrets";
import { checkRotation } from "../pki/rotation/checkRotation";
import { judgeBegun } from "../pki/rotation/judgeRotation";
import { describeRotation, type Rotation } from "../pki/rotation/rotation";
import { judgeUsedKeys, type LastingKey, usedKeys } from "../pki/rotation/usedKeys";
import type { SecretsBundle } from "../pki/secretsBundle";
import { SecretsBundleError } from "../pki/secretsBundleError";

/** Arguments of `MachineSecrets`. */
export interface MachineSecretsArgs {
  /**
   * The dialect of the machine configuration: the Talos minor that the cluster was created with,
   * for example `v1.14`. It may rise to `v1.14` and go back, if `contractDefaults` keeps the defaults of
   * the former one. The secrets stay the same.
   */
  readonly versionContract: pulumi.Input<string>;
  /**
   * The contract whose defaults the cluster keeps that went over to `versionContract`: see
   * `MachineConfigurationArgs.contractDefaults`. Default: `versionContract`.
   */
  readonly contractDefaults?: pulumi.Input<string> | undefined;
  /**
   * Allows other defaults, by another `versionContract` or `contractDefaults`, if Talos' upgrade notes
   * allow them for this cluster. The secrets stay the same. Default: false.
   */
  readonly allowContractChange?: pulumi.Input<boolean>;
  /**
   * The secrets of an existing cluster: the text of a file from `talosctl gen secrets`, or of a
   * control plane machine's configuration (also as printed by `talosctl get machineconfig -o
   * yaml`). Or `@` and the path of such a file, relative to the program's working folder. Used only
   * at creation. You may remove it later, but not change it. Default: new secrets.
   */
  readonly importedSecrets?: pulumi.Input<string>;
  /**
   * The stages of CA rotations. They are recorded here, so a preview refuses to skip a stage. The
   * secrets stay those of the first generation. `TalosCluster.rotation` does the rest. Default: no
   * rotation.
   */
  readonly rotation?: pulumi.Input<Rotation>;
}

/** How `MachineSecrets` is registered. */
export const machineSecretsKind: TalosKind<MachineSecretsArgs> = {
  name: "MachineSecrets",
  secrets: ["secretsBundle", "importedSecrets"],
  inputsOf: (args) => {
    const imports = args.importedSecrets !== undefined;
    return {
      versionContract: args.versionContract,
      allowContractChange: args.allowContractChange ?? false,
      ...(args.contractDefaults !== undefined && { contractDefaults: args.contractDefaults }),
      ...(imports && { importedSecrets: pulumi.secret(args.importedSecrets).apply(textOf) }),
      ...(args.rotation !== undefined && { rotation: args.rotation }),
      // Imported secrets are known in a preview, because `check` reads them.
      secretsBundle: imports ? pulumi.secret("") : undefined,
    };
  },
};

/**
 * The secrets of one cluster: its certificate authorities, tokens and encryption keys. They are
 * created or imported once, at the first `up`. All machine configurations and client certificates
 * depend on them. If you lose them, you lose the cluster: protect this resource, and back up the
 * stack's state.
 *
 * Use `importedSecrets` to import secrets. Pulumi's option `import` works with this package's plugin,
 * and for no dynamic resource, because the engine gives their plugin no code (pulumi v3.230.0).
 */
export class MachineSecrets extends TalosResource {
  /** All secrets, in the format of `talosctl gen secrets`. Secret. */
  declare readonly secretsBundle: pulumi.Output<SecretsBundle>;
  declare readonly versionContract: pulumi.Output<string>;

  constructor(name: string, args: MachineSecretsArgs, opts?: pulumi.CustomResourceOptions) {
    super(machineSecretsKind, name, args, opts);
    // The program's own value, because a change of it does not change the secrets. As an output of
    // an update, it would make the secrets and everything derived from them unknown in a preview.
    this.versionContract = pulumi.output(args.versionContract);
  }
}

interface Inputs {
  readonly versionContract: string;
  readonly allowContractChange: boolean;
  readonly contractDefaults?: string;
  /** Given by the program; `check` replaces it with the two below. */
  readonly importedSecrets?: string;
  /** Imported secrets until the resource exists. Later only its state contains them. */
  readonly secretsBundle?: SecretsBundle;
  /** SHA-256, hex, of the imported secrets, to recognise other ones without storing them twice. */
  readonly importedSecretsHash?: string;
  /** The stages that have begun. */
  readonly rotation?: Rotation;
  /** Keys in rotation whose new generation may have been used. `check` records them. */
  readonly usedKeys?: readonly LastingKey[];
}

interface State {
  readonly versionContract: string;
  readonly secretsBundle: SecretsBundle;
}

/** A stack has them once for each cluster, so their name says which. */
const MACHINE_SECRETS_ID = "machine-secrets";

/** Checks, creates, reads, updates and deletes `MachineSecrets`. */
export const machineSecretsHandler: Handler<Inputs, State> = {
  check(olds, news) {
    const { importedSecrets, versionContract, allowContractChange, rotation } = news;
    const { contractDefaults } = news;
    const { kept, reasons } = checkImport(olds, importedSecrets);
    const failures = [
      ...checkContract(olds, news),
      ...reasons.map((reason) => ({ property: "importedSecrets", reason })),
      ...checkRotationOf(olds, news),
    ];
    const used = isUnknown(rotation) ? [] : usedKeys(olds, rotation);
    const isTold = olds !== undefined && failures.length === 0 && !isUnknown(rotation);
    return Promise.resolve({
      inputs: {
        versionContract,
        allowContractChange,
        ...kept,
        ...(contractDefaults !== undefined && { contractDefaults }),
        ...(rotation && { rotation }),
        ...(used.length > 0 && { usedKeys: used }),
      },
      failures,
      warnings: isTold ? describeRotation(olds.rotation, rotation) : [],
    });
  },

  diff() {
    return { changes: false };
  },

  async create({ versionContract, secretsBundle }) {
    const bundle = secretsBundle ?? (await generateSecretsBundle({ versionContract }));
    return { id: MACHINE_SECRETS_ID, state: { versionContract, secretsBundle: bundle } };
  },

  import(id) {
    const [, versionContract, file] = /^([^@]+)@(.+)$/s.exec(id) ?? [];
    if (versionContract === undefined || file === undefined) {
      throw new Error(
        `"${id}" can't be imported: write the version contract and the path of a file with the secrets, as in "v1.12@secrets.yaml"`,
      );
    }
    const importedSecrets = textOf(`@${file}`);
    const { kept, reasons } = checkImport(undefined, importedSecrets);
    const problem = checkVersionContract(versionContract);
    const problems = [...(problem === undefined ? [] : [problem]), ...reasons];
    const { secretsBundle, ...recorded } = kept;
    if (problems.length > 0 || secretsBundle === undefined) {
      throw new Error(problems.join("; "));
    }
    return Promise.resolve({
      id: MACHINE_SECRETS_ID,
      state: { versionContract, secretsBundle },
      inputs: { versionContract, allowContractChange: false, ...recorded },
    });
  },

  update(_id, state, { versionContract }) {
    return Promise.resolve({ ...state, versionContract });
  },
};

function checkContract(olds: Partial<Inputs> | undefined, news: Inputs): readonly InputProblem[] {
  const { versionContract, contractDefaults, allowContractChange } = news;
  if (isUnknown([versionContract, contractDefaults])) {
    return [];
  }
  const problem = checkVersionContract(versionContract);
  const problems = [...inputProblems(["versionContract"], problem), ...checkChosenDefaults(news)];
  const frozen = olds?.versionContract;
  if (problems.length > 0 || frozen === undefined) {
    return problems;
  }
  const recorded = { versionContract: frozen, contractDefaults: olds?.contractDefaults };
  const reason = contractProblem(recorded, news, allowContractChange);
  return inputProblems(["versionContract"], reason);
}

function checkRotationOf(olds: Partial<Inputs> | undefined, { rotation }: Inputs) {
  if (isUnknown(rotation)) {
    return [];
  }
  const wrong = checkRotation(rotation ?? {});
  const problems =
    wrong.length > 0 || olds === undefined
      ? wrong
      : [...judgeBegun(olds.rotation, rotation), ...judgeUsedKeys(olds, rotation)].map(
          ({ secret, reason }) => ({ property: secret, reason }),
        );
  return problems.map(({ property, reason }) => ({ property: `rotation.${property}`, reason }));
}

/** The result of checking imported secrets: their inputs, or the problem. */
interface Import {
  readonly kept: Pick<Inputs, "secretsBundle" | "importedSecretsHash">;
  readonly reasons: readonly string[];
}

function checkImport(olds: Partial<Inputs> | undefined, text: string | undefined): Import {
  const hashBefore = olds?.importedSecretsHash;
  const kept = hashBefore === undefined ? {} : { importedSecretsHash: hashBefore };
  if (text === undefined || isUnknown(text)) {
    return { kept, reasons: [] };
  }
  if (text.startsWith("@")) {
    const reason = `the file "${text.slice(1)}" does not exist or can't be read: name it relative to the program's working folder`;
    return { kept, reasons: [reason] };
  }
  // The end of a CA's validity is no problem of an earlier import.
  const now = olds === undefined ? new Date() : new Date(0);
  try {
    const secretsBundle = importSecrets(text, now);
    const importedSecretsHash = hashOf(secretsBundle);
    if (olds === undefined) {
      return { kept: { secretsBundle, importedSecretsHash }, reasons: [] };
    }
    const isSame = importedSecretsHash === hashBefore;
    return { kept, reasons: isSame ? [] : [otherSecrets(hashBefore !== undefined)] };
  } catch (error) {
    if (!(error instanceof SecretsBundleError)) {
      throw error;
    }
    const reasons = error.problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`,
    );
    return { kept, reasons };
  }
}

function otherSecrets(wereImported: boolean): string {
  const [origin, advice] = wereImported
    ? ["imported", "restore importedSecrets, or leave it out"]
    : ["generated", "leave importedSecrets out"];
  return `the secrets of this cluster were ${origin} when it was created and can't be replaced, because its machines would not accept others: ${advice}. To replace CAs of running machines, use rotation. After talosctl rotate-ca, import the new secrets as a MachineSecrets of another name`;
}

function hashOf(bundle: SecretsBundle): string {
  return createHash("sha256").update(JSON.stringify(bundle)).digest("hex");
}

/**
 * The text, or the content of the file that it names. The name of an unreadable file is returned
 * unchanged, and `check` refuses it. An error here would block an inline program forever, because a
 * resource waits for this value (pulumi v3.230.0, sdk/nodejs/runtime/resource.ts).
 */
function textOf(text: string): string {
  try {
    return text.startsWith("@") ? readFileSync(text.slice(1).trim(), "utf8") : text;
  } catch {
    return text;
  }
}
