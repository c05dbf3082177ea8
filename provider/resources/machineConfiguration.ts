import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { bundleOf, bundleText } from "../bundleText";
import { checkMachineConfigInput } from "../config/checkInput";
import { inputProblems } from "../config/configError";
import { decodeDocuments } from "../config/encode";
import { fileWarnings } from "../config/fileWarnings";
import { freeze } from "../config/frozenMemo";
import { generateMachineConfig } from "../config/generateMachineConfig";
import { idleInstallSettings } from "../config/idleInstallSettings";
import {
  checkInstallerOptions,
  installerImage,
  type InstallerOptions,
  missingPlatform,
  modeOfPlatform,
} from "../config/installerImage";
import { LruCache } from "../config/lruCache";
import type { ConfigDocument } from "../config/machineConfig";
import type { MachineConfigInput } from "../config/machineConfigInput";
import type { MarkedValues } from "../config/markedValues";
import { documentsOfOutline, outlineDocuments } from "../config/outline";
import type { Patch } from "../config/patch";
import type { PlannedSettings } from "../config/plannedSettings";
import { documentWarnings } from "../config/rules/documentWarnings";
import { firewallWarnings } from "../config/rules/firewallRules";
import { talosSchema } from "../config/talosSchemas";
import type { CheckFailure, Handler } from "../handler";
import { markedIn, rememberInputs } from "../markedInputs";
import type { SecretsBundle } from "../pki/secretsBundle";
import { readPatchArgument } from "../readPatchFiles";
import {
  type ConfigurationOutline,
  hideMarked,
  renderConfiguration,
  type RenderedConfiguration,
  type RenderResult,
  renderText,
} from "../renderConfiguration";
import { isOutline } from "../renderMachineConfiguration";
import { renderUnknown, placeholderBundle, placeholderFor } from "../renderUnknown";
import { type InputsOf, type TalosKind, TalosResource } from "../talosResource";
import { isUnknown, UNKNOWN } from "../unknown";
import {
  type ConfigurationRevision,
  countPatches,
  type CountedPatches,
  nextRevision,
} from "./configurationRevision";
import { machineProblems } from "./machineProblems";
import { outlineProblems } from "./outlineProblems";
import { isKnown, previewedText } from "./previewedText";

/** The program's arguments, as plain values. */
interface Given
  extends
    Omit<MachineConfigInput, "installerImage" | "persist" | "talosVersion">,
    InstallerOptions {
  readonly patches?: readonly Patch[] | undefined;
  readonly plannedSettings?: PlannedSettings | undefined;
  /**
   * The most nodes that the cluster will have, for which the ranges of pods of a control plane must be
   * enough. Default: not judged.
   */
  readonly nodeCount?: number | undefined;
  /**
   * How many control planes the cluster has. With more than one, each must let in the others' etcd
   * where it has a firewall of its own. Default: not known, which warns.
   */
  readonly controlPlaneCount?: number | undefined;
  /** Values that the program marked as secret. They are only hidden. */
  readonly markedValues?: MarkedValues | undefined;
}

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
const SECRET_OPTIONS = ["diskEncryption", "userVolumes", "inlineManifests"] as const;

/** Arguments that this package makes. What of them is secret is known by its place. */
const MADE_ARGUMENTS: readonly string[] = ["secretsBundle", "acceptedAuthorities"];

