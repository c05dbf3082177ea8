import type * as aws from "@pulumi/aws";
import { wholeNumber } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import type { AutoScalingArgs } from "./autoScalingArgs";

/** No machine ends before its successor exists. */
const DEFAULT_MIN_HEALTHY = 100;
/** A tenth more machines, at least one, during the replacement. */
const DEFAULT_MAX_HEALTHY = 110;
/** AWS' limit for the difference. */
const MAX_DIFFERENCE = 100;

/**
 * How AWS replaces the machines of a group when its launch template changes. It launches new
 * machines first, and ends only those of an older version. Undefined without a refresh.
 * `autoRollback` stays off. The AWS provider gives the group its new version before it starts the
 * refresh, so AWS would roll back to the new version itself (terraform-provider-aws issue 34189).
 */
export function planRefresh(
  args: AutoScalingArgs,
): Pick<aws.autoscaling.GroupArgs, "instanceRefresh"> {
  if (args.refresh === "none") {
    return {};
  }
  const { minHealthyPercentage, maxHealthyPercentage } = healthyRange(args);
  return {
    instanceRefresh: {
      strategy: "Rolling",
      preferences: {
        minHealthyPercentage,
        maxHealthyPercentage,
        skipMatching: true,
        instanceWarmup: String(args.warmupSeconds ?? 120),
        ...(args.protectFromScaleIn === true && { scaleInProtectedInstances: "Wait" }),
      },
    },
  };
}

/** All problems of how machines are replaced. */
export function checkRefresh(args: AutoScalingArgs): PropertyProblem[] {
  const { refresh, minHealthyPercentage, maxHealthyPercentage } = args;
  const { warmupSeconds, refreshTimeoutSeconds } = args;
  if (refresh === "none") {
    const given = {
      minHealthyPercentage,
      maxHealthyPercentage,
      warmupSeconds,
      refreshTimeoutSeconds,
    };
    return Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([property]) => ({
        property,
        reason: `no machine is replaced by a refresh: leave it out, or set refresh to "rolling"`,
      }));
  }
  const problems = [
    ...wholeNumber("minHealthyPercentage", minHealthyPercentage, 0, 100),
    ...wholeNumber("maxHealthyPercentage", maxHealthyPercentage, 100, 200),
    ...wholeNumber("warmupSeconds", warmupSeconds, 0, 7_200),
    ...wholeNumber("refreshTimeoutSeconds", refreshTimeoutSeconds, 60, 86_400),
  ];
  const { minHealthyPercentage: least, maxHealthyPercentage: most } = healthyRange(args);
  if (problems.length === 0 && most - least > MAX_DIFFERENCE) {
    const reason = `it can't be ${most} with a minHealthyPercentage of ${least}: AWS allows ${MAX_DIFFERENCE} between them; take ${least + MAX_DIFFERENCE} at most`;
    return [{ property: "maxHealthyPercentage", reason }];
  }
  return problems;
}

function healthyRange({ minHealthyPercentage, maxHealthyPercentage }: AutoScalingArgs) {
  const least = minHealthyPercentage ?? DEFAULT_MIN_HEALTHY;
  const most = maxHealthyPercentage ?? Math.min(DEFAULT_MAX_HEALTHY, least + MAX_DIFFERENCE);
  return { minHealthyPercentage: least, maxHealthyPercentage: most };
}
