import * as pulumi from "@pulumi/pulumi";
import { bundleOf, bundleText } from "../bundleText";
import { checkMachineConfigInput } from "../config/checkInput";
import { generateMachineConfig } from "../config/generateMachineConfig";
import { freeze } from "../config/immutable";
import { inputProblems } from "../config/inputProblem";
import type { ConfigDocument } from "../config/machineConfig";
import type { MachineConfigInput } from "../config/machineConfigInput";
import {
  checkInstallerOptions,
  installerImage,
  type InstallerOptions,
  missingPlatform,
} from "../config/installerImage";
import type { Patch } from "../config/patch";
import { Recent } from "../config/recent";
import { removedInKubernetes } from "../config/removedInKubernetes";
import { talosSchema } from "../config/talosSchemas";
import type { SecretsBundle } from "../pki/secretsBundle";
import type { CheckFailure, Handler } from "../handler";
import type { InputsOf } from "../inputsOf";
import { readPatchArgument } from "../readPatchFiles";
import {
  type RedactedConfiguration,
  renderConfiguration,
  type RenderResult,
  renderText,
} from "../renderConfiguration";
import { isOutline } from "../renderMachineConfiguration";
import { renderUnknown, standInBundle, standInFor } from "../renderUnknown";
import { TalosResource } from "../talosResource";
import { isUnknown, UNKNOWN } from "../unknown";

/** What a program gives, as plain values. */
interface Given
  extends
    Omit<MachineConfigInput, "installerImage" | "persist" | "talosVersion">,
    InstallerOptions {
  readonly patches?: readonly Patch[] | undefined;
}

/** Options of a machine configuration; see `MachineConfigInput`. */
export interface MachineConfigurationArgs extends InputsOf<
  Omit<Given, "patches" | "secretsBundle">
