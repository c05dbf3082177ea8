import * as pulumi from "@pulumi/pulumi";
import { checkMachineConfigInput } from "../config/checkInput";
import { generateMachineConfig } from "../config/generateMachineConfig";
import type { MachineConfigInput, MachineType } from "../config/machineConfigInput";
import { installerImage, isSchematicId, isTalosVersion } from "../config/installerImage";
import type { Patch } from "../config/patch";
import { talosSchema } from "../config/talosSchemas";
import type { SecretsBundle } from "../pki/secretsBundle";
import type { CheckFailure, Handler } from "../handler";
import { readPatchArgument } from "../readPatchFiles";
import { renderConfiguration } from "../renderConfiguration";
import { TalosResource } from "../talosResource";
import { isUnknown, UNKNOWN } from "../unknown";

export interface MachineConfigurationArgs {
  readonly clusterName: pulumi.Input<string>;
  /** URL of the Kubernetes API as every machine and client reaches it, `https://<name>:6443`. */
  readonly endpoint: pulumi.Input<string>;
  readonly machineType: pulumi.Input<MachineType>;
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
  /** The Talos release the machines should run, for example `v1.12.1`; names the installer. */
  readonly talosVersion: pulumi.Input<string>;
  /** The dialect the configuration is written in: `MachineSecrets.versionContract`. */
  readonly versionContract: pulumi.Input<string>;
  /** For example `1.35.0`. No default: it must not move with a release of this package. */
  readonly kubernetesVersion: pulumi.Input<string>;
  /** The disk Talos is installed to. */
  readonly installDisk: pulumi.Input<string>;
  /**
   * Image Factory schematic of the installer: which system extensions the machines have. Default:
   * the one Talos' own AMIs are built from (with the ECR credential provider).
   */
  readonly schematicId?: pulumi.Input<string>;
  /** More names and addresses for the certificate of the Talos API. Default: none. */
  readonly certSans?: pulumi.Input<pulumi.Input<string>[]>;
  /** Default: `cluster.local`. */
  readonly dnsDomain?: pulumi.Input<string>;
  /** Default: `10.244.0.0/16`. */
  readonly podCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /** Default: `10.96.0.0/12`. */
  readonly serviceCidrs?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Strategic merge patches and JSON patches, applied in this order by Talos' rules: each a text, an
   * object, or a text like `@patches/worker.yaml` that names a file, relative to the program's
   * working folder. Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]>;
}

/**
 * The machine configuration of one role of a cluster. A pure function of its inputs, computed
 * already in a preview, which shows what changes on the machines as a diff without secrets.
 */
export class MachineConfiguration extends TalosResource {
  /** The YAML documents a machine gets. Secret: they hold the cluster's keys. */
  declare public readonly machineConfiguration: pulumi.Output<string>;
  /** SHA-256, hex, of the meaning of the configuration: key order and style don't count. */
  declare public readonly machineConfigurationHash: pulumi.Output<string>;
  /** The documents with each secret replaced by a short fingerprint. */
  declare public readonly redactedConfiguration: pulumi.Output<string>;
  /** The image that installs and upgrades the machines. */
  declare public readonly installerImage: pulumi.Output<string>;

  constructor(name: string, args: MachineConfigurationArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      ...args,
      ...(args.patches !== undefined && { patches: readPatchArgument(args.patches) }),
      secretsBundle: pulumi.secret(args.secretsBundle),
      machineConfiguration: pulumi.secret(""),
      machineConfigurationHash: "",
      redactedConfiguration: "",
      installerImage: "",
    };
    super("MachineConfiguration", name, props, ["machineConfiguration", "secretsBundle"], opts);
  }
}

/** What a program gives. */
interface Given extends Omit<MachineConfigInput, "installerImage"> {
  readonly talosVersion: string;
  readonly schematicId?: string;
  readonly patches?: readonly Patch[];
}

/** What `check` adds, so that a preview knows it; and all that is kept. */
interface Computed {
  readonly machineConfiguration: string;
  readonly machineConfigurationHash: string;
  readonly redactedConfiguration: string;
  readonly installerImage: string;
}

type Inputs = Given & Computed;
type State = Computed;

/** The computed inputs of a configuration that can't be computed yet. */
const notYet = {
  machineConfiguration: UNKNOWN,
  machineConfigurationHash: UNKNOWN,
  redactedConfiguration: UNKNOWN,
  installerImage: UNKNOWN,
};

export const machineConfigurationHandler: Handler<Inputs, State> = {
  check(_olds, news) {
    const given = withoutComputed(news);
    const failures = checkKnown(given);
    if (failures.length > 0 || isUnknown(given)) {
      return Promise.resolve({ inputs: { ...given, ...notYet }, failures });
    }
    const image = installerImage(given);
    const result = renderConfiguration(
      generateMachineConfig({ ...given, installerImage: image }),
      given.patches ?? [],
      talosSchema(given.talosVersion),
    );
    if ("failures" in result) {
      return Promise.resolve({ inputs: { ...given, ...notYet }, failures: result.failures });
    }
    const { text, hash, redacted } = result.rendered;
    const computed = {
      machineConfiguration: text,
      machineConfigurationHash: hash,
      redactedConfiguration: redacted,
      installerImage: image,
    };
    return Promise.resolve({ inputs: { ...given, ...computed }, failures: [] });
  },

  diff(_id, state, news) {
    return {
      changes:
        isUnknown(news.machineConfigurationHash) ||
        state.machineConfigurationHash !== news.machineConfigurationHash ||
        state.installerImage !== news.installerImage,
    };
  },

  create(inputs) {
    const id = `${inputs.clusterName}-${inputs.machineType}`;
    return Promise.resolve({ id, state: computedOf(inputs) });
  },

  update(_id, _state, news) {
    return Promise.resolve(computedOf(news));
  },
};

/** All that is wrong with what is known already. */
function checkKnown(given: Given): CheckFailure[] {
  const known: Partial<Given> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => !isUnknown(value)),
  );
  const failures: CheckFailure[] = [...checkMachineConfigInput(known)];
  const { talosVersion, schematicId } = known;
  if (talosVersion !== undefined && !isTalosVersion(talosVersion)) {
    failures.push({
      property: "talosVersion",
      reason: `"${talosVersion}" is no Talos release: write it like "v1.12.1"`,
    });
  }
  if (schematicId !== undefined && !isSchematicId(schematicId)) {
    failures.push({
      property: "schematicId",
      reason: `"${schematicId}" is no id of an Image Factory schematic: it has 64 hex digits`,
    });
  }
  return failures;
}

function withoutComputed(inputs: Inputs): Given {
  const {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
    ...given
  } = inputs;
  return given;
}

function computedOf(inputs: Inputs): Computed {
  const { machineConfiguration, machineConfigurationHash } = inputs;
  const { redactedConfiguration, installerImage: image } = inputs;
  return {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
  };
}
