import { defined } from "../defined";
import type { AddOn, KnownSettings } from "./common/addOn";
import { type AddOnManifest, hasChangedPods, isOwn } from "./common/addOnManifest";
import type { ReplicatedAddOnPods } from "./common/addOnPodsArgs";
import {
  ADD_ON_NAMES,
  ADD_ONS,
  type AddOnName,
  type AddOnSettings,
  type ClusterAddOnsArgs,
} from "./registry";

/** The add-ons of a cluster, each in its long form, with those that others bring. */
export type AddOnChoices = { readonly [Name in AddOnName]?: AddOnSettings[Name] };

/** The same with all outputs known. */
export type KnownChoices = { readonly [Name in AddOnName]?: KnownSettings<AddOnSettings[Name]> };

/** The settings of each add-on; add-ons that are turned off are left out. */
export function addOnChoices(given: ClusterAddOnsArgs): AddOnChoices {
  const brought = eachAddOn(longForms(given), (_name, addOn, args) => [addOn.brings?.(args) ?? {}]);
  const usual = Object.assign({}, ...brought) as ClusterAddOnsArgs;
  return longForms({ ...usual, ...defined(given) });
}

function longForms(given: ClusterAddOnsArgs): AddOnChoices {
  const asked = Object.entries(given).flatMap(([name, addOn]: [string, object | boolean]) =>
    addOn === false ? [] : [[name, addOn === true ? {} : addOn] as const],
  );
  return Object.fromEntries(asked);
}

/** The arguments of the chosen add-ons, by the names of Helm charts that would install the same. */
export function installedCharts(choices: AddOnChoices): ReadonlyMap<string, string> {
  return new Map(
    eachAddOn(choices, (name, { charts = [] }) =>
      charts.map((chart) => [chart, `addOns.${name}`] as const),
    ),
  );
}

/** Calls a function for each chosen add-on, in the order of the registry; gives all it gives. */
export function eachAddOn<Result>(
  choices: AddOnChoices,
  use: <Args extends object>(name: AddOnName, addOn: AddOn<Args>, args: Args) => readonly Result[],
): Result[] {
  const call = <Name extends AddOnName>(name: Name, args: AddOnChoices[Name]) =>
    args === undefined ? [] : use<AddOnSettings[Name]>(name, ADD_ONS[name], args);
  return ADD_ON_NAMES.flatMap((name) => call(name, choices[name]));
}

/** The same with all outputs known. */
export function eachKnownAddOn<Result>(
  choices: KnownChoices,
  use: <Args extends object>(
    name: AddOnName,
    addOn: AddOn<Args>,
    args: KnownSettings<Args>,
  ) => readonly Result[],
): Result[] {
  const call = <Name extends AddOnName>(name: Name, args: KnownChoices[Name]) =>
    args === undefined ? [] : use<AddOnSettings[Name]>(name, ADD_ONS[name], args);
  return ADD_ON_NAMES.flatMap((name) => call(name, choices[name]));
}

/** Whether an add-on has objects of this package's own that are applied after the bootstrap. */
export function hasObjectsAfterBootstrap<Args extends object>(
  addOn: AddOn<Args>,
  args: AddOnManifest & ReplicatedAddOnPods,
): boolean {
  const { objects, objectsAfterBootstrap } = addOn;
  return objectsAfterBootstrap !== undefined && (objects === undefined || isOurs(addOn, args));
}

/** Whether this package's objects describe an add-on, not a manifest of the user's or upstream's. */
export function isOurs<Args extends object>(
  { objects, publishedManifest }: AddOn<Args>,
  args: AddOnManifest & ReplicatedAddOnPods,
): boolean {
  return (
    objects !== undefined && (publishedManifest === undefined ? isOwn(args) : hasChangedPods(args))
  );
}