/** Whether values of an argument that the program marked as secret are hidden wherever they are. */
function isMarkable(name: string): boolean {
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

/** How `MachineConfiguration` is registered. */
export const machineConfigurationKind: TalosKind<MachineConfigurationArgs> = {
  name: "MachineConfiguration",
  secrets: [
    ...(["machineConfiguration", "patches", "machinePatches", "otherPatches"] as const),
    ...["secretsBundle", "markedValues", ...SECRET_OPTIONS],
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
        pulumi.secret(args[option]),
      ]),
    ),
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
      const { secretsBundle, acceptedAuthorities } = args;
      this.replaceOutput("machineConfiguration", () => {
        const withheld = { secretsBundle: bundleText(secretsBundle), acceptedAuthorities };
        const previewed = previewedText(resolved, withheld, (inputs) => {
          const known = inputs as RenderedInputs;
          return textOf({ ...known, secretsBundle: bundleOf(known.secretsBundle) });
        });
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
      .apply(([yaml, marked]) => outlineDocuments(decodeDocuments(yaml), { marked }));
  const known = async () =>
    (await isKnown(recorded))
      ? recorded.apply((outline) => (isOutline(outline) ? outline : ofText()))
      : ofText();
  return pulumi.output(known());
}

/** Inputs that `check` adds, so that a preview knows them. The state has them too. */
interface Computed {
  readonly machineConfiguration: string;
  readonly machineConfigurationHash: string;
  readonly redactedConfiguration: ConfigurationOutline | string;
  readonly installerImage: string;
}

interface Inputs extends Given, Computed, Partial<CountedPatches> {
  /** Only their digests are kept. */
  readonly machinePatches?: Readonly<Record<string, readonly Patch[]>> | undefined;
  /** They are only compared. */
  readonly otherPatches?: Readonly<Record<string, readonly Patch[]>> | undefined;
}

interface State extends Computed, Pick<Partial<CountedPatches>, "machineRevisions"> {
  /** Absent until the first change, and in older releases' states. */
  readonly revision?: ConfigurationRevision;
}

type RenderedInputs = Given & Pick<Computed, "installerImage">;

/** The computed inputs while the configuration is unknown. */
const notYet = {
  machineConfiguration: UNKNOWN,
  machineConfigurationHash: UNKNOWN,
  redactedConfiguration: UNKNOWN,
  installerImage: UNKNOWN,
};

/** Checks, creates, reads, updates and deletes `MachineConfiguration`. */
export const machineConfigurationHandler: Handler<Inputs, State> = {
  transient: [
    ...(["secretsBundle", "machineConfiguration", "machineConfigurationHash"] as const),
    ...(["machinePatches", "otherPatches", "plannedSettings", "nodeCount"] as const),
    ...(["controlPlaneCount", "markedValues"] as const),
  ],
  derived: ["redactedConfiguration"],
  isMarkable,
  computed: ["redactedConfiguration", "installerImage", "machinePatchHashes", "machineRevisions"],

  check(olds, news) {
    if (!Object.hasOwn(news, "secretsBundle")) {
      const reason = `it is missing; if "ignoreChanges" names it, remove it there, because the state doesn't contain it`;
      const failures = [{ property: "secretsBundle", reason }];
      return Promise.resolve({ inputs: news, failures });
    }
    const { plannedSettings, nodeCount, controlPlaneCount, markedValues = [] } = news;
    const judgedBy = { plannedSettings, nodeCount, controlPlaneCount };
    const given = { ...withoutComputed(news), ...judgedBy, markedValues };
    const { machinePatches = {}, otherPatches } = news;
    const counted = { ...countedPatches(olds, news), otherPatches };
    const { secretsBundle, acceptedAuthorities, ...others } = given;
    const { plannedSettings: _, markedValues: __, ...plain } = others;
    const failures = hideMarked(checkKnown(given), markedValues);
    // Refused inputs are returned as they were given. With unknown values among them, an engine
    // that updates shows an error about those, not the failures (pulumi v3.230.0, `Check` in
    // provider_plugin.go).
    if (failures.length > 0) {
      return Promise.resolve({ inputs: news, failures });
    }
    if (isUnknown(plain)) {
      return Promise.resolve({ inputs: { ...given, ...counted, ...notYet }, failures });
    }
    const image = installerImage(given);
    if (isUnknown([secretsBundle, acceptedAuthorities])) {
      const result = renderUnknown((placeholder) =>
        render(
          {
            ...given,
            secretsBundle: isUnknown(secretsBundle)
              ? placeholderBundle(placeholder)
              : secretsBundle,
            acceptedAuthorities: placeholderFor(acceptedAuthorities, placeholder),
          },
          image,
          { machinePatches, otherPatches },
        ),
      );
      const refused =
        "failures" in result
          ? result.failures
          : outlineProblems(olds?.redactedConfiguration, given, result.outline);
      if ("failures" in result || refused.length > 0) {
        return Promise.resolve({ inputs: news, failures: refused });
      }
      const known = { redactedConfiguration: result.outline, installerImage: image };
      const inputs = { ...given, ...counted, ...notYet, ...known };
      return Promise.resolve({ inputs, failures: [], warnings: warningsOf(result, given) });
    }
    const result = render(given, image, { machinePatches, otherPatches });
    if ("failures" in result) {
      return Promise.resolve({ inputs: news, failures: result.failures });
    }
    const refused = outlineProblems(olds?.redactedConfiguration, given, result.rendered.outline);
    if (refused.length > 0) {
      return Promise.resolve({ inputs: news, failures: refused });
    }
    const { text, hash, outline } = result.rendered;
    const computed = {
      machineConfiguration: text,
      machineConfigurationHash: hash,
      redactedConfiguration: outline,
      installerImage: image,
    };
    const inputs = { ...given, ...counted, ...computed };
    const warnings = warningsOf(result.rendered, given);
    return Promise.resolve({ inputs, failures: [], warnings });
  },

  diff(_id, state, news) {
    const isRefresh = !Object.hasOwn(news, "machineConfigurationHash");
    return {
      changes:
        (!isRefresh && state.machineConfigurationHash !== news.machineConfigurationHash) ||
        (!isUnknown(news.machineRevisions) &&
          !isDeepStrictEqual(news.machineRevisions ?? {}, state.machineRevisions ?? {})) ||
        state.installerImage !== news.installerImage,
    };
  },

  create(inputs) {
    const id = `${inputs.clusterName}-${inputs.machineType}`;
    return Promise.resolve({ id, state: computedOf(inputs) });
  },

  update(_id, state, news) {
    const { machineConfiguration: former } = state;
    const revision = nextRevision(state.revision, former, news.machineConfiguration);
    return Promise.resolve({ ...computedOf(news), ...(revision && { revision }) });
  },
};

/** What machines accept and don't do, or only on a condition. */
function warningsOf(
  { outline, unread }: Pick<RenderedConfiguration, "outline" | "unread">,
  { controlPlaneCount, talosVersion }: Given,
): readonly string[] {
  const idle = idleInstallSettings(outline).map(({ reason }) => reason);
  const { talosMinor } = talosSchema(talosVersion);
  const documents = documentsOfOutline(outline);
  const ofFirewall = firewallWarnings(
    documents,
    talosMinor,
    isUnknown(controlPlaneCount) ? undefined : controlPlaneCount,
  );
  return [
    ...idle,
    ...fileWarnings(outline),
    ...documentWarnings(documents),
    ...ofFirewall,
    ...unread,
  ];
}

function render(
  given: Given,
  image: string,
  { machinePatches = {}, otherPatches }: Pick<Inputs, "machinePatches" | "otherPatches">,
): RenderResult {
  const { patches = [], platform, talosVersion, markedValues: marked = [] } = given;
  const documents = generated(given, image);
  const options = { schema: talosSchema(talosVersion), mode: modeOfPlatform(platform), marked };
  const result = renderConfiguration(documents, patches, options);
  if ("failures" in result) {
    return result;
  }
  const role = { documents, patches, outline: result.rendered.outline, options };
  const failures = machineProblems(role, machinePatches, { ...given, otherPatches });
  return failures.length === 0 ? result : { failures: hideMarked(failures, marked) };
}

/** The text for inputs that were accepted. */
function textOf({ installerImage: image, ...given }: RenderedInputs): string {
  return renderText(generated(given, image), given.patches ?? [], talosSchema(given.talosVersion));
}

/** The configuration without patches: the same object for machines that differ only by patches. */
function generated(
  { patches, plannedSettings, nodeCount, controlPlaneCount, markedValues, ...options }: Given,
  image: string,
): readonly ConfigDocument[] {
  const input = { ...options, installerImage: image };
  return generatedByOptions.get(JSON.stringify(input), () => freeze(generateMachineConfig(input)));
}

/** One entry per role of each cluster in a run. */
const generatedByOptions = new LruCache<readonly ConfigDocument[]>(16);

/** All problems of the values that are known. */
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

function withoutComputed(inputs: Inputs): Given {
  const {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
    machinePatches,
    otherPatches,
    machinePatchHashes,
    machineRevisions,
    ...given
  } = inputs;
  const { secretsBundle } = given;
  return isUnknown(secretsBundle) ? given : { ...given, secretsBundle: bundleOf(secretsBundle) };
}

function computedOf(inputs: Inputs): Omit<State, "revision"> {
  const { machineConfiguration, machineConfigurationHash, machineRevisions } = inputs;
  const { redactedConfiguration, installerImage: image } = inputs;
  return {
    machineConfiguration,
    machineConfigurationHash,
    redactedConfiguration,
    installerImage: image,
    ...(machineRevisions && { machineRevisions }),
  };
}

/**
 * Counts the patches of single machines, from what the last run recorded. A preview knows the result,
 * unless it doesn't know a patch. A program that names no machine records none.
 */
function countedPatches(
  olds: Partial<Inputs> | undefined,
  { machinePatches, secretsBundle }: Inputs,
): Pick<Inputs, "machinePatches" | keyof CountedPatches> {
  if (machinePatches === undefined && olds?.machinePatchHashes === undefined) {
    return { machinePatches };
  }
  if (isUnknown([machinePatches, secretsBundle])) {
    const unknown = { machinePatchHashes: UNKNOWN as never, machineRevisions: UNKNOWN as never };
    return { machinePatches, ...unknown };
  }
  const { secret } = bundleOf(secretsBundle).cluster;
  return { machinePatches, ...countPatches(olds, machinePatches ?? {}, secret) };
}
