import { awsSchematicId } from "./installer/installerImage";
import { schematic } from "./installer/schematic";
import type { ConfigDocument } from "./machineConfig";
import { talosMinor } from "./releases/talosMinor";
import { installerIn } from "./settings/installer";

/** The system of a machine: a Talos release, and the Image Factory's customization of it. */
export interface TalosSystem {
  /** For example `v1.12.1`. */
  readonly version: string;
  /**
   * The Image Factory's schematic, as the first 16 hex digits of its id, because states store it
   * with each machine. Undefined for a system of another origin.
   */
  readonly schematic?: string;
}

/** The number of digits that identify a schematic. */
const SCHEMATIC_DIGITS = 16;

/** A system from its release and the whole id of its schematic, if it has one. */
export function talosSystem(version: string, schematicId: string | undefined): TalosSystem {
  return schematicId === undefined
    ? { version }
    : { version, schematic: schematicId.slice(0, SCHEMATIC_DIGITS) };
}

/**
 * Schematics that match a machine without one: the one without any customization, and that of
 * Talos' own AMIs. In some regions those are older than the factory.
 */
const PLAIN_SCHEMATICS: readonly string[] = [
  schematic({ ecrCredentialProvider: false }).id,
  awsSchematicId,
].map((id) => id.slice(0, SCHEMATIC_DIGITS));

/** The system of an installer image; undefined if its reference contains no version. */
export function systemOfInstaller(image: string): TalosSystem | undefined {
  const [reference = ""] = image.split("@");
  const match = /^(.*):(v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(reference);
  const [, repository = "", version] = match ?? [];
  const id = /\/([0-9a-f]{64})$/.exec(repository)?.[1];
  return version === undefined ? undefined : talosSystem(version, id);
}

/**
 * The installer of another release from the same place and schematic; undefined if its reference
 * contains no version.
 */
export function installerWithVersion(image: string, version: string): string | undefined {
  const [reference = ""] = image.split("@");
  return systemOfInstaller(reference) && reference.replace(/:[^:/]+$/, `:${version}`);
}

/**
 * The system of the installer in a machine's configuration, if its reference contains a version.
 */
export function installedSystem(documents: readonly ConfigDocument[]): TalosSystem | undefined {
  const image = installerIn(documents);
  return image === undefined ? undefined : systemOfInstaller(image);
}

/** The minor of the Talos that an outline installs: 12 is v1.12; undefined if it doesn't say. */
export function installedMinor(outline: ConfigDocument): number | undefined {
  const system = installedSystem([outline]);
  return system === undefined ? undefined : talosMinor(system.version);
}

/**
 * Whether a machine already runs a system. An installer from elsewhere than the Image Factory has
 * no known schematic, so only the versions are compared then.
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
 * The problem of upgrading one system to another, with the supported steps; undefined if the path
 * is supported. Talos is upgraded minor by minor, and downgraded by at most one.
 *
 * Source: Talos' documentation, "Upgrading Talos Linux", "Supported Upgrade Paths". Installers
 * allow two minors upwards and one back (v1.12.1, `pkg/machinery/compatibility`); each minor is
 * tested from the one before.
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

/**
 * A system for messages, for example `v1.12.1`, with the schematic if only that differs from the
 * other system.
 */
export function describeSystem(system: TalosSystem, other: TalosSystem): string {
  return system.version !== other.version || system.schematic === other.schematic
    ? system.version
    : `${system.version} of schematic ${system.schematic ?? "none"}`;
}
