import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../config/patches/patch";
import type { PlannedSettings } from "../config/plannedSettings";
import type { MarkedValues } from "../config/secrets/markedValues";
import { isMixed, isWithheldBundle } from "../config/secrets/shownInputs";
import { decodeDocuments } from "../config/yaml/encode";
import { markedIn, rememberInputs } from "../engine/markedInputs";
import { isKnown } from "../engine/outputValue";
import { type InputsOf, type TalosKind, TalosResource } from "../engine/talosResource";
import type { SecretsBundle } from "../pki/secretsBundle";
import { readPatchArgument } from "../render/readPatchFiles";
import { type ConfigurationOutline, renderOutline } from "../render/renderConfiguration";
import { isOutline } from "../render/renderMachineConfiguration";
import { bundleOf, bundleText } from "./bundleText";
import { type ConfigurationRevision } from "./configurationRevision";
import { previewedText } from "./previewedText";
import { type Given, type RenderedInputs, textOf } from "./roleRendering";

/** Options of a machine configuration; see `MachineConfigInput`. */
export interface MachineConfigurationArgs extends InputsOf<
  Omit<Given, "patches" | "plannedSettings" | "markedValues" | "secretsBundle">
> {
  /** `MachineSecrets.secretsBundle`. */
  readonly secretsBundle: pulumi.Input<SecretsBundle>;
  /**
   * Strategic merge patches and JSON patches, applied in this order by Talos' rules. Each is a
   * text, an object, or `@` and the path of a file, relative to the program's working folder.
   * Default: none.
   */
  readonly patches?: pulumi.Input<pulumi.Input<Patch>[]> | undefined;
  /**
   * Patches that single machines get beside this configuration, by a name for each machine:
   * `ConfigurationApplyArgs.patches`. They are counted in `machineRevisions`, and judged by
   * `plannedSettings`, and together: no two machines may have one host name. Default: none.
   */
  readonly machinePatches?:
    Readonly<Record<string, pulumi.Input<pulumi.Input<Patch>[]>>> | undefined;
  /**
   * All patches of machines that have another configuration of the same cluster, by how an error should
   * call the machine: `workerPools.apps`. No two machines may have one host name. Default: none.
   */
  readonly otherPatches?: Readonly<Record<string, pulumi.Input<pulumi.Input<Patch>[]>>> | undefined;
  /**
   * Settings that the program plans other resources by, by their paths in the outline. A configuration
   * that has another is refused, also that of a machine with `machinePatches`. Default: none.
   */
  readonly plannedSettings?: pulumi.Input<PlannedSettings> | undefined;
}

/** Options that are secret or may contain secrets. */
const SECRET_OPTIONS = ["diskEncryption", "userVolumes"] as const;

/** Arguments that this package makes. What of them is secret is known by its place. */
const MADE_ARGUMENTS: readonly string[] = ["secretsBundle", "acceptedAuthorities"];

/** Whether values of an argument that the program marked as secret are hidden wherever they are. */
export function isMarkable(name: string): boolean {
  return !MADE_ARGUMENTS.includes(name);
}

function markableArguments(args: MachineConfigurationArgs): readonly unknown[] {
  const given: readonly (readonly [string, unknown])[] = Object.entries(args);
  return given.filter(([name]) => isMarkable(name)).map(([, value]) => value);
}

function readByMachine(
  patches: NonNullable<MachineConfigurationArgs["machinePatches"]>,
): pulumi.Output<Readonly<Record<string, Patch[]>>> {
  const read = Object.entries(patches).map(
    ([name, own]) => [name, readPatchArgument(own)] as const,
  );
  return pulumi.secret(Object.fromEntries(read));
}

/** A secret that may turn out to be left out: as a secret it would reach the engine as null. */
function secretUnlessAbsent(value: unknown): pulumi.Output<unknown> {
  const given: pulumi.Output<unknown> = pulumi.output(value);
  return given.apply((known): pulumi.Output<unknown> =>
    known === undefined ? pulumi.output(known) : pulumi.secret(known),
  );
}

/**
 * Manifests with secret texts. Where their names are known, these stay known in a preview that does not know a text yet: a
 * secret is known as a whole, or not at all.
 */
export function withSecretTexts(manifests: MachineConfigurationArgs["inlineManifests"]): unknown {
  if (pulumi.Output.isInstance(manifests)) {
    return pulumi.secret(manifests);
  }
  return manifests instanceof Promise
    ? manifests.then(withSecretTexts)
    : manifests?.map((manifest) =>
        pulumi.Output.isInstance(manifest) || manifest instanceof Promise
          ? pulumi.secret(manifest)
          : { ...manifest, contents: pulumi.secret(manifest.contents) },
      );
}

