import { type Releases, releaseFor } from "../../../components/addOns/common/releases";
import { podIdentityWebhook } from "../../../components/addOns/podIdentityWebhook";
import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from "../../../components/addOns/registry";
import { supportedKubernetes } from "../../../provider/config/supportTable";

/** Every Kubernetes minor that a Talos minor of the support table runs. */
const supported = ["v1.10", "v1.11", "v1.12", "v1.13", "v1.14"].flatMap(
  (talosVersion) => supportedKubernetes(talosVersion) ?? [],
);
const oldest = Math.min(...supported.map(({ oldestMinor }) => oldestMinor));
const newest = Math.max(...supported.map(({ newestMinor }) => newestMinor));
const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);

const releases: readonly (readonly [string, Releases])[] = [
  ...ADD_ON_NAMES.map((name) => [name, ADD_ONS[name].releases] as const),
  ["the webhook of irsa", podIdentityWebhook.releases] as const,
].flatMap(([name, given]) => (given === undefined ? [] : [[name, given] as const]));
const withKubernetes = ADD_ON_NAMES.filter((name) => ADD_ONS[name].isReleasedWithKubernetes);
const of = (addOn: AddOnName): Releases => {
  const given = ADD_ONS[addOn].releases;
  if (given === undefined) {
    throw new Error(`${addOn} has no releases`);
  }
  return given;
};

describe("the releases of add-ons", () => {
  it("exist for all Talos minors in the support table", () => {
    expect(supported).toHaveLength(5);
    expect(supportedKubernetes("v1.15")).toBeUndefined();
  });

  it.each(releases)("cover every Kubernetes minor that a supported Talos runs: %s", (_, given) => {
    const firsts = given.map(({ oldestMinor }) => oldestMinor);
    expect(firsts).toEqual([...new Set(firsts)].sort((one, other) => other - one));
    expect(firsts.at(-1)).toBeLessThanOrEqual(oldest);
    for (const { version } of given) {
      expect(version).toMatch(/^v\d+\.\d+\.\d+$/);
    }
  });

  it.each(withKubernetes)("fit only one minor: %s", (addOn) => {
    const [{ oldestMinor: last }] = of(addOn);
    for (const minor of minors) {
      const expected = Math.min(minor, last);
      expect(releaseFor(of(addOn), `v1.${minor}.0`)).toMatch(new RegExp(`^v1\\.${expected}\\.`));
    }
  });

  it("reach the newest minor, but for what is not published", () => {
    expect(withKubernetes.map((addOn) => [addOn, of(addOn)[0].oldestMinor])).toEqual([
      ["cloudController", newest],
      ["clusterAutoscaler", newest - 1],
    ]);
    expect(releaseFor(of("cloudController"), "v1.37.0")).toBe("v1.37.1");
  });

  it.each([
    ["v1.36.0", "v0.8.1", "v1.64.0"],
    ["1.31.4", "v0.8.1", "v1.64.0"],
    ["v1.30.1", "v0.7.2", "v1.40.0"],
    ["v1.28.0", "v0.7.2", "v1.40.0"],
  ])("for Kubernetes %s are: metrics server %s, EBS CSI driver %s", (version, metrics, ebsCsi) => {
    expect(releaseFor(of("metricsServer"), version)).toBe(metrics);
    expect(releaseFor(of("ebsCsi"), version)).toBe(ebsCsi);
    expect(releaseFor(of("servingCertificateApprover"), version)).toBe("v0.12.0");
  });

  it("are published as one file per version", () => {
    expect(ADD_ONS.metricsServer.publishedManifest?.("v0.8.1")).toBe(
      "https://github.com/kubernetes-sigs/metrics-server/releases/download/v0.8.1/components.yaml",
    );
    expect(ADD_ONS.servingCertificateApprover.publishedManifest?.("v0.12.0")).toBe(
      "https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/v0.12.0/deploy/standalone-install.yaml",
    );
  });
});
