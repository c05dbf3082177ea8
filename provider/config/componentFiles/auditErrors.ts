import type { YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { FileView, type FieldError } from "./fieldErrors";
import { checkSubdomain } from "./kubernetesNames";

const LEVELS = ["None", "Metadata", "Request", "RequestResponse"];
const STAGES = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

/**
 * What kube-apiserver refuses in an audit policy that it could decode. Source: k8s.io/apiserver v0.28.15
 * to v0.37.2, `ValidatePolicy` in pkg/apis/audit/validation.
 */
export function auditErrors(content: YamlValue, minor: number): FieldError[] {
  const view = new FileView(content, minor);
  checkStages(view, ["omitStages"]);
  for (const rule of view.items("rules")) {
    checkRule(view, rule);
  }
  // Upstream prints no index of the resources.
  return view.errors.map((error) => ({
    ...error,
    named: error.path.filter((_, index, path) => path[index - 1] !== "resources"),
  }));
}

function checkRule(view: FileView, rule: Path): void {
  view.word([...rule, "level"], LEVELS);
  const urls = [...rule, "nonResourceURLs"];
  for (const path of view.items(...urls)) {
    const url = view.text(...path);
    if (url !== "*" && !url.startsWith("/")) {
      view.invalid(path, "non-resource URL rules must begin with a '/' character");
    }
    if (url.slice(0, -1).includes("*")) {
      view.invalid(path, "non-resource URL wildcards '*' must be the final character of the rule");
    }
  }
  for (const path of view.items(...rule, "resources")) {
    checkResources(view, path);
  }
  checkStages(view, [...rule, "omitStages"]);
  const hasResources = view.isFilled(...rule, "resources") || view.isFilled(...rule, "namespaces");
  if (view.isFilled(...urls) && hasResources) {
    view.invalid(urls, "rules cannot apply to both regular resources and non-resource URLs");
  }
}

function checkResources(view: FileView, path: Path): void {
  const group = view.text(...path, "group");
  const wrong = group === "" ? [] : checkSubdomain(group);
  if (wrong.length > 0) {
    view.invalid([...path, "group"], wrong.join(","));
  }
  if (view.isFilled(...path, "resourceNames") && !view.isFilled(...path, "resources")) {
    view.invalid([...path, "resourceNames"], "using resourceNames requires at least one resource");
  }
}

function checkStages(view: FileView, path: Path): void {
  for (const stage of view.items(...path)) {
    if (!STAGES.includes(view.text(...stage))) {
      view.invalid(stage, `allowed stages are ${STAGES.join(",")}`);
    }
  }
}
