import {
  checkKubernetesVersion,
  supportByTalosMinor,
  supportedKubernetes,
} from "../../../../provider/config/releases/supportTable";
import { readMachinerySource } from "../../../../scripts/talosSource";
import { machinerySources, moduleFolder } from "../../talosSources";

const machinery = "github.com/siderolabs/talos/pkg/machinery";

describe.each(machinerySources)("the machinery of Talos $release", (source) => {
  const folder = moduleFolder(source.release, machinery);

  it.skipIf(folder === undefined)("is recorded as its code is", () => {
    expect(readMachinerySource(folder ?? "", source.release)).toEqual(source);
  });

  it("supports what the table says of the Talos minors that it knows", () => {
    for (const [minor, [oldestMinor, newestMinor]] of Object.entries(source.kubernetes)) {
      expect(supportByTalosMinor.get(minor)).toEqual({ oldestMinor, newestMinor });
    }
  });
});

test("the newest machinery knows every Talos minor of the table", () => {
  const minors = Object.keys(machinerySources.at(-1)?.kubernetes ?? {});
  expect([...supportByTalosMinor.keys()].filter((minor) => !minors.includes(minor))).toEqual([]);
});

test.each([
  ["v1.10", 28, 33],
  ["1.11.4", 29, 34],
  ["v1.12.1", 30, 35],
  ["v1.13.0-beta.1", 31, 36],
  ["v1.14.1", 32, 37],
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
  expect(checkKubernetesVersion("1.38.0", "v1.99.0")).toMatch(/is newer than this release of/);
  expect(checkKubernetesVersion("1.27.9", "")).toMatch(/is older than this release of/);
});

test.each(["banana", "1.35", "", "1.35.0.1", "latest", "1.35.0 "])(
  "%j is not a Kubernetes version",
  (version) => {
    expect(checkKubernetesVersion(version, "v1.99.0")).toMatch(/is not a Kubernetes version/);
  },
);
