import { changesOfControlPlanes, defaultMeanings, meaningsOfDocuments } from "./contractDefaults";
import { changesOfDocuments, type ContractDefault, contractDefaultNames } from "./contractFeatures";
import {
  type ChosenDefaults,
  contractHas,
  versionContract,
  versionContracts,
} from "./versionContract";

/** A contract, and the defaults that aren't its own. */
export interface ContractChoice extends ChosenDefaults {
  /** `v1.14`. */
  readonly versionContract: string;
}

/** The contract whose defaults a cluster has, but for those of `newDefaults`. */
function defaultsOf({ versionContract: contract, contractDefaults }: ContractChoice) {
  return contractDefaults ?? contract;
}

/**
 * Why a cluster's contract can't change. How its settings are written may change, either way, as long as
 * they mean the same: it keeps the defaults of one contract. Others need a word.
 *
 * @param before as recorded
 * @param after as the program says; both valid
 * @param isAccepted whether the program accepts other defaults
 */
export function contractProblem(
  before: ContractChoice,
  after: ContractChoice,
  isAccepted: boolean,
): string | undefined {
  const [kept, given] = [defaultsOf(before), defaultsOf(after)];
  if (kept === given || isAccepted) {
    return undefined;
  }
  const { versionContract: contract } = after;
  if (!contractHas(contract, "kubernetesDocuments")) {
    const former = before.contractDefaults ?? before.versionContract;
    return `the version contract of this cluster is "${before.versionContract}"${before.contractDefaults === undefined ? " since its creation" : ` with the defaults of "${kept}"`} and can't be changed to "${contract}": set it back to "${former}" (to upgrade the machines, change talosVersion instead), or set allowContractChange if Talos' upgrade notes say that this change is safe`;
  }
  const meanings = changedDefaults(before, after).map(
    (name) => `${name} (${meaningOf(name, before, after)})`,
  );
  return [
    `this cluster has the defaults of version contract "${kept}", and those of "${given}" are others: ${meanings.join("; ")}`,
    `To change only how settings are written, keep what they mean: contractDefaults: "${kept}"`,
    `To take all of it, accept it: acceptedChanges: { contractDefaults: "${given}" } of a TalosCluster, or allowContractChange of MachineSecrets`,
  ].join(". ");
}

/** The defaults in which two choices differ. */
export function changedDefaults(
  before: ContractChoice,
  after: ContractChoice,
): readonly ContractDefault[] {
  const [was, is] = [before, after].map((each) => versionContract(each.versionContract, each));
  return contractDefaultNames.filter((name) => was?.[name] !== is?.[name]);
}

/**
 * What changes with another contract or other defaults, for people: how settings are written, each default
 * that a configuration takes, and those that it leaves out. Nothing where both choices are the same.
 *
 * @param isControlPlane whether the configuration is a control plane's
 * @param counts whether a default makes a difference in this configuration
 */
export function describeContractChange(
  before: ContractChoice,
  after: ContractChoice,
  isControlPlane: boolean,
  counts: (name: ContractDefault) => boolean,
): readonly string[] {
  const taken = changedDefaults(before, after).filter(counts);
  return [
    ...(before.versionContract === after.versionContract
      ? []
      : form(before, after, isControlPlane)),
    ...taken.map((name) => `${name}: ${meaningOf(name, before, after)}`),
    ...(before.versionContract === after.versionContract ? [] : left(after, counts)),
  ];
}

function form(
  before: ContractChoice,
  after: ContractChoice,
  isControlPlane: boolean,
): readonly string[] {
  const [was, is] = [before, after].map((each) => versionContract(each.versionContract));
  const isSame = changedDefaults(before, after).length === 0;
  const meaning = isSame
    ? "mean the same. No machine reboots"
    : "mean the same, but for the defaults that are named here";
  const written = `settings are written as "${after.versionContract}" writes them, and ${meaning}`;
  const [had, has] = [was?.kubernetesDocuments === true, is?.kubernetesDocuments === true];
  const restarts = isControlPlane ? changesOfControlPlanes : [];
  const more = changesOfDocuments
    .filter((feature) => was?.[feature] !== is?.[feature])
    .map((feature) => meaningsOfDocuments[feature]);
  const rise = has && !had ? [...restarts, ...more] : [];
  const back = had && !has ? ["what came with documents beside that is taken back"] : [];
  return [written, ...rise, ...back].map((change) => `versionContract: ${change}`);
}

/** The defaults of a contract that a configuration doesn't have. */
function left(
  after: ContractChoice,
  counts: (name: ContractDefault) => boolean,
): readonly string[] {
  const { contractDefaults: kept, versionContract: contract } = after;
  const names =
    kept === undefined ? [] : changedDefaults(after, { versionContract: contract }).filter(counts);
  return names.length === 0
    ? []
    : [
        `contractDefaults: as in "${kept ?? ""}" stay ${names.join(", ")}. newDefaults takes each by its name, and the preview says what it does`,
      ];
}

function meaningOf(name: ContractDefault, before: ContractChoice, after: ContractChoice): string {
  const { former, newer, effect } = defaultMeanings[name];
  const newest = versionContract(newerOf(before, after).versionContract);
  const isNewer = newest[name] === versionContract(after.versionContract, after)[name];
  const [was, is] = isNewer ? [former, newer] : [newer, former];
  return `${was} → ${is}; ${effect}`;
}

/** The one with the newer contract. */
function newerOf(one: ContractChoice, other: ContractChoice): ContractChoice {
  const minorOf = (choice: ContractChoice) => versionContracts.indexOf(choice.versionContract);
  return minorOf(one) > minorOf(other) ? one : other;
}

/**
 * Two choices that differ in one default alone, by which a configuration shows whether it counts there.
 */
export function withAndWithout(
  name: ContractDefault,
  before: ContractChoice,
  after: ContractChoice,
): readonly [ContractChoice, ContractChoice] {
  const { versionContract: contract } = newerOf(before, after);
  const [contractDefaults = contract] = [before, after]
    .map(defaultsOf)
    .sort((one, other) => versionContracts.indexOf(one) - versionContracts.indexOf(other));
  const chosen = { versionContract: contract, contractDefaults };
  const newDefaults = changedDefaults(chosen, { versionContract: contract });
  const others = newDefaults.filter((each) => each !== name);
  return [
    { ...chosen, newDefaults },
    { ...chosen, newDefaults: others },
  ];
}
