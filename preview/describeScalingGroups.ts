import { groupAlike } from "../provider/base";
import { type DescribedMachines, describeLine } from "./describeMachines";
import type { GroupSize, ScalingGroupChange } from "./scalingGroupChange";

/** Describes the changes of auto scaling groups; those with the same description are grouped. */
export function describeScalingGroups(
  groups: readonly ScalingGroupChange[],
): readonly DescribedMachines[] {
  const described = groupAlike(groups, (group) => ({
    ...group,
    name: "",
    lines: group.lines.flatMap(describeLine),
  }));
  return described.map((alike) => ({
    names: alike.map(({ name }) => name),
    what: describe(alike[0], alike.length > 1),
    lines: alike[0].lines.flatMap(describeLine),
  }));
}

function describe(group: ScalingGroupChange, areSeveral: boolean): string {
  const { effect, because, size, drainSeconds } = group;
  const say = (one: string, several: string) => (areSeveral ? several : one);
  const reason = because.length === 0 ? "" : `, for ${because.join(", ")}`;
  const resized = describeResize(group, areSeveral);
  const besides = resized === "" ? "" : `; ${resized}`;
  const end =
    drainSeconds === undefined
      ? `${say("ends its", "end their")} machines at once, with their pods`
      : `${say("keeps its", "keep their")} machines for ${drainSeconds} s to be drained, then ${say("ends", "end")} them`;
  switch (effect) {
    case "launched":
      return size === undefined
        ? say("launches machines", "launch machines")
        : `${say("launches", "launch")} ${machines(size.desired)}${say("", " each")}, ${size.max} at most`;
    case "refreshed":
      return `${say("replaces its", "replace their")} machines a few at a time${reason}${besides}`;
    case "later":
      return `${say("keeps its", "keep their")} machines, and ${say("launches", "launch")} other ones from now on${reason}${besides}`;
    case "resized":
      return resized;
    case "replaced":
      return `${say("is replaced by another group", "are replaced by other groups")}${reason}: the old ${say("one", "ones")} ${end}`;
    case "ended":
      return end;
  }
}

function describeResize({ size, formerSize }: ScalingGroupChange, areSeveral: boolean): string {
  if (size === undefined || formerSize === undefined) {
    return "";
  }
  const [range, before] = [rangeOf(size), rangeOf(formerSize)];
  const isSet = size.desired !== formerSize.desired;
  const [has, goes] = areSeveral ? ["have", "go"] : ["has", "goes"];
  const parts = [
    ...(range === before
      ? []
      : [`${has} ${range} ${range === "1" ? "machine" : "machines"} instead of ${before}`]),
    ...(isSet ? [`${goes} from ${formerSize.desired} to ${machines(size.desired)}`] : []),
  ];
  return `${parts.join(", and ")}${areSeveral ? " each" : ""}`;
}

function rangeOf({ min, max }: GroupSize): string {
  return min === max ? String(min) : `${min} to ${max}`;
}

function machines(count: number): string {
  return count === 1 ? "1 machine" : `${count} machines`;
}
