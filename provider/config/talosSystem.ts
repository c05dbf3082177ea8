import { awsSchematicId } from "./installerImage";
import { type ConfigDocument, isMapping, textAt } from "./machineConfig";
import { schematic } from "./schematic";
import { talosMinor } from "./talosMinor";

/** What a machine boots: a Talos release, and what the Image Factory built into it. */
export interface TalosSystem {
  /** Such as `v1.12.1`. */
  readonly version: string;
  /**
   * The Image Factory's schematic, the first 16 hex digits of its id: states keep it with each machine.
   * Undefined for a system that the factory didn't build.
   */
  readonly schematic?: string;
}

/** How many digits of a schematic's id tell it from others. */
const SCHEMATIC_DIGITS = 16;

/** A system by its release and the whole id of its schematic, if it has one. */
export function talosSystem(version: string, schematicId: string | undefined): TalosSystem {
  return schematicId === undefined
    ? { version }
    : { version, schematic: schematicId.slice(0, SCHEMATIC_DIGITS) };
}

/**
 * Schematics that a machine without one satisfies: the one without any customization, and that of Talos'
 * own AMIs, which some regions have from before the factory built them.
 */
const PLAIN_SCHEMATICS: readonly string[] = [
  schematic({ ecrCredentialProvider: false }).id,
  awsSchematicId,
].map((id) => id.slice(0, SCHEMATIC_DIGITS));

/** The system that an installer image installs; undefined where its reference doesn't tell the version. */
export function systemOfInstaller(image: string): TalosSystem | undefined {
  const [reference = ""] = image.split("@");
  const match = /^(.*):(v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(reference);
  const [, repository = "", version] = match ?? [];
  const id = /\/([0-9a-f]{64})$/.exec(repository)?.[1];
  return version === undefined ? undefined : talosSystem(version, id);
}

/** The installer that a machine's configuration names, or its outline; undefined where that is none. */
export function installerOf({ machine }: ConfigDocument): string | undefined {
  return isMapping(machine) ? textAt(machine.install, "image") : undefined;
}

/** The system that the installer in a machine's configuration installs, where its reference tells that. */
export function installedSystem(documents: readonly ConfigDocument[]): TalosSystem | undefined {
  const [image] = documents.flatMap((document) => installerOf(document) ?? []);
  return image === undefined ? undefined : systemOfInstaller(image);
}

/**
 * Whether a machine that runs one system has nothing to install for another. An installer from elsewhere
 * than the Image Factory tells its version alone, so only that is compared then.
 */
export function isSameSystem(running: TalosSystem, declared: TalosSystem): boolean {
  return running.version === declared.version && hasSchematic(running, declared.schematic);
}

function hasSchematic(running: TalosSystem, declared: string | undefined): boolean {
  return (
    declared === undefined ||
    running.schematic === declared ||
    (running.schematic === undefined && PLAIN_SCHEMATICS.includes(declared))
  );
}

/**
 * What is wrong with installing one system over another, with the steps that lead there; undefined when
 * nothing is. Talos is upgraded minor by minor, and goes back one minor at most.
 *
 * Source: Talos' documentation, "Upgrading Talos Linux", "Supported Upgrade Paths". Installers allow two
 * minors upwards and one back (v1.12.1, `pkg/machinery/compatibility`); each minor is tested from the one before.
 */
export function upgradePathProblem(running: string, declared: string): string | undefined {
  const [from, to] = [talosMinor(running), talosMinor(declared)];
  if (from === undefined || to === undefined || (to - from <= 1 && from - to <= 1)) {
    return undefined;
  }
  if (to < from) {
    return `the machine runs Talos ${running}, which can't go back to ${declared}: one minor at most, to v1.${from - 1}`;
  }
  const between = Array.from({ length: to - from - 1 }, (_, index) => `v1.${from + 1 + index}`);
  return `the machine runs Talos ${running}, and ${declared} is ${to - from} minors above it: go one minor at a time, with an "up" for the newest release of ${between.join(", of ")}, then ${declared}`;
}

/** A system in words, such as `v1.12.1`, with the schematic where that tells it from the other one. */
export function describeSystem(system: TalosSystem, other: TalosSystem): string {
  return system.version !== other.version || system.schematic === other.schematic
    ? system.version
    : `${system.version} of schematic ${system.schematic ?? "none"}`;
}
