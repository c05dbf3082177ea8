import {
  RELEASED_WITH_KUBERNETES,
  releaseFor,
  releasesOf,
} from "../../../../components/cluster/addOns/addOnReleases";
import { pinnedManifest } from "../../../../components/cluster/addOns/pinnedManifests";
import { supportedKubernetes } from "../../../../provider/config/supportTable";

/** Every Kubernetes minor that a Talos minor of the support table runs. */
const supported = ["v1.10", "v1.11", "v1.12", "v1.13", "v1.14"].flatMap(
  (talosVersion) => supportedKubernetes(talosVersion) ?? [],
);
const oldest = Math.min(...supported.map(({ oldestMinor }) => oldestMinor));
const newest = Math.max(...supported.map(({ newestMinor }) => newestMinor));
const minors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);

const addOns = [
  "cloudController",
  "clusterAutoscaler",
  "ebsCsi",
  "loadBalancerController",
  "externalDns",
  "nodeTerminationHandler",
  "podIdentityWebhook",
  "servingCertificateApprover",
  "metricsServer",
  "auditLog",
] as const;

describe("the releases of add-ons", () => {
  it("exist for all Talos minors in the support table", () => {
    expect(supported).toHaveLength(5);
    expect(supportedKubernetes("v1.15")).toBeUndefined();
  });

  it.each(addOns)("cover every Kubernetes minor that a supported Talos runs: %s", (addOn) => {
    const firsts = releasesOf(addOn).map(({ oldestMinor }) => oldestMinor);
    expect(firsts).toEqual([...new Set(firsts)].sort((one, other) => other - one));
    expect(firsts.at(-1)).toBeLessThanOrEqual(oldest);
    for (const { version } of releasesOf(addOn)) {
      expect(version).toMatch(/^v\d+\.\d+\.\d+$/);
    }
  });

  it.each(RELEASED_WITH_KUBERNETES)("fit only one minor: %s", (addOn) => {
    const [{ oldestMinor: last }] = releasesOf(addOn);
    for (const minor of minors) {
      const expected = Math.min(minor, last);
      expect(releaseFor(addOn, `v1.${minor}.0`)).toMatch(new RegExp(`^v1\\.${expected}\\.`));
    }
  });

  it("reach the newest minor, but for what is not published", () => {
    const newestOf = (addOn: (typeof addOns)[number]) => releasesOf(addOn)[0].oldestMinor;
    expect(RELEASED_WITH_KUBERNETES.map((addOn) => [addOn, newestOf(addOn)])).toEqual([
      ["cloudController", newest],
      ["clusterAutoscaler", newest - 1],
    ]);
    expect(releaseFor("cloudController", "v1.37.0")).toBe("v1.37.1");
  });

  it.each([
    ["v1.36.0", "v0.8.1", "v1.64.0"],
    ["1.31.4", "v0.8.1", "v1.64.0"],
    ["v1.30.1", "v0.7.2", "v1.40.0"],
    ["v1.28.0", "v0.7.2", "v1.40.0"],
  ])("for Kubernetes %s are: metrics server %s, EBS CSI driver %s", (version, metrics, ebsCsi) => {
    expect(releaseFor("metricsServer", version)).toBe(metrics);
    expect(releaseFor("ebsCsi", version)).toBe(ebsCsi);
    expect(releaseFor("servingCertificateApprover", version)).toBe("v0.12.0");
  });

  it("are published as one file per version", () => {
    expect(pinnedManifest("metricsServer", "v0.8.1")).toBe(
      "https://github.com/kubernetes-sigs/metrics-server/releases/download/v0.8.1/components.yaml",
    );
    expect(pinnedManifest("servingCertificateApprover", "v0.12.0")).toBe(
      "https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/v0.12.0/deploy/standalone-install.yaml",
    );
  });
});
