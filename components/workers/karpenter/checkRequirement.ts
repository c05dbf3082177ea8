import { checkLabelValue, checkQualifiedName } from "../../../provider/config";
import { checkWord, wholeNumber } from "../../argumentChecks";
import type { PropertyProblem } from "../../problems";
import { KNOWN_LABELS, PLANNED_LABELS, restrictedLabelProblem } from "./karpenterLabels";
import { type KarpenterRequirementArgs, REQUIREMENT_OPERATORS } from "./karpenterPoolArgs";

/** All problems of a requirement, as Karpenter judges it (`nodeclaim_validation.go`, `ValidateRequirement`, v1.15.0). */
export function checkRequirement(requirement: KarpenterRequirementArgs): PropertyProblem[] {
  const { key, operator, values = [], minValues } = requirement;
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string | undefined) => {
    if (reason !== undefined) {
      problems.push({ property, reason });
    }
  };
  const planned = PLANNED_LABELS[key];
  say(
    "key",
    checkQualifiedName(key) ??
      restrictedLabelProblem(key) ??
      (planned === undefined ? undefined : `"${key}" has an argument of its own: set ${planned}`) ??
      (KNOWN_LABELS.includes(key)
        ? undefined
        : `"${key}" says nothing of an instance type: take one of ${KNOWN_LABELS.filter((label) => PLANNED_LABELS[label] === undefined).join(", ")}; a label of your own is one of the pool's labels`),
  );
  problems.push(...checkWord("operator", operator, REQUIREMENT_OPERATORS));
  const isNumber = ["Gt", "Lt", "Gte", "Lte"].includes(operator);
  const isSet = ["In", "NotIn"].includes(operator);
  if (isNumber && (values.length !== 1 || !/^\d+$/.test(values[0] ?? ""))) {
    say("values", `"${operator}" compares with one number: give it alone, as in ["4"]`);
  } else if (isSet && values.length === 0) {
    say("values", `"${operator}" compares with nothing: name a value`);
  } else if (!isNumber && !isSet && values.length > 0) {
    say(
      "values",
      `"${operator}" compares with no value, "${values.join('", "')}" here: leave it out`,
    );
  }
  values.forEach((value, index) => {
    say(`values[${index}]`, checkLabelValue(value));
  });
  problems.push(...wholeNumber("minValues", minValues, 1, 50));
  if (operator === "In" && minValues !== undefined && values.length < minValues) {
    say("minValues", `there are ${values.length} values to choose from, fewer than ${minValues}`);
  }
  return problems;
}
