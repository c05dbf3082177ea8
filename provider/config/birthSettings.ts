import {
  type BirthSetting,
  ENDPOINT,
  OF_CLUSTER,
  OF_FLAGS,
  OF_POD_NETWORK,
  POD_NETWORK,
} from "./birthTable";
import { FIRST_MINOR_WITHOUT_REBOOT } from "./bootFiles";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";
import { NOT_MADE_YET } from "./outline";
import { pathOf } from "./settings/keyPaths";
import { locate } from "./settings/locate";
import { settingIn, valueIn } from "./settings/settingIn";
import { encryptionOf, OWN_VOLUMES, placementOf, PROMOTABLE } from "./volumeEncryption";

/** Values of settings by their key: the path of the setting where Talos v1.12 has it. */
export type BirthValues = Readonly<Record<string, string>>;

/** The key of a machine's type. */
const TYPE = "machine.type";

/** Stands for a setting without a value. */
const NO_VALUE = "none";

/** The place of a machine's way to a new volume. */
const REPLACE =
  'replace one machine after another (in a TalosCluster machines["1"].replacement), and give the patch to each machine with its replacement';
const TURNED = `Talos encrypts a volume only when it makes it. A volume that exists can't be opened with the change`;
const OWN_TURNED = `${TURNED}, so the machine stays in its next boot, for example of an upgrade of Talos. Talos up to v1.13 boots at once if the change is in machine.systemDiskEncryption. Instead, ${REPLACE}`;
const USER_TURNED = `${TURNED}, so it is missing from the machine's next boot on, and Talos may format a raw volume. Add a volume with another name, move the data, then remove this one`;
const USER_FILESYSTEM =
  "Talos formats a volume only when it makes it, and doesn't mount one with another file system, so it is missing from the machine's next boot on. Add a volume with another name, move the data, then remove this one";
const OWN_PLACE =
  "Talos moves no volume of a machine that exists to or from a partition of its own, and refuses the configuration. Leave it as it was, or replace one machine after another";

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
    const isAccepted = setting.keepsIssuer?.(old?.value ?? "") === true;
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
 * secrets by the same digest. Releases have marked secrets in different ways.
 */
function areComparable(one: string, other: string): boolean {
  const kindOf = (value: string) =>
    value.startsWith("«") ? value.replace(/[0-9a-f]{8}»$/, "") : "";
  const isMade = ![one, other].some((value) => value.includes(NOT_MADE_YET));
  return isMade && kindOf(one) === kindOf(other);
}

/** A setting as an outline has it. */
interface FoundSetting {
  readonly key: string;
  readonly path: string;
  readonly value: string;
  readonly isTold?: boolean;
  readonly reason: string;
  /** Whether tokens of a former issuer are still accepted. */
  readonly keepsIssuer?: (former: string) => boolean;
  /** Whether it isn't set, and has the value of another setting. */
  readonly isFollowing?: boolean;
  readonly isLasting?: false;
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
  { paths, default: usual = NO_VALUE, reason, ...setting }: BirthSetting,
): FoundSetting {
  const [key] = paths;
  const known = paths.map((each) => settingIn(outline, each));
  const { place, value: whole } =
    known.findLast(({ value }) => value !== undefined) ?? settingIn(outline, key);
  const { member } = setting;
  const found = member !== undefined && isMapping(whole) ? whole[member] : whole;
  const path = place.join(".");
  const isIssuer = setting.follows === ENDPOINT;
  // The first of several issuers makes the tokens.
  const value = asText(isIssuer && Array.isArray(found) ? found[0] : found) ?? usual;
  const keepsIssuer = (former: string) => issuersOf(outline).includes(former);
  return {
    key,
    path,
    value,
    reason,
    ...((isIssuer || key === ENDPOINT) && { keepsIssuer }),
    ...(setting.isLasting === false && { isLasting: false }),
    ...(setting.isTold === true && { isTold: true }),
  };
}

function ofVolumes(
  outline: ConfigDocument,
  talosMinor: number | undefined,
): readonly FoundSetting[] {
  const canPlace = (talosMinor ?? 0) >= FIRST_MINOR_WITHOUT_REBOOT;
  const known = canPlace ? [...OWN_VOLUMES, ...PROMOTABLE] : OWN_VOLUMES;
  const own = known.flatMap((name): FoundSetting[] => {
    const id = `VolumeConfig/${name}`;
    const { path, provider = NO_VALUE } = encryptionOf(outline, id);
    const encryption = { key: `${id}.encryption.provider`, path, value: provider };
    const place = { key: `${id}.provisioning`, path: `${id}.provisioning` };
    return [
      { ...encryption, reason: OWN_TURNED },
      ...(PROMOTABLE.includes(name)
        ? [{ ...place, value: placementOf(outline, name), reason: OWN_PLACE }]
        : []),
    ];
  });
  const others = Object.entries(outline).flatMap(([id, document]): FoundSetting[] => {
    const kind = /^(User|Raw|Swap)VolumeConfig\//.exec(id)?.[1];
    if (kind === undefined || !isMapping(document)) {
      return [];
    }
    const { path, provider = NO_VALUE } = encryptionOf(outline, id);
    const filesystem = isMapping(document.filesystem) ? document.filesystem : {};
    const type = textAt(filesystem, "type") ?? "xfs";
    const typePath = `${id}.filesystem.type`;
    return [
      { key: path, path, value: provider, reason: USER_TURNED },
      ...(kind === "User" && textAt(document, "volumeType") !== "directory"
        ? [{ key: typePath, path: typePath, value: type, reason: USER_FILESYSTEM }]
        : []),
    ];
  });
  return [...own, ...others];
}

/**
 * The issuers whose tokens the API servers accept: flags win over a document, and that over the endpoint.
 * Talos takes one value per name up to v1.12, and the API server reads `_` as `-`.
 */
function issuersOf(outline: ConfigDocument): readonly string[] {
  const flagged = (flag: string) => valueIn(outline, "cluster.apiServer.extraArgs", flag) ?? [];
  const accepted = valueIn(outline, "KubeServiceAccountConfig.accepted.issuers") ?? [];
  const issuer = valueIn(outline, "KubeServiceAccountConfig.issuer.issuerURL") ?? [];
  const named = [flagged("service-account-issuer"), issuer].flat();
  const usual = named.length === 0 ? [valueIn(outline, ENDPOINT) ?? []] : [];
  return [named, flagged("service_account_issuer"), accepted, usual]
    .flat(2)
    .filter((each) => typeof each === "string");
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
