import { checkWord, wholeNumber } from "../../argumentChecks";
import { cronProblem } from "../../backup/cronProblem";
import { architectureOf, workerTypeProblem } from "../../machines/instanceType";
import { type PropertyProblem, within } from "../../problems";
import type { NumberRange } from "../autoScalingArgs";
import { checkRequirement } from "./checkRequirement";
import {
  CAPACITY_TYPES,
  CONSOLIDATION_POLICIES,
  DISRUPTION_REASONS,
  type KarpenterBudgetArgs,
  type KarpenterLimitsArgs,
  type KarpenterPoolArgs,
} from "./karpenterPoolArgs";
import { DEFAULT_ARCHITECTURES } from "./planNodePool";

/** The patterns of the definition of `NodePool`, Karpenter v1.15.2. */
const DURATION = /^([0-9]+(s|m|h))+$/;
const DURATION_OR_NEVER = /^(([0-9]+(s|m|h))+|Never)$/;
const BUDGET_NODES = /^((100|[0-9]{1,2})%|[0-9]+)$/;
const BUDGET_DURATION = /^([0-9]+[hm]|[0-9]+h[0-9]+m)$/;
const MOST_BUDGETS = 50;
const MOST_REQUIREMENTS = 80;

/** All problems of a pool whose machines Karpenter launches. */
export function checkKarpenterPool(karpenter: KarpenterPoolArgs): PropertyProblem[] {
  const { architectures, capacityTypes, budgets = [], requirements = [] } = karpenter;
  return [
    ...checkLimits(karpenter.limits),
    ...checkChoices("architectures", architectures, ["amd64", "arm64"]),
    ...checkChoices("capacityTypes", capacityTypes, CAPACITY_TYPES),
    ...checkTypes(karpenter),
    ...checkRange("vcpus", karpenter.vcpus, 1),
    ...checkRange("memoryGib", karpenter.memoryGib, 1),
    ...checkSize(karpenter),
    ...requirements.flatMap((requirement, index) =>
      within(`requirements[${index}]`, checkRequirement(requirement)),
    ),
    ...tooMany("requirements", requirements, MOST_REQUIREMENTS),
    ...budgets.flatMap((budget, index) => within(`budgets[${index}]`, checkBudget(budget))),
    ...tooMany("budgets", budgets, MOST_BUDGETS),
    ...checkWord("consolidationPolicy", karpenter.consolidationPolicy, CONSOLIDATION_POLICIES),
    ...checkDuration("consolidateAfter", karpenter.consolidateAfter, true),
    ...checkDuration("expireAfter", karpenter.expireAfter, true),
    ...checkDuration("terminationGracePeriod", karpenter.terminationGracePeriod, false),
    ...wholeNumber("weight", karpenter.weight, 1, 100),
  ];
}

function checkLimits(limits: KarpenterLimitsArgs | undefined): PropertyProblem[] {
  if (limits === undefined) {
    const reason = `nothing bounds what the pool costs: say how many processors its machines have at most, as in {vcpus: 64}`;
    return [{ property: "limits", reason }];
  }
  return within("limits", [
    ...wholeNumber("vcpus", limits.vcpus, 1, 1_000_000),
    ...wholeNumber("memoryGib", limits.memoryGib, 1, 10_000_000),
    ...wholeNumber("nodes", limits.nodes, 1, 100_000),
  ]);
}

/** A machine that the limits have no room for is never launched, and nothing says so. */
function checkSize({ vcpus, memoryGib, limits }: KarpenterPoolArgs): PropertyProblem[] {
  const rows = [
    ["vcpus", vcpus?.min, (limits as Partial<KarpenterLimitsArgs> | undefined)?.vcpus],
    ["memoryGib", memoryGib?.min, (limits as Partial<KarpenterLimitsArgs> | undefined)?.memoryGib],
  ] as const;
  return rows.flatMap(([property, least, most]) => {
    const reason = `a machine has ${least ?? 0} at least, and limits.${property} lets all of them have ${most ?? 0}: give a larger limit, or ask for less here`;
    return least !== undefined && most !== undefined && least > most
      ? [{ property: `${property}.min`, reason }]
      : [];
  });
}

function checkChoices(
  property: string,
  given: readonly string[] | undefined,
  allowed: readonly string[],
): PropertyProblem[] {
  return given?.length === 0
    ? [{ property, reason: `none is named: take one of ${allowed.join(", ")}, or leave this out` }]
    : (given ?? []).flatMap((value, index) => checkWord(`${property}[${index}]`, value, allowed));
}

