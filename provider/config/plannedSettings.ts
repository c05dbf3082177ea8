import { isDeepStrictEqual } from "node:util";
import { documentsOfOutline } from "./effects/outline";
import { type ConfigDocument, isMapping, type YamlValue } from "./machineConfig";
import { type FirewallSource, keptOut } from "./rules/firewallRules";
import { isCidr } from "./schema/formats";
import { isWithin } from "./schema/ipNetwork";
import { fieldsOf } from "./settings/fieldsOf";
import { placeOf } from "./settings/settingIn";
import { installedMinor } from "./talosSystem";

/** A setting by which a program plans other resources: a firewall, a load balancer, a wait. */
export interface PlannedSetting {
  /**
   * What the program plans by. Any other is refused, wherever it comes from: a patch, an option, a
   * transformation. Default: what the configuration has without patches.
   *
   * Of a file, it is the content. Outlines have fingerprints of contents, which the content is compared by.
   */
  readonly value?: string | number | boolean | readonly string[] | undefined;
  /** What Talos takes where the configuration leaves it out. Default: nothing. */
  readonly default?: string | number | boolean;
  /** Other names of the same setting. A document that replaces it needn't be named. Default: none. */
  readonly also?: readonly string[];
  /**
   * What patches may still do:
   * - `more`: add members or items. Those that are planned by stay as they are.
   * - `wider`: name networks, if they contain the planned ones.
   * - `removal`: leave it out altogether.
   *
   * Default: nothing.
   */
  readonly allows?: "more" | "wider" | "removal";
  /**
   * Who has to come in at which ports of the machine, instead of a value: networks that its own firewall
   * may not keep out. Default: nobody.
   */
  readonly admits?: readonly FirewallSource[] | undefined;
  /** Whether the patches of a single machine may set it. Default: false. */
  readonly differsByMachine?: boolean;
  /** What to do instead of a patch, for the message: `set the argument cni`. */
  readonly wayOut: string;
}

/**
 * Planned settings by their paths in an outline: `cluster.network.cni.name`, `Layer2VIPConfig/*`. One in
 * the machine configuration proper stands for the document that replaces it too.
 * `*` is any key or index, and after a kind any name: `Layer2VIPConfig/*`.
 */
export type PlannedSettings = Readonly<Record<string, PlannedSetting>>;

/**
 * What a configuration has otherwise than the program plans by: one message for each. What is planned
 * would not fit the machines.
 *
 * @param before the outline of the configuration without patches
 * @param after the outline with them
 */
export function changedPlannedSettings(
  before: ConfigDocument,
  after: ConfigDocument,
  planned: PlannedSettings,
): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return Object.entries(planned).flatMap(([pattern, setting]) => {
    if (setting.admits !== undefined) {
      const found = keptOut(documentsOfOutline(after), installedMinor(after) ?? 0, setting.admits);
      return found.map((message) => `${message}, and ${setting.wayOut}`);
    }
    const others = (setting.also ?? []).map((path) => path.split("."));
    const found = placesOf(pattern, old, now);
    // What must have a value is missing where nothing matches.
    const isMissing = found.length === 0 && setting.value !== undefined;
    return (isMissing ? [pattern.split(".")] : found).flatMap((path) => {
      const paths = [path, ...others];
      const find = (outline: ConfigDocument) =>
        paths.map((each) => valueAt(outline, each)).find((value) => value !== undefined);
      const wanted = valueOf(setting) ?? find(old) ?? setting.default;
      const given = find(now) ?? setting.default;
      const named = paths.find((each) => valueAt(now, each) !== undefined) ?? path;
      const place = placeOf(after, named).join(".");
      return fits(wanted, given, setting)
        ? []
        : [`${place}: ${describe(wanted, given)}, and ${setting.wayOut}`];
    });
  });
}

function valueOf({ value }: PlannedSetting): YamlValue | undefined {
  return typeof value === "object" ? [...value] : value;
}

function describe(old: YamlValue | undefined, now: YamlValue | undefined): string {
  const does = now === undefined ? "it would be missing" : `it would be ${quote(now)}`;
  const planned = old === undefined ? "none" : quote(old);
  return `${does}, but everything around the machines is planned for ${planned}: leave it out of patches and transformations`;
}

/** A section is not quoted, because it is long. */
function quote(value: YamlValue): string {
  return isMapping(value) ? "another section" : JSON.stringify(value);
}

function fits(
  old: YamlValue | undefined,
  now: YamlValue | undefined,
  { allows }: PlannedSetting,
): boolean {
  if (isDeepStrictEqual(old, now)) {
    return true;
  }
  switch (allows) {
    case "more":
      return old === undefined || contains(now, old);
    case "wider":
      return now === undefined || coversAll(textsOf(now), textsOf(old));
    case "removal":
      return now === undefined;
    default:
      return false;
  }
}

/** Whether everything in a list or mapping is still there. */
function contains(now: YamlValue | undefined, old: YamlValue): boolean {
  if (Array.isArray(old)) {
    const items = Array.isArray(now) ? now : [];
    return old.every((item) => items.some((each) => isDeepStrictEqual(each, item)));
  }
  return (
    isMapping(old) &&
    Object.entries(old).every(
      ([key, value]) => isMapping(now) && isDeepStrictEqual(now[key], value),
    )
  );
}

/** Whether networks, as Talos chooses addresses by, contain others. One with `!` is excluded. */
function coversAll(chosen: readonly string[], needed: readonly string[]): boolean {
  const included = chosen.filter((each) => !each.startsWith("!"));
  const excluded = chosen.filter((each) => each.startsWith("!")).map((each) => each.slice(1));
  return needed.every(
    (network) =>
      (included.length === 0 || included.some((each) => holds(each, network))) &&
      !excluded.some((each) => holds(each, network)),
  );
}

function holds(network: string, part: string): boolean {
  return isCidr(network) && isCidr(part) && isWithin(part, network);
}

function textsOf(value: YamlValue | undefined): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
}

/** The places of a pattern in either outline; without `*` it is the place. */
function placesOf(
  pattern: string,
  ...outlines: readonly ConfigDocument[]
): readonly (readonly string[])[] {
  const keys = pattern.split(".");
  if (!pattern.includes("*")) {
    return [keys];
  }
  const found = outlines.flatMap((outline) => expand(keys, outline, []));
  return [...new Map(found.map((path) => [JSON.stringify(path), path])).values()];
}

function expand(
  [key, ...rest]: readonly string[],
  value: YamlValue | undefined,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (key === undefined) {
    return [path];
  }
  return (value !== null && typeof value === "object" ? Object.entries(value) : [])
    .filter(([name]) => (key.endsWith("*") ? name.startsWith(key.slice(0, -1)) : name === key))
    .flatMap(([name, member]) => expand(rest, member, [...path, name]));
}

function valueAt(outline: ConfigDocument, path: readonly string[]): YamlValue | undefined {
  return path.reduce<YamlValue | undefined>((value, key) => {
    const found = Array.isArray(value) ? value[Number(key)] : isMapping(value) ? value[key] : null;
    return found ?? undefined;
  }, outline);
}
