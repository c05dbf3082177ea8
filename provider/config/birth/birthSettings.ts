import { NOT_MADE_YET } from "../effects/outline";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import { pathOf } from "../settings/keyPaths";
import { locate } from "../settings/locate";
import { settingIn } from "../settings/settingIn";
import { type FoundSetting, ofVolumes } from "./birthOfVolumes";
import {
  type BirthSetting,
  NO_VALUE,
  OF_CLUSTER,
  OF_FLAGS,
  OF_POD_NETWORK,
  POD_NETWORK,
  TYPE,
} from "./birthTable";

/** Values of settings by their key: the path of the setting where Talos v1.12 has it. */
export type BirthValues = Readonly<Record<string, string>>;

/** The places of the settings of a cluster, as in an outline: in either form of a configuration. */
export const birthPaths: readonly string[] = OF_CLUSTER.flatMap(({ paths: [key] }) =>
  key === TYPE ? [] : [key, locate(pathOf(key), undefined)?.place.join(".") ?? []].flat(),
);

/** The settings of an outline that a cluster, machine or volume keeps from its birth. */
export function birthValues(outline: ConfigDocument, talosMinor: number | undefined): BirthValues {
  return Object.fromEntries(
    settingsOf(outline, talosMinor).flatMap(({ key, value, isLasting }) =>
      isLasting === false ? [] : [[key, value] as const],
    ),
  );
}

/** The values as a state records them: without those that a machine of that type has where nothing is said. */
export function recordedBirth(values: BirthValues, talosMinor: number | undefined): BirthValues {
  const usual = { ...usualBirth(values[TYPE], talosMinor), ...followed(values) };
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => key === TYPE || usual[key] !== value),
  );
}

/** The values of a record, with those that it leaves out. */
export function wholeBirth(recorded: BirthValues, talosMinor: number | undefined): BirthValues {
  const whole = { ...usualBirth(recorded[TYPE], talosMinor), ...recorded };
  return { ...whole, ...(recorded[TYPE] === "controlplane" && followed(whole)), ...recorded };
}

/** The values of a control plane's flags where they aren't set: those of the settings that they follow. */
function followed(values: BirthValues): BirthValues {
  return Object.fromEntries(
    OF_FLAGS.flatMap(({ paths: [key], follows = "", isLasting }) => {
      const value = values[follows];
      return value === undefined || isLasting === false ? [] : [[key, value] as const];
    }),
  );
}

function usualBirth(type: string | undefined, talosMinor: number | undefined): BirthValues {
  const { [POD_NETWORK]: _written, ...usual } = birthValues(
    { machine: type === undefined ? {} : { type } },
    talosMinor,
  );
  return usual;
}

/** A change of such a setting. */
export interface BirthChange {
  /** The setting's name, which is the same for a field and for a document. */
  readonly setting: string;
  /** Its place in the new configuration, or in the former one if it is removed. */
  readonly path: string;
  /** As text, a list with `, `. */
  readonly before: string;
  readonly after: string;
  /** Whether the preview tells of it elsewhere, if it is accepted. */
  readonly isTold: boolean;
  /** What happens, and what to do instead. */
  readonly reason: string;
}

/** What is said of such a change where it is accepted. */
export function describeBirthChange({ path, before, after, reason }: BirthChange): string {
  return `${path} changes from "${before}" to "${after}" on a machine that runs: ${reason}`;
}

/**
 * The changes of settings that a cluster, machine or volume keeps from its birth, in a fixed order. A
 * volume that comes or goes changes none, nor does a setting that moves to another document. What isn't
 * made yet can't be compared.
 *
 * @param before the outline of the running configuration
 * @param after the outline of the new configuration
 * @param talosMinor of the Talos that gets it: 12 is v1.12. Undefined counts as one before v1.14
 * @param born values with which the machine was born, where they aren't those of `before`. A return to
 *   them is no change
 */