/** How `MachineConfiguration` is registered. */
export const machineConfigurationKind: TalosKind<MachineConfigurationArgs> = {
  name: "MachineConfiguration",
  secrets: [
    ...(["machineConfiguration", "patches", "machinePatches", "otherPatches"] as const),
    "secretsBundle",
    "markedValues",
    "inlineManifests",
    ...SECRET_OPTIONS,
  ],
  isMarkable,
  inputsOf: (args) => ({
    ...args,
    ...(args.patches !== undefined && {
      patches: pulumi.secret(readPatchArgument(args.patches)),
    }),
    ...Object.fromEntries(
      (["machinePatches", "otherPatches"] as const).flatMap((argument) => {
        const { [argument]: byMachine } = args;
        return byMachine === undefined ? [] : [[argument, readByMachine(byMachine)] as const];
      }),
    ),
    ...Object.fromEntries(
      SECRET_OPTIONS.filter((option) => args[option] !== undefined).map((option) => [
        option,
        secretUnlessAbsent(args[option]),
      ]),
    ),
    ...(args.inlineManifests !== undefined && {
      inlineManifests: withSecretTexts(args.inlineManifests),
    }),
    secretsBundle: bundleText(args.secretsBundle),
    markedValues: markedIn(markableArguments(args)),
    machineConfiguration: pulumi.secret(""),
    machineConfigurationHash: undefined,
    redactedConfiguration: "",
    installerImage: "",
    revision: undefined,
    machineRevisions: undefined,
  }),
};

/**
 * The machine configuration of one role of a cluster. It is a pure function of its inputs and is
 * computed in the preview, which shows each changed line without secrets. A first preview does not
 * know the secrets yet, and shows everything else.
 */
export class MachineConfiguration extends TalosResource {
  /** The YAML documents for a machine. Secret: they contain the cluster's keys. */
  declare readonly machineConfiguration: pulumi.Output<string>;
  /**
   * SHA-256, hex, of the configuration's content, without key order and style. Unknown in the
   * preview of a change, where it would only add a line.
   */
  declare readonly machineConfigurationHash: pulumi.Output<string>;
  /** The configuration as one mapping, in which a short fingerprint replaces each secret. */
  declare readonly redactedConfiguration: pulumi.Output<ConfigurationOutline>;
  /** The image that installs and upgrades the machines. */
  declare readonly installerImage: pulumi.Output<string>;
  /**
   * How often the content has changed. Pass it to what applies the configuration: a change that a
   * killed run began is then noticed when a later program takes it back. Undefined until the first
   * change. Unknown in the preview of a change.
   */
  declare readonly revision: pulumi.Output<ConfigurationRevision | undefined>;
  /**
   * How often `machinePatches` of each machine have changed. Pass a machine's number to what applies
   * its configuration, for the same reason. None for a machine whose patches never changed.
   */
  declare readonly machineRevisions: pulumi.Output<Readonly<Record<string, number>> | undefined>;

  constructor(name: string, args: MachineConfigurationArgs, opts?: pulumi.CustomResourceOptions) {
    super(machineConfigurationKind, name, args, opts);
    const { machineConfiguration, redactedConfiguration } = this;
    const markable = markableArguments(args);
    const outputs = Object.fromEntries(Object.entries(this));
    const resolved = { ...outputs, machineConfiguration, redactedConfiguration };
    if (pulumi.runtime.isDryRun()) {
      const { secretsBundle, acceptedAuthorities, inlineManifests } = args;
      this.replaceOutput("machineConfiguration", () => {
        const asked = machineConfigurationKind.inputsOf(args);
        const mixed = Object.fromEntries(Object.entries(asked).filter(([name]) => isMixed(name)));
        const withheld = { secretsBundle: bundleText(secretsBundle), acceptedAuthorities, mixed };
        const render = (inputs: unknown) => {
          const { mixed: whole, ...known } = inputs as RenderedInputs & { mixed: object };
          const bundle = bundleOf(known.secretsBundle);
          // Where secrets are withheld, so is what `check` has accepted of these.
          const more = isWithheldBundle(bundle) ? whole : {};
          return textOf({ ...known, ...more, secretsBundle: bundle });
        };
        const previewed = previewedText(resolved, { withheld, inParts: inlineManifests }, render);
        return pulumi.secret(previewed);
      });
    }
    this.replaceOutput("redactedConfiguration", () =>
      outlineOutput(redactedConfiguration, machineConfiguration, markedIn(markable)),
    );
    for (const output of [this.machineConfiguration, this.redactedConfiguration]) {
      rememberInputs(output, markable);
    }
  }

  /** Computes an output from those that the engine resolves, if a program uses it. */
  private replaceOutput(name: string, compute: () => pulumi.Output<unknown>): void {
    let output: pulumi.Output<unknown> | undefined;
    Object.defineProperty(this, name, { get: () => (output ??= compute()) });
  }
}

/**
 * The outline as the engine knows it: in a preview of a change, or from a state that an older release
 * or the plugin wrote. Otherwise it is that of the text.
 */
function outlineOutput(
  recorded: pulumi.Output<ConfigurationOutline | string | undefined>,
  text: pulumi.Output<string>,
  markedValues: pulumi.Output<MarkedValues>,
): pulumi.Output<ConfigurationOutline> {
  const ofText = () =>
    pulumi
      .unsecret(pulumi.all([text, markedValues]))
      .apply(([yaml, marked]) => renderOutline(decodeDocuments(yaml), { marked }));
  const known = async () =>
    (await isKnown(recorded))
      ? recorded.apply((outline) => (isOutline(outline) ? outline : ofText()))
      : ofText();
  return pulumi.output(known());
}
