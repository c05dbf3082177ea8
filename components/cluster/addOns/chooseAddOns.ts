import { addOnChoices } from "../../addOns/addOnChoices";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterFacts } from "../plan/clusterFacts";

/**
 * Writes the add-ons of a cluster in their long form, with those that others bring, and adds what follows
 * from all arguments.
 */
export function chooseAddOns({ addOns, ...others }: TalosClusterArgs): ChosenClusterArgs {
  const choices = addOns === undefined ? others : { ...others, addOns: addOnChoices(addOns) };
  return { ...choices, facts: clusterFacts(choices) };
}