export function birthChanges(
  before: ConfigDocument,
  after: ConfigDocument,
  talosMinor: number | undefined,
  born: BirthValues = {},
): readonly BirthChange[] {
  const former = new Map(settingsOf(before, talosMinor).map((each) => [each.key, each]));
  const first: BirthValues = { ...followed(born), ...born };
  return settingsOf(after, talosMinor).flatMap(({ key, path, value, reason, ...setting }) => {
    const { isTold = false } = setting;
    const old = former.get(key);
    const isSame = old?.value === value || first[key] === value;
    const isUnknown = old === undefined || !areComparable(old.value, value);
    const isAccepted = setting.keeps?.(old?.value ?? "") === true;
    const isToldOnce = setting.isFollowing === true && old?.isFollowing === true;
    const isGone = value === NO_VALUE || setting.isFollowing === true;
    return isUnknown || isSame || isAccepted || isToldOnce
      ? []
      : [
          {
            setting: key,
            path: isGone ? old.path : path,
            before: old.value,
            after: value,
            isTold,
            reason,
          },
        ];
  });
}

/**
 * The values with which a machine was born, where its next configuration has others.
 *
 * @param born the same before the change
 */
export function deviations(
  before: ConfigDocument,
  after: ConfigDocument,
  talosMinor: number | undefined,
  born: BirthValues = {},
): BirthValues {
  const [old, now] = [before, after].map((outline) => birthValues(outline, talosMinor));
  const whole: BirthValues = { ...old, ...followed(born), ...born };
  const others = Object.fromEntries(
    Object.entries(now ?? {}).flatMap(([key, value]) => {
      const first = whole[key];
      const isOther = first !== undefined && first !== value && areComparable(first, value);
      return isOther ? [[key, first] as const] : [];
    }),
  );
  const told = followed(others);
  return Object.fromEntries(Object.entries(others).filter(([key, value]) => told[key] !== value));
}

/**
 * Whether two values of outlines can be compared: neither is made later, and both are text, or marks of
 * secrets by the same digest, or the other one is none. Releases have marked secrets in different ways.
 */
function areComparable(one: string, other: string): boolean {
  const kindOf = (value: string) =>
    value.startsWith("«") ? value.replace(/[0-9a-f]{8}»$/, "") : "";
  const isMade = ![one, other].some((value) => value.includes(NOT_MADE_YET));
  return isMade && (kindOf(one) === kindOf(other) || other === NO_VALUE);
}

function settingsOf(
  outline: ConfigDocument,
  talosMinor: number | undefined,
): readonly FoundSetting[] {
  const role = isMapping(outline.machine) ? outline.machine.type : undefined;
  const isHere = ({ on }: BirthSetting) => on === undefined || on === role;
  const ofCluster = [...OF_CLUSTER, ...OF_POD_NETWORK]
    .filter(isHere)
    .map((setting) => settingOf(outline, setting));
  const ofFlags = OF_FLAGS.filter(isHere).map((setting): FoundSetting => {
    const followed = ofCluster.find(({ key }) => key === setting.follows);
    const own = settingOf(outline, setting);
    return own.value === NO_VALUE && followed !== undefined
      ? { ...own, path: followed.path, value: followed.value, isFollowing: true }
      : own;
  });
  return [...ofCluster, ...ofFlags, ...ofVolumes(outline, talosMinor)];
}

function settingOf(
  outline: ConfigDocument,
  { paths, default: usual = NO_VALUE, reason, keeps, ...setting }: BirthSetting,
): FoundSetting {
  const [key] = paths;
  const known = paths.map((each) => settingIn(outline, each));
  const { place, value: whole } =
    known.findLast(({ value }) => value !== undefined) ?? settingIn(outline, key);
  const { member } = setting;
  const found = member !== undefined && isMapping(whole) ? whole[member] : whole;
  const path = place.join(".");
  const isOne = setting.isFirst === true && Array.isArray(found);
  const value = asText(isOne ? found[0] : found) ?? usual;
  return {
    key,
    path,
    value,
    reason,
    ...(keeps !== undefined && { keeps: (former: string) => keeps(former, outline) }),
    ...(setting.isLasting === false && { isLasting: false }),
    ...(setting.isTold === true && { isTold: true }),
  };
}

function asText(value: YamlValue | undefined): string | undefined {
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((each) => asText(each) ?? "").join(", ");
  }
  return value === undefined || value === null || value === ""
    ? undefined
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