> {
  /** `MachineSecrets.secretsBundle`. */
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
  /**
   * Strategic merge patches and JSON patches, applied in this order by Talos' rules. Each is a
   * text, an object, or `@` and the path of a file, relative to the program's working folder.
   * Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]> | undefined;
}

/** Options with secrets in them, or with what may hold some. */
const secretOptions = [
  "secretsBundle",
  "diskEncryption",
  "userVolumes",
  "inlineManifests",
] as const;

/**
 * The machine configuration of one role of a cluster. It is a pure function of its inputs and is
 * computed in the preview, which shows each changed line without secrets. A first preview does not
 * know the secrets yet, and shows everything else.
 */
export class MachineConfiguration extends TalosResource {
  /** The YAML documents for a machine. Secret: they contain the cluster's keys. */
  declare public readonly machineConfiguration: pulumi.Output<string>;
  /**
   * SHA-256, hex, of the configuration's content, without key order and style. Unknown in the
   * preview of a change, where it would only add a line.
   */
  declare public readonly machineConfigurationHash: pulumi.Output<string>;
  /** The configuration as one mapping, in which a short fingerprint replaces each secret. */
  declare public readonly redactedConfiguration: pulumi.Output<RedactedConfiguration>;
  /** The image that installs and upgrades the machines. */
  declare public readonly installerImage: pulumi.Output<string>;

  constructor(name: string, args: MachineConfigurationArgs, opts?: pulumi.CustomResourceOptions) {
    const props = {
      ...args,
      ...(args.patches !== undefined && {
        patches: pulumi.secret(readPatchArgument(args.patches)),
      }),
      ...Object.fromEntries(
        secretOptions
          .filter((option) => args[option] !== undefined)
          .map((option) => [option, pulumi.secret(args[option])]),
      ),
      secretsBundle: bundleText(args.secretsBundle),
      machineConfiguration: pulumi.secret(""),
      machineConfigurationHash: undefined,
      redactedConfiguration: "",
      installerImage: "",
    };
    const secrets = ["machineConfiguration", "patches", ...secretOptions];
    super("MachineConfiguration", name, props, secrets, opts);
    if (pulumi.runtime.isDryRun()) {
      // The state has the text once, as an output, and the preview of a change shows outputs only
      // where inputs have them: so the program renders it, once the engine has accepted the inputs.
      const { patches = [] } = args;
      const given = {
        ...args,
        secretsBundle: bundleText(args.secretsBundle),
        patches: readPatchArgument(patches),
        installerImage: this.installerImage,
      };
      this.machineConfiguration = pulumi.secret(
        pulumi
          .all([pulumi.output(given), this.urn])
          .apply(([known]) => textOf({ ...known, secretsBundle: bundleOf(known.secretsBundle) })),
      );
    }
  }
}

/** What `check` adds, so that a preview knows it; and all that is kept. */
interface Computed {
  readonly machineConfiguration: string;
  readonly machineConfigurationHash: string;
  readonly redactedConfiguration: RedactedConfiguration | string;
  readonly installerImage: string;
}

type Inputs = Given & Computed;
type State = Computed;
type RenderedInputs = Given & Pick<Computed, "installerImage">;

/** The computed inputs of a configuration that can't be computed yet. */
const notYet = {
  machineConfiguration: UNKNOWN,
  machineConfigurationHash: UNKNOWN,
  redactedConfiguration: UNKNOWN,
  installerImage: UNKNOWN,
};

/** Checks, creates, reads, updates and deletes `MachineConfiguration`. */
export const machineConfigurationHandler: Handler<Inputs, State> = {
  transient: ["secretsBundle", "machineConfiguration", "machineConfigurationHash"],

  check(olds, news) {
    if (!Object.hasOwn(news, "secretsBundle")) {
      const reason = `it is missing; if "ignoreChanges" names it, take it out of there: the state doesn't keep it`;
      const failures = [{ property: "secretsBundle", reason }];
      return Promise.resolve({ inputs: news, failures });
    }
    const given = withoutComputed(news);
    const { secretsBundle, acceptedAuthorities, ...plain } = given;
    const failures = checkKnown(given);
    // What is refused comes back as it was given: an engine that updates takes no unknown values, and
    // shows an error about those instead of the failures (pulumi v3.230.0, `Check` in provider_plugin.go).
    if (failures.length > 0) {
      return Promise.resolve({ inputs: news, failures });
    }
    if (isUnknown(plain)) {
      return Promise.resolve({ inputs: { ...given, ...notYet }, failures });
    }
    const image = installerImage(given);
    if (isUnknown([secretsBundle, acceptedAuthorities])) {
      const result = renderUnknown((standIn) =>
        render(
          {
            ...given,
            secretsBundle: isUnknown(secretsBundle) ? standInBundle(standIn) : secretsBundle,
            acceptedAuthorities: standInFor(acceptedAuthorities, standIn),
          },
          image,
        ),
      );
      const refused =
        "failures" in result ? result.failures : removalProblems(olds, result.redacted);
      if ("failures" in result || refused.length > 0) {
        return Promise.resolve({ inputs: news, failures: refused });
      }
      const known = { redactedConfiguration: result.redacted, installerImage: image };
      return Promise.resolve({ inputs: { ...given, ...notYet, ...known }, failures: [] });
    }
    const result = render(given, image);
    if ("failures" in result) {
      return Promise.resolve({ inputs: news, failures: result.failures });
    }
    const removed = removalProblems(olds, result.rendered.redacted);
    if (removed.length > 0) {
      return Promise.resolve({ inputs: news, failures: removed });
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
    const isRefresh = !Object.hasOwn(news, "machineConfigurationHash");
    return {
      changes:
        (!isRefresh && state.machineConfigurationHash !== news.machineConfigurationHash) ||
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

function render(given: Given, image: string): RenderResult {
  return renderConfiguration(generated(given, image), given.patches ?? [], {
    schema: talosSchema(given.talosVersion),
  });
}

/** The text of inputs that were accepted. */
function textOf({ installerImage: image, ...given }: RenderedInputs): string {
  return renderText(generated(given, image), given.patches ?? [], talosSchema(given.talosVersion));
}

/** The configuration without patches: the same object for machines that differ only by those. */
function generated({ patches, ...options }: Given, image: string): readonly ConfigDocument[] {
  const input = { ...options, installerImage: image };
  return roles.get(JSON.stringify(input), () => freeze(generateMachineConfig(input)));
}

/** Of the clusters that are seen to in one run. */
const roles = new Recent<readonly ConfigDocument[]>(16);

/** All that is wrong with what is known already. */
function checkKnown(given: Given): CheckFailure[] {
  const known: Partial<Given> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => !isUnknown(value)),
  );
  return [
    ...inputProblems(["platform"], missingPlatform(given.platform)),
    ...checkMachineConfigInput(known),
    ...checkInstallerOptions(known),
  ];
}

/** What Kubernetes doesn't know any more, of what the machines would be told. */
function removalProblems(
  olds: Partial<Inputs> | undefined,
  after: RedactedConfiguration,
): CheckFailure[] {
  const former = olds?.redactedConfiguration;
  return removedInKubernetes(isOutline(former) ? former : undefined, after).map((reason) => ({
    property: "kubernetesVersion",
    reason,
  }));
}

function withoutComputed(inputs: Inputs): Given {
  const {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
    ...given
  } = inputs;
  const { secretsBundle } = given;
  return isUnknown(secretsBundle) ? given : { ...given, secretsBundle: bundleOf(secretsBundle) };
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
