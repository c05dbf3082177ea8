import type { YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { formatDuration, parseDuration } from "../schema/duration";
import { checkExpression } from "./celErrors";
import { FileView, type FieldError } from "./fieldErrors";
import { checkSubdomain } from "./kubernetesNames";

/** The kinds of authorizers, in upstream's order. */
const TYPES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"];

const LONGEST_TIMEOUT = parseDuration("30s") ?? 0n;

/**
 * What kube-apiserver refuses in authorizers that it could decode. Source: k8s.io/apiserver v0.30.0 to
 * v0.37.2, `ValidateAuthorizationConfiguration` in pkg/apis/apiserver/validation.
 *
 * @param content an AuthorizationConfiguration
 */
export function authorizationErrors(content: YamlValue, minor: number): FieldError[] {
  const view = new FileView(content, minor);
  const [types, names] = [new Set<string>(), new Set<string>()];
  for (const authorizer of view.items("authorizers")) {
    const type = view.text(...authorizer, "type");
    if (type === "") {
      view.required([...authorizer, "type"]);
    } else if (!TYPES.includes(type)) {
      view.unsupported([...authorizer, "type"], TYPES);
    } else if (types.has(type) && type !== "Webhook") {
      view.duplicate([...authorizer, "type"]);
    } else {
      types.add(type);
      checkName(view, [...authorizer, "name"], names);
      checkWebhook(view, authorizer, type);
    }
  }
  // Upstream prints the fields of a webhook without its name.
  return view.errors.map((error) => ({
    ...error,
    named: error.path.length > 3 ? error.path.filter((step) => step !== "webhook") : error.path,
  }));
}

function checkName(view: FileView, path: Path, names: Set<string>): void {
  const name = view.text(...path);
  const wrong = checkSubdomain(name);
  if (name === "") {
    view.required(path);
  } else if (names.has(name)) {
    view.duplicate(path);
  } else if (wrong.length > 0) {
    view.invalid(path, `authorizer name is invalid: ${wrong.join(", ")}`);
  }
  names.add(name);
}

function checkWebhook(view: FileView, authorizer: Path, type: string): void {
  const webhook = [...authorizer, "webhook"];
  const isThere = view.get(...webhook) !== undefined;
  if (type !== "Webhook") {
    if (isThere) {
      view.invalid(webhook, "may only be specified when type=Webhook", "non-null");
    }
    return;
  }
  if (!isThere) {
    view.required(webhook, "required when type=Webhook");
    return;
  }
  checkTimes(view, webhook);
  checkVersions(view, webhook);
  const policy = [...webhook, "failurePolicy"];
  view.word(policy, ["NoOpinion", "Deny"]);
  checkConnection(view, webhook);
  checkConditions(view, [...webhook, "matchConditions"]);
}

function checkTimes(view: FileView, webhook: Path): void {
  const timeout = parseDuration(view.text(...webhook, "timeout")) ?? 0n;
  if (timeout === 0n) {
    view.required([...webhook, "timeout"]);
  } else if (timeout > LONGEST_TIMEOUT || timeout < 0n) {
    view.invalid([...webhook, "timeout"], "must be > 0s and <= 30s", formatDuration(timeout));
  }
  for (const key of ["authorizedTTL", "unauthorizedTTL"]) {
    const time = parseDuration(view.text(...webhook, key)) ?? 0n;
    if (time < 0n) {
      view.invalid([...webhook, key], "must be > 0s", formatDuration(time));
    }
  }
}

function checkVersions(view: FileView, webhook: Path): void {
  view.word([...webhook, "subjectAccessReviewVersion"], ["v1", "v1beta1"]);
  const version = [...webhook, "matchConditionSubjectAccessReviewVersion"];
  if (view.text(...version) !== "") {
    view.word(version, ["v1"]);
  } else if (view.isFilled(...webhook, "matchConditions")) {
    view.required(version, "required if match conditions are specified");
  }
}

function checkConnection(view: FileView, webhook: Path): void {
  const connection = [...webhook, "connectionInfo"];
  const file = [...connection, "kubeConfigFile"];
  const type = view.text(...connection, "type");
  view.word([...connection, "type"], ["InClusterConfig", "KubeConfigFile"]);
  if (type === "InClusterConfig" && view.get(...file) !== undefined) {
    view.invalid(file, "can only be set when type=KubeConfigFile");
  }
  if (type === "KubeConfigFile") {
    const path = view.text(...file);
    if (path === "") {
      view.required(file);
    } else if (!path.startsWith("/")) {
      view.invalid(file, "must be an absolute path");
    }
  }
}

function checkConditions(view: FileView, path: Path): void {
  const conditions = view.items(...path);
  if (conditions.length > 64) {
    view.tooMany(path, 64);
    return;
  }
  const seen = new Set<string>();
  for (const condition of conditions) {
    const where = [...condition, "expression"];
    const expression = view.text(...where);
    if (expression.trim() === "") {
      view.required(where);
    } else if (seen.has(expression)) {
      view.duplicate(where);
    } else {
      seen.add(expression);
      checkExpression(view, where, "request");
    }
  }
}
