import { isDeepStrictEqual } from "node:util";
import { isUnknown } from "../base/unknown";
import { checkMachineConfigInput } from "../config/checkInput";
import { inputProblems } from "../config/configError";
import { documentsOfOutline } from "../config/effects/outline";
import { fileWarnings } from "../config/fileWarnings";
import { freeze } from "../config/frozenMemo";
import { generateMachineConfig } from "../config/generateMachineConfig";
import { idleInstallSettings } from "../config/installer/idleInstallSettings";
import {
  checkInstallerOptions,
  type InstallerOptions,
  missingPlatform,
  modeOfPlatform,
} from "../config/installer/installerImage";
import { LruCache } from "../config/lruCache";
import type { ConfigDocument } from "../config/machineConfig";
import type { MachineConfigInput } from "../config/machineConfigInput";
import type { Patch } from "../config/patches/patch";
import type { PlannedSettings } from "../config/plannedSettings";
import {
  type ContractChoice,
  describeContractChange,
  withAndWithout,
} from "../config/releases/contractChange";
import type { ContractDefault } from "../config/releases/contractFeatures";
import { releaseWarnings } from "../config/releases/kubernetesSkew";
import { contractHas } from "../config/releases/versionContract";
import { documentWarnings } from "../config/rules/documentWarnings";
import { firewallWarnings } from "../config/rules/firewallRules";
import { talosSchema } from "../config/schema/talosSchemas";
import type { MarkedValues } from "../config/secrets/markedValues";
import type { CheckFailure } from "../engine/handler";
import {
  type ConfigurationOutline,
  hideMarked,
  renderConfiguration,
  type RenderedConfiguration,
  type RenderResult,
  renderText,
} from "../render/renderConfiguration";
import { machineProblems } from "./machineProblems";

/** The program's arguments, as plain values. */
export interface Given
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

/** Inputs that `check` adds, so that a preview knows them. The state has them too. */
export interface Computed {
  readonly machineConfiguration: string;
  readonly machineConfigurationHash: string;
  readonly redactedConfiguration: ConfigurationOutline | string;
  readonly installerImage: string;
}

/** Inputs of which the text can be made. */
export type RenderedInputs = Given & Pick<Computed, "installerImage">;

/** Patches of machines beside those of the role; see `MachineConfigurationArgs`. */
export interface OtherPatches {
  /** Only their digests are kept. */
  readonly machinePatches?: Readonly<Record<string, readonly Patch[]>> | undefined;
  /** They are only compared. */
  readonly otherPatches?: Readonly<Record<string, readonly Patch[]>> | undefined;
}

/** What machines accept and don't do, or only on a condition. */
export function warningsOf(
  { outline, unread }: Pick<RenderedConfiguration, "outline" | "unread">,
  { controlPlaneCount, kubernetesVersion, talosVersion }: Given,
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
    ...releaseWarnings(outline, kubernetesVersion),
    ...fileWarnings(outline),
    ...documentWarnings(documents),
    ...ofFirewall,
    ...unread,
  ];
}

/**
 * The configuration of a role with its patches, and all that is wrong with it or with a machine's own
 * patches on it.
 */
export function render(
  given: Given,
  image: string,
  { machinePatches = {}, otherPatches }: OtherPatches,
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

/**
 * What another contract, or other defaults of contracts, change of a role's configuration. It is part of
 * what a preview says.
 *
 * @param olds the recorded inputs; undefined for a new configuration
 */
export function contractWarnings(
  olds: Partial<Given> | undefined,
  given: Given,
  image: string,
): readonly string[] {
  const { versionContract: former, contractDefaults, newDefaults } = olds ?? {};
  const inDocuments = [former, given.versionContract].some((name) =>
    contractHas(name, "kubernetesDocuments"),
  );
  // Between older contracts, settings move by single fields, and a preview shows each.
  if (former === undefined || !inDocuments) {
    return [];
  }
  const before: ContractChoice = { versionContract: former, contractDefaults, newDefaults };
  const counts = (name: ContractDefault) => {
    const [one, other] = withAndWithout(name, before, given).map((choice) =>
      generated({ ...given, ...choice }, image),
    );
    return !isDeepStrictEqual(one, other);
  };
  return describeContractChange(before, given, given.machineType === "controlplane", counts);
}

/** The text for inputs that were accepted. */
export function textOf({ installerImage: image, ...given }: RenderedInputs): string {
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
export function checkKnown(given: Given): CheckFailure[] {
  const known: Partial<Given> = Object.fromEntries(
    Object.entries(given).filter(([, value]) => !isUnknown(value)),
  );
  return [
    ...inputProblems(["platform"], missingPlatform(given.platform)),
    ...checkMachineConfigInput(known),
    ...checkInstallerOptions(known),
  ];
}
