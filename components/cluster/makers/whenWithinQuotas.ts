import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { messageOfError } from "../../../provider/base";
import { failRun } from "../../failRun";
import { logBeside } from "../../logBeside";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import { type AccountQuota, QUOTAS } from "../checks/checkQuotas";

/** Asks the account for a quota. */
export type AskQuota = (
  quota: Pick<AccountQuota, "serviceCode" | "code">,
) => Promise<number | undefined>;

/**
 * Returns a value once the account's quotas are known to have room for the cluster. It also asks in
 * the preview. Declared quotas are checked with the arguments and not asked. If the account can't
 * tell, such as without the permissions (`servicequotas:GetServiceQuota` and
 * `GetAWSDefaultServiceQuota`, which the provider asks for first), it counts as a new one: what is
 * usual is checked, and processors aren't.
 *
 * @param parent the resource for the machines
 */
export function whenWithinQuotas<Value>(
  value: pulumi.Output<Value>,
  args: ChosenClusterArgs,
  parent: pulumi.Resource,
): pulumi.Output<Value> {
  const ask: AskQuota = async ({ serviceCode, code }) => {
    const asked = { serviceCode, quotaCode: code };
    const { value: most } = await aws.servicequotas.getServiceQuota(asked, { parent });
    return most;
  };
  const judge = async () => {
    const note = (line: string) => void logBeside(parent, line, { severity: "debug" });
    const problems = await findQuotaProblems(args, ask, note);
    if (problems.length > 0) {
      await failRun(problems.join("\n"), parent);
    }
    return true;
  };
  // A value that isn't known yet must not keep the preview from asking.
  return pulumi.all([value, judge()]).apply(([known]) => known as Value);
}

/**
 * Asks for the quotas that aren't declared and that the cluster needs more of than usual, and checks
 * the answers.
 */
export async function findQuotaProblems(
  args: ChosenClusterArgs,
  ask: AskQuota,
  note: (line: string) => void,
): Promise<string[]> {
  const asked = QUOTAS.filter(({ property, usual = 0, problemsWith }) => {
    return args.quotas?.[property] === undefined && problemsWith(args, usual).length > 0;
  });
  const judge = async (quota: AccountQuota): Promise<readonly string[]> => {
    const most = (await answer(quota, ask, note)) ?? quota.usual;
    return most === undefined ? [] : quota.problemsWith(args, most);
  };
  return (await Promise.all(asked.map(judge))).flat();
}

async function answer(
  quota: AccountQuota,
  ask: AskQuota,
  note: (line: string) => void,
): Promise<number | undefined> {
  try {
    const most = await ask(quota);
    return typeof most === "number" ? most : undefined;
  } catch (error) {
    const reason = messageOfError(error);
    note(`can't ask for the quota ${quota.code}, so declare quotas.${quota.property}: ${reason}`);
    return undefined;
  }
}