/** Which machines a pool may have. AWS doesn't say in time that there are none of that name. */
function checkTypes(karpenter: KarpenterPoolArgs): PropertyProblem[] {
  const { instanceTypes, instanceFamilies, instanceCategories } = karpenter;
  const { architectures = DEFAULT_ARCHITECTURES } = karpenter;
  const given = Object.entries({ instanceTypes, instanceFamilies, instanceCategories }).filter(
    ([, names]) => names !== undefined,
  );
  const [first, ...others] = given.map(([property]) => property);
  const named = (instanceTypes ?? []).map(
    (type) => [type, workerTypeProblem(type), architectureOf(type)] as const,
  );
  const families = (instanceFamilies ?? []).map((family) => {
    const example = `${family}.xlarge`;
    const isFamily = /^[a-z][a-z0-9-]*\d[a-z0-9-]*$/.test(family);
    const reason = isFamily
      ? workerTypeProblem(example)
      : `"${family}" is no family of instance types: write it as in "m7i"`;
    return [family, reason, architectureOf(example)] as const;
  });
  const wrong = (
    property: string,
    list: readonly (readonly [string, string | undefined, string])[],
  ) =>
    list.flatMap(([name, problem, architecture], index) => {
      const strange = `"${name}" is ${architecture}, and architectures name ${architectures.join(" and ")}: add that, or leave this out`;
      const isFine = architectures.some((each) => each === architecture);
      const reason = problem ?? (isFine ? undefined : strange);
      return reason === undefined ? [] : [{ property: `${property}[${index}]`, reason }];
    });
  return [
    ...others.map((property) => ({
      property,
      reason: `it excludes ${first ?? ""}, which says more exactly what machines are: leave out one of the two`,
    })),
    ...given.flatMap(([property, names]) =>
      names?.length === 0
        ? [{ property, reason: "none is named: name one, or leave this out" }]
        : [],
    ),
    ...wrong("instanceTypes", named),
    ...wrong("instanceFamilies", families),
    ...(instanceCategories ?? []).flatMap((category, index) =>
      /^[a-z]+(-[a-z]+)?$/.test(category)
        ? []
        : [
            {
              property: `instanceCategories[${index}]`,
              reason: `"${category}" is no category of instance types: write the letters before the generation, as "m" for "m7i"`,
            },
          ],
    ),
  ];
}

function checkRange(
  property: string,
  range: NumberRange | undefined,
  least: number,
): PropertyProblem[] {
  if (range === undefined) {
    return [];
  }
  const { min, max } = range;
  const problems = [
    ...wholeNumber(`${property}.min`, min, least, 100_000),
    ...wholeNumber(`${property}.max`, max, least, 100_000),
  ];
  const reason = `${max ?? 0} is less than min, ${min}: give the larger number here`;
  return problems.length === 0 && max !== undefined && max < min
    ? [{ property: `${property}.max`, reason }]
    : problems;
}

function checkBudget(budget: KarpenterBudgetArgs): PropertyProblem[] {
  const { nodes, reasons, schedule, duration } = budget;
  const cron = schedule === undefined ? undefined : cronProblem(schedule);
  const rows: readonly (readonly [boolean, string, string])[] = [
    [
      !BUDGET_NODES.test(nodes),
      "nodes",
      `"${nodes}" is no number of machines: write it as in "2", or a share from "0%" to "100%"`,
    ],
    [
      schedule !== undefined && duration === undefined,
      "schedule",
      "nothing says how long it applies: give duration too, or leave this out",
    ],
    [
      schedule === undefined && duration !== undefined,
      "duration",
      "nothing says when it begins: give schedule too, or leave this out",
    ],
    [cron !== undefined, "schedule", cron ?? ""],
    [
      duration !== undefined && !BUDGET_DURATION.test(duration),
      "duration",
      `"${duration ?? ""}" is no time in hours and minutes: write it as in "10h" or "1h30m"`,
    ],
  ];
  return [
    ...rows.flatMap(([isWrong, property, reason]) => (isWrong ? [{ property, reason }] : [])),
    ...checkChoices("reasons", reasons, DISRUPTION_REASONS),
  ];
}

function checkDuration(
  property: string,
  value: string | undefined,
  hasNever: boolean,
): PropertyProblem[] {
  const pattern = hasNever ? DURATION_OR_NEVER : DURATION;
  const never = hasNever ? `, or "Never"` : "";
  const reason = `"${value ?? ""}" is no duration: write it in hours, minutes and seconds, as in "720h" or "1h30m"${never}`;
  return value === undefined || pattern.test(value) ? [] : [{ property, reason }];
}

function tooMany(property: string, list: readonly unknown[], most: number): PropertyProblem[] {
  const reason = `${list.length} are too many: ${most} at most have room in the pool's object`;
  return list.length <= most ? [] : [{ property, reason }];
}
