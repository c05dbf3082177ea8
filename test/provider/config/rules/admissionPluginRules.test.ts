import { checkAdmissionPlugins } from "../../../../provider/config/rules/admissionPluginRules";
import { DocumentView } from "../../../../provider/config/rules/documentView";

function problems(version: string, extraArgs: Record<string, string | string[]>): string[] {
  const image = `registry.k8s.io/kube-apiserver:${version}`;
  const view = new DocumentView({ cluster: { apiServer: { image, extraArgs } } }, 13);
  checkAdmissionPlugins(view, ["cluster", "apiServer"]);
  return view.problems.map(({ path, message }) => `${path}: ${message}`);
}

test.each([
  ["enable-admission-plugins", "NodeRestriction,PodNodeSelecter"],
  ["disable-admission-plugins", ["PodNodeSelecter"]],
  ["disable_admission_plugins", "PodNodeSelecter"],
  ["admission-control", "PodNodeSelecter"],
])("an unknown admission plugin in %s is refused", (flag, value) => {
  expect(problems("v1.35.0", { [flag]: value })).toEqual([
    `cluster.apiServer.extraArgs.${flag}: Kubernetes v1.35 has no admission plugin "PodNodeSelecter", and its API server fails to start with it: did you mean "PodNodeSelector"?`,
  ]);
});

test("a plugin of a newer Kubernetes says so", () => {
  const args = { "enable-admission-plugins": "PodResizeValidator" };
  expect(problems("v1.35.0", args)).toEqual([expect.stringContaining("it exists since v1.36")]);
  expect(problems("v1.36.3", args)).toEqual([]);
});

test.each(["v1.31.0", "v1.37.2"])("a plugin that is removed says so in %s", (version) => {
  expect(problems(version, { "enable-admission-plugins": "PersistentVolumeLabel" })).toEqual([
    expect.stringContaining("it was removed in v1.31"),
  ]);
});

test.each([
  ["a Kubernetes whose plugins are not known", "v1.29.4"],
  ["an image without a release", "latest"],
])("nothing is said of %s", (_, version) => {
  expect(problems(version, { "enable-admission-plugins": "PersistentVolumeLabel" })).toEqual([]);
});

test("other flags are of no interest", () => {
  expect(problems("v1.37.2", { "admission-control-config-file": "/x,NoPlugin" })).toEqual([]);
});
