import { isUnknown } from "../base/unknown";
import { type InstallerOptions, patchedInstallerProblem } from "../config/installer/installerImage";
import { type ConfigDocument, isMapping } from "../config/machineConfig";
import type { Patch } from "../config/patches/patch";
import { changedPlannedSettings, type PlannedSettings } from "../config/plannedSettings";
import { installerOf } from "../config/settings/installer";
import { textIn } from "../config/settings/settingIn";
import type { CheckFailure } from "../engine/handler";
import {
  renderConfiguration,
  type RenderOptions,
  renderOutline,
} from "../render/renderConfiguration";
import { hostnameProblems, otherHostnameProblems } from "./hostnameProblems";
import { etcdProblems } from "./outlineProblems";

/** The configuration of a role. */
interface RoleConfiguration {
  /** Without patches. */
  readonly documents: readonly ConfigDocument[];
  readonly patches: readonly Patch[];
  /** With them. */
  readonly outline: ConfigDocument;
  /** How it is rendered. */
  readonly options: RenderOptions;
}

/** What a program declares of the machines, and plans by. */
interface Declared extends Pick<InstallerOptions, "platform" | "talosVersion"> {
  readonly plannedSettings?: PlannedSettings | undefined;
  readonly controlPlaneCount?: number | undefined;
  /** Of machines with another configuration. Unknown ones are not judged. */
  readonly otherPatches?: Readonly<Record<string, readonly Patch[]>> | undefined;
}

/**
 * What a role's configuration and those of its machines have otherwise than the program plans by.
 * Whatever else is wrong with the patches of a machine, its own resource says.
 *
 * @param machinePatches by machine. Unknown ones are not judged
 */
export function machineProblems(
  role: RoleConfiguration,
  machinePatches: Readonly<Record<string, readonly Patch[]>>,
  declared: Declared,
): CheckFailure[] {
  const planned = withFileMarks(known(declared.plannedSettings ?? {}), role);
  const ofMachine = Object.fromEntries(
    Object.entries(planned).filter(([, { differsByMachine = false }]) => !differsByMachine),
  );
  const machines = outlinesOf(role, machinePatches);
  const named = machines.map(([name, outline]) => [`the machine "${name}"`, outline] as const);
  const ofRole = etcdProblems(role.outline, declared.controlPlaneCount);
  return [
    ...plannedProblems(role, planned).map((reason) => ({ property: "patches", reason })),
    ...machines.flatMap(([name, outline], index) =>
      [
        ...changedPlannedSettings(role.outline, outline, ofMachine),
        ...installerProblems(role.outline, outline, declared),
        ...(ofRole.length === 0 ? etcdProblems(outline, declared.controlPlaneCount) : []),
        ...hostnameProblems(outline, named.slice(0, index)),
      ].map((reason) => ({ property: `machinePatches["${name}"]`, reason })),
    ),
    ...otherHostnameProblems(
      role.documents,
      [["the machines of this configuration", role.outline], ...named],
      known(declared.otherPatches ?? {}),
      role.options,
    ),
  ];
}

/** Planned contents of files as the outlines of these machines have them: as fingerprints. */
function withFileMarks(
  planned: PlannedSettings,
  { documents: [config = {}, ...others], options }: RoleConfiguration,
): PlannedSettings {
  const markOf = (content: string): string | undefined => {
    const file = { path: "/var/a", content, permissions: 0, op: "create" };
    const machine = isMapping(config.machine) ? config.machine : {};
    const given = [{ ...config, machine: { ...machine, files: [file] } }, ...others];
    return textIn(renderOutline(given, options), "machine.files./var/a.content");
  };
  return Object.fromEntries(
    Object.entries(planned).map(([path, setting]) => [
      path,
      path.startsWith("machine.files.") && typeof setting.value === "string"
        ? { ...setting, value: markOf(setting.value) }
        : setting,
    ]),
  );
}

/** The members that are known already. */
function known<Member>(all: Readonly<Record<string, Member>>): Readonly<Record<string, Member>> {
  // An unknown mapping comes as a text.
  const entries = typeof all === "string" ? [] : Object.entries(all);
  return Object.fromEntries(entries.filter(([, member]) => !isUnknown(member)));
}

function plannedProblems(
  { documents, patches, outline, options }: RoleConfiguration,
  planned: PlannedSettings,
): readonly string[] {
  const isAsGenerated = patches.length === 0;
  const judged = isAsGenerated
    ? Object.entries(planned).filter(([, { value }]) => value !== undefined)
    : Object.entries(planned);
  return judged.length === 0
    ? []
    : changedPlannedSettings(
        isAsGenerated ? outline : renderOutline(documents, options),
        outline,
        Object.fromEntries(judged),
      );
}

/** The outlines of machines that have patches of their own, which can be applied. */
function outlinesOf(
  { documents, patches, options }: RoleConfiguration,
  machinePatches: Readonly<Record<string, readonly Patch[]>>,
): readonly (readonly [string, ConfigDocument])[] {
  return Object.entries(known(machinePatches)).flatMap(([name, more]) => {
    const result =
      more.length === 0
        ? undefined
        : renderConfiguration(documents, [...patches, ...more], options);
    return result === undefined || "failures" in result
      ? []
      : [[name, result.rendered.outline] as const];
  });
}

/** The installer of the role has been judged before. */
function installerProblems(
  role: ConfigDocument,
  machine: ConfigDocument,
  declared: Declared,
): readonly string[] {
  const isSame = installerOf(role) === installerOf(machine);
  const problem = isSame ? undefined : patchedInstallerProblem(machine, declared);
  return problem === undefined ? [] : [problem];
}
