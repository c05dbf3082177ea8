import type { ConfigDocument } from "../machineConfig";
import { valueAt } from "../secrets/quote";
import { FIRST_MINOR_WITHOUT_REBOOT } from "./bootFiles";
import { changedPaths } from "./changedPaths";
import { comparableOutlines } from "./comparableOutlines";
import { CONTROL_PLANE, type Effect, type EffectRow, type RestartedService } from "./effectRow";
import { effectTable } from "./effectTable";

/** A changed place of a configuration, and when a running machine follows it. */
export interface ChangeEffect {
  /** Key path, as in an outline. */
  readonly path: readonly string[];
  readonly effect: Effect;
  /** The row that says so. */
  readonly row: EffectRow;
}

const rows = effectTable
  .map((row) => ({ row, pattern: row.path.split(".") }))
  // The longest row that covers a place counts.
  .sort((one, other) => other.pattern.length - one.pattern.length);

/**
 * The row of a place; undefined for one that the table doesn't know, because it is newer.
 *
 * @param path as in an outline
 */
export function effectRow(path: readonly string[]): EffectRow | undefined {
  return rows.find(({ pattern }) =>
    pattern.every((key, index) => covers(key, path[index], index === 0)),
  )?.row;
}

/** Documents are under their kind, or under their kind and name: `UserVolumeConfig/data`. */
function covers(key: string, found: string | undefined, isRoot: boolean): boolean {
  return found !== undefined && (key === "*" || key === (isRoot ? found.split("/")[0] : found));
}

/**
 * When a running machine follows each change of its configuration. Places that the table doesn't
 * know are left out.
 *
 * @param former the outline of the running configuration (`outlineDocuments`)
 * @param next the outline of the new configuration
 * @param talosMinor of the Talos that gets it: 12 is v1.12. Undefined counts as one before v1.14
 */
export function changeEffects(
  former: ConfigDocument,
  next: ConfigDocument,
  talosMinor: number | undefined,
): readonly ChangeEffect[] {
  const [before, after] = comparableOutlines(former, next);
  return changedPaths(before, after).flatMap((path) => {
    const row = effectRow(path);
    return row === undefined
      ? []
      : [{ path, effect: effectIn(row, path, { before, after, talosMinor }), row }];
  });
}

/** A change of a machine's configuration. */
interface Change {
  readonly before: ConfigDocument;
  readonly after: ConfigDocument;
  readonly talosMinor: number | undefined;
}

function effectIn(
  row: EffectRow,
  path: readonly string[],
  { before, after, talosMinor }: Change,
): Effect {
  const { path: pattern, when, otherwise = "live", from14 = row.effect, whole } = row;
  const effect = (talosMinor ?? 0) >= FIRST_MINOR_WITHOUT_REBOOT ? from14 : row.effect;
  const isOtherDocument = /^[A-Z]/.test(pattern);
  const document = path.slice(0, 1);
  const isWhole =
    isOtherDocument && [before, after].some((outline) => valueAt(outline, document) === undefined);
  if (isWhole && whole !== undefined) {
    return whole;
  }
  if (when !== undefined && !when(before, after, talosMinor, path)) {
    return otherwise;
  }
  const place = path.slice(0, pattern.split(".").length);
  return valueAt(before, place) === undefined ? (row.added ?? effect) : effect;
}

/**
 * The changed places for which a machine must boot: Talos reboots for them, or only a boot lets them
 * take effect. Parameters as of `changeEffects`.
 */
export function rebootPaths(
  before: ConfigDocument,
  after: ConfigDocument,
  talosMinor: number | undefined,
): readonly (readonly string[])[] {
  const isOlder = (talosMinor ?? 0) < FIRST_MINOR_WITHOUT_REBOOT;
  const paths = changeEffects(before, after, talosMinor).flatMap(({ path, effect, row }) =>
    effect === "boot" || (row.rebootsUntil13 === true && isOlder)
      ? // A judged place counts as a whole.
        [row.when === undefined ? path : path.slice(0, row.path.split(".").length)]
      : [],
  );
  return [...new Map(paths.map((path) => [path.join("."), path])).values()];
}

/** What Talos restarts on a machine for a change, without a reboot. Parameters as of `changeEffects`. */
export function restartedServices(
  before: ConfigDocument,
  after: ConfigDocument,
  talosMinor: number | undefined,
): readonly RestartedService[] {
  const isControlPlane = valueAt(after, ["machine", "type"]) === "controlplane";
  const services = changeEffects(before, after, talosMinor).flatMap(({ effect, row }) =>
    effect === "restarts" ? (row.services ?? []) : [],
  );
  return [...new Set(services)].filter(
    (service) => isControlPlane || !CONTROL_PLANE.includes(service),
  );
}
