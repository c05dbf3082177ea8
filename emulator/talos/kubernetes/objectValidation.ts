import { valueAt } from "../config/yamlPath";
import { changesOfFixed } from "./fixedFields";
import {
  labelsOf,
  listAt,
  matchesSelector,
  nameOf,
  objectAt,
  type KubernetesObject,
} from "./kubernetesObject";
import { qualifiedKind, type ResourceKind } from "./resources";
import { KubernetesFailure } from "./statusObject";

/** The failure for an invalid object, with its problems by field. */
export function invalid(
  kind: ResourceKind,
  name: string,
  causes: readonly { readonly reason: string; readonly field: string; readonly message: string }[],
): KubernetesFailure {
  const problems = causes.map(({ field, message }) => `${field}: ${message}`);
  const [first = ""] = problems;
  const text = problems.length > 1 ? `[${problems.join(", ")}]` : first;
  const message = `${qualifiedKind(kind)} "${name}" is invalid: ${text}`;
  const details = {
    ...(name === "" ? {} : { name }),
    ...(kind.group === "" ? {} : { group: kind.group }),
    kind: kind.kind,
    causes,
  };
  return new KubernetesFailure(422, "Invalid", message, details);
}

const NAME_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Throws `Invalid` for an invalid name. */
export function checkName(kind: ResourceKind, name: string): void {
  const field = "metadata.name";
  if (name === "") {
    const message = "Required value: name or generateName is required";
    throw invalid(kind, name, [{ reason: "FieldValueRequired", message, field }]);
  }
  const isPath = kind.group === "rbac.authorization.k8s.io";
  const isGood = isPath
    ? !/[/%]/.test(name)
    : /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
  if (!isGood) {
    const message = `Invalid value: ${JSON.stringify(name)}: ${NAME_RULE}`;
    throw invalid(kind, name, [{ reason: "FieldValueInvalid", message, field }]);
  }
}

/**
 * Throws `Invalid` for an object that the server refuses. It covers the validation that users of
 * this project meet: of selectors, containers, budgets and roles.
 */
export function checkObject(
  kind: ResourceKind,
  before: KubernetesObject | undefined,
  after: KubernetesObject,
): void {
  const causes = before === undefined ? [] : [...changesOfFixed(kind, before, after)];
  const wrong = (field: string, message: string, reason = "FieldValueInvalid") =>
    causes.push({ reason, message, field });
  const changed = (...path: string[]) =>
    before !== undefined &&
    JSON.stringify(valueAt(before, ...path)) !== JSON.stringify(valueAt(after, ...path));
  if (kind.group === "apps" && valueAt(after, "spec", "template") !== undefined) {
    const selector = objectAt(after, "spec", "selector");
    const labels = labelsOf(objectAt(after, "spec", "template"));
    if (!matchesSelector(selector, labels)) {
      const text = `Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``;
      wrong("spec.template.metadata.labels", text);
    }
    if (listAt(after, "spec", "template", "spec", "containers").length === 0) {
      wrong("spec.template.spec.containers", "Required value", "FieldValueRequired");
    }
  }
  if (kind.plural === "pods" && listAt(after, "spec", "containers").length === 0) {
    wrong("spec.containers", "Required value", "FieldValueRequired");
  }
  if (kind.group === "rbac.authorization.k8s.io" && changed("roleRef")) {
    const { apiGroup, kind: role, name } = objectAt(after, "roleRef");
    const shown = JSON.stringify({ APIGroup: apiGroup ?? "", Kind: role ?? "", Name: name ?? "" });
    wrong("roleRef", `Invalid value: ${shown}: cannot change roleRef`);
  }
  const { minAvailable, maxUnavailable } = objectAt(after, "spec");
  if (kind.group === "policy" && minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: objectAt(after, "spec", "selector"),
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: valueAt(after, "spec", "unhealthyPodEvictionPolicy") ?? null,
    };
    const text = `Invalid value: ${JSON.stringify(shown)}: minAvailable and maxUnavailable cannot be both set`;
    wrong("spec", text);
  }
  if (causes.length > 0) {
    throw invalid(kind, nameOf(after), causes);
  }
}
