import type { JudgedResource, Properties, ResourceRule, StackRule } from "./rule";
import { allRules, type RuleOptions } from "./rules";
import { plainSecrets } from "./rules/plainSecrets";

/** What Pulumi passes to a policy about one resource; a part of `@pulumi/policy`'s types. */
interface PolicyArguments {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly props: Properties;
  readonly opts: { readonly protect: boolean };
}

type Report = (message: string, urn?: string) => void;

interface PolicyBase {
  readonly name: string;
  readonly description: string;
  readonly enforcementLevel: "mandatory";
}

/** A policy about single resources, as `@pulumi/policy` takes it. */
export interface ResourcePolicy extends PolicyBase {
  readonly validateResource: (args: PolicyArguments, report: Report) => void;
}

/** A policy about a whole stack, as `@pulumi/policy` takes it. */
export interface StackPolicy extends PolicyBase {
  readonly validateStack: (
    args: { readonly resources: readonly PolicyArguments[] },
    report: Report,
  ) => void;
}

/**
 * The rules as policies for a policy pack: `new PolicyPack("…", { policies: crossGuardPolicies()
 * })`. All are mandatory by default. `no-plain-secrets` is not included, because Pulumi passes
 * secrets to policies in clear: `checkPolicies` has it.
 */
export function crossGuardPolicies(options: RuleOptions = {}): (ResourcePolicy | StackPolicy)[] {
  return allRules(options)
    .filter((rule) => rule !== plainSecrets)
    .map((rule) => ("judgeAll" in rule ? stackPolicy(rule) : resourcePolicy(rule)));
}

function resourcePolicy({ name, description, judge }: ResourceRule): ResourcePolicy {
  return {
    name,
    description,
    enforcementLevel: "mandatory",
    validateResource: (args, report) => {
      judge(toJudged(args)).forEach((reason) => {
        report(`${args.name}: ${reason}`);
      });
    },
  };
}

function stackPolicy({ name, description, judgeAll }: StackRule): StackPolicy {
  return {
    name,
    description,
    enforcementLevel: "mandatory",
    validateStack: ({ resources }, report) => {
      for (const { urn, subject, reason } of judgeAll(resources.map(toJudged))) {
        report(`${subject}: ${reason}`, urn);
      }
    },
  };
}

function toJudged({ urn, type, name, props, opts }: PolicyArguments): JudgedResource {
  return { urn, type, name, inputs: props, outputs: {}, isProtected: opts.protect };
}
