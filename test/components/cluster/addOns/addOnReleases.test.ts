import {
  RELEASED_WITH_KUBERNETES,
  releaseFor,
  releasesOf,
} from "../../../../components/cluster/addOns/addOnReleases";
import { pinnedManifest } from "../../../../components/cluster/addOns/pinnedManifests";
import { supportedKubernetes } from "../../../../provider/config/supportTable";

/** Every Kubernetes minor that a Talos minor of the support table runs. */
const supported = ["v1.10", "v1.11", "v1.12", "v1.13"].flatMap(
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
  "podIdentityWebhook",
  "servingCertificateApprover",
  "metricsServer",
] as const;

describe("the releases of add-ons", () => {
  it("exist for all Talos minors in the support table", () => {
    expect(supported).toHaveLength(4);
    expect(supportedKubernetes("v1.14")).toBeUndefined();
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
    for (const minor of minors) {
      expect(releaseFor(addOn, `v1.${minor}.0`)).toMatch(new RegExp(`^v1\\.${minor}\\.`));
    }
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
