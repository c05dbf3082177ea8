import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../failRun";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { PROCESSOR_QUOTAS, type ProcessorQuota, processorProblem } from "./checkQuotas";

/** Asks the account for a quota of EC2. */
export type AskQuota = (quotaCode: string) => Promise<number | undefined>;

/**
 * Returns a value once the account's quotas are known to have room for the cluster's processors. It
 * also asks in the preview. Declared quotas are checked with the arguments and not asked. If the
 * account can't tell, such as without the permission (`servicequotas:GetServiceQuota`), nothing is
 * checked.
 *
 * @param parent the resource for the machines
 */
export function whenWithinQuotas<Value>(
  value: pulumi.Output<Value>,
  args: TalosClusterArgs,
  parent: pulumi.Resource,
): pulumi.Output<Value> {
  const ask: AskQuota = async (quotaCode) => {
    const { value: most } = await aws.servicequotas.getServiceQuota(
      { serviceCode: "ec2", quotaCode },
      { parent },
    );
    return most;
  };
  const judge = async () => {
    const note = (line: string) => void pulumi.log.debug(line, parent);
    const problems = await findQuotaProblems(args, ask, note);
    if (problems.length > 0) {
      await failRun(problems.join("\n"), parent);
    }
    return true;
  };
  // A value that isn't known yet must not keep the preview from asking.
  return pulumi.all([value, judge()]).apply(([known]) => known as Value);
}

/** Asks for the quotas that aren't declared, and checks the answers. No answer is no problem. */
export async function findQuotaProblems(
  args: TalosClusterArgs,
  ask: AskQuota,
  note: (line: string) => void,
): Promise<string[]> {
  const asked = PROCESSOR_QUOTAS.filter(({ property, count }) => {
    return args.quotas?.[property] === undefined && count(args) > 0;
  });
  const judge = async (quota: ProcessorQuota) => {
    try {
      const most = await ask(quota.code);
      return typeof most === "number" ? processorProblem(quota, args, most) : undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      note(`can't ask for the quota ${quota.code}, so declare quotas.${quota.property}: ${reason}`);
      return undefined;
    }
  };
  const problems = await Promise.all(asked.map(judge));
  return problems.flatMap((problem) => problem ?? []);
}
