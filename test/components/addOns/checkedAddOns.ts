import { checkAddOns } from "../../../components/addOns/checkAddOns";
import { addOnClusterOf, chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";

/** What is wrong with the add-ons of a cluster. */
export function checkedAddOns(args: TalosClusterArgs): string[] {
  const chosen = chooseAddOns(args);
  return checkAddOns(chosen.addOns ?? {}, addOnClusterOf(chosen)).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
}
