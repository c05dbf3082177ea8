import * as pulumi from "@pulumi/pulumi";
import { chooseAddOns, planCluster } from "../../components/cluster";
import { parseSettings } from "../../environments/settings";
import { type PlanDocument, planDocument } from "./planDocument";
import { settingsOfFile } from "./settingsOfFile";

/**
 * The plan of the settings in a stack's file.
 *
 * @param project the namespace of the settings
 * @throws SettingsError that lists all problems
 */
export function planSettings(
  text: string,
  stack: string,
  project: string,
): { readonly document: PlanDocument; readonly notes: readonly string[] } {
  const { notes, ...raw } = settingsOfFile(text, stack, project);
  const { name, region, cluster } = parseSettings(raw);
  const plan = planCluster(chooseAddOns(cluster), () => pulumi.output(region));
  return { document: planDocument(plan, { stack, name, region }), notes };
}
