import { checkAddOns } from "../../../components/addOns/checkAddOns";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";

/** What is wrong with the add-ons of a cluster. */
export function checkedAddOns(args: TalosClusterArgs): string[] {
  const { addOns = {}, facts } = chooseAddOns(args);
  return checkAddOns(addOns, facts.addOnCluster).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
}
