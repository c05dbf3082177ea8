import { eachAddOn } from "../../addOns/addOnChoices";
import { podIdentityWebhook } from "../../addOns/podIdentityWebhook";
import { ADD_ONS } from "../../addOns/registry";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";

/**
 * What a cluster would lose with each of its add-ons, by the path of its argument. It is recorded while the
 * add-on is there, because a program without it no longer says what there was.
 */
export function planRemovals({ addOns = {}, facts }: ChosenClusterArgs): Record<string, string> {
  const ofAddOns = eachAddOn(addOns, (name) => [
    [`addOns.${name}`, ADD_ONS[name].removal] as const,
  ]);
  return {
    ...Object.fromEntries(ofAddOns),
    ...(facts.irsa?.webhook && { irsa: podIdentityWebhook.removal }),
  };
}
