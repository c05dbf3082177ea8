import { KubernetesFailure } from "./statusObject";

type Labels = Readonly<Record<string, string>>;
type Predicate = (labels: Labels) => boolean;

/**
 * A label selector (`a=b,c!=d,e,!f,g in (x,y)`) or a field selector as a predicate. Throws
 * `BadRequest` for an invalid one.
 */
export function parseSelector(text: string): Predicate {
  const terms = text
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== "")
    .map(parseTerm);
  return (labels) => terms.every((term) => term(labels));
}

function parseTerm(term: string): Predicate {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term);
  if (set) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    return (labels) => values.includes(labels[key] ?? "") === (operator === "in");
  }
  const comparison = /^([^\s=!]+)\s*(==|=|!=)\s*(\S*)$/.exec(term);
  if (comparison) {
    const [, key = "", operator, value = ""] = comparison;
    return (labels) => (labels[key] === value) === (operator !== "!=");
  }
  const existence = /^(!?)([^\s=!()]+)$/.exec(term);
  if (existence) {
    const [, not, key = ""] = existence;
    return (labels) => Object.hasOwn(labels, key) === (not === "");
  }
  throw new KubernetesFailure(
    400,
    "BadRequest",
    `unable to parse requirement: found '${term}', expected: a label selector`,
  );
}
