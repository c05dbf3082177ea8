import { checkKubernetesVersion, supportedKubernetes } from "../../../provider/config/supportTable";

test.each([
  ["v1.10", 28, 33],
  ["1.11.4", 29, 34],
  ["v1.12.1", 30, 35],
  ["v1.13.0-beta.1", 31, 36],
])("Talos %s runs Kubernetes 1.%i to 1.%i", (talosVersion, oldestMinor, newestMinor) => {
  expect(supportedKubernetes(talosVersion)).toEqual({ oldestMinor, newestMinor });
  expect(checkKubernetesVersion(`1.${oldestMinor}.0`, talosVersion)).toBeUndefined();
  expect(checkKubernetesVersion(`v1.${newestMinor}.9`, talosVersion)).toBeUndefined();
  expect(checkKubernetesVersion(`1.${oldestMinor - 1}.9`, talosVersion)).toMatch(/too old/);
  expect(checkKubernetesVersion(`1.${newestMinor + 1}.0`, talosVersion)).toMatch(/too new/);
  expect(checkKubernetesVersion("2.0.0", talosVersion)).toMatch(/too new/);
});

test("for an unknown Talos, Kubernetes has to be known", () => {
  expect(supportedKubernetes("v1.99.0")).toBeUndefined();
  expect(supportedKubernetes("banana")).toBeUndefined();
  expect(checkKubernetesVersion("1.28.0", "v1.99.0")).toBeUndefined();
  expect(checkKubernetesVersion("1.36.9", "")).toBeUndefined();
  expect(checkKubernetesVersion("1.37.0", "v1.99.0")).toMatch(/is newer than this release of/);
  expect(checkKubernetesVersion("1.27.9", "")).toMatch(/is older than this release of/);
});

test.each(["banana", "1.35", "", "1.35.0.1", "latest", "1.35.0 "])(
  "%j is not a Kubernetes version",
  (version) => {
    expect(checkKubernetesVersion(version, "v1.99.0")).toMatch(/is not a Kubernetes version/);
  },
);
