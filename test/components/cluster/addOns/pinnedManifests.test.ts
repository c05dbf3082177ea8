import { pinnedManifest, releaseFor } from "../../../../components/cluster/addOns/pinnedManifests";
import { supportedKubernetes } from "../../../../provider/config/supportTable";

describe("the pinned manifests", () => {
  it.each([
    ["v1.36.0", "v0.8.1"],
    ["1.31.4", "v0.8.1"],
    ["v1.30.1", "v0.7.2"],
    ["v1.28.0", "v0.7.2"],
  ])("go with Kubernetes %s: metrics server %s", (kubernetesVersion, version) => {
    expect(releaseFor("metricsServer", kubernetesVersion)).toBe(version);
    expect(releaseFor("servingCertificateApprover", kubernetesVersion)).toBe("v0.12.0");
  });

  it("know every Kubernetes that a supported Talos runs", () => {
    const oldest = ["v1.10.6", "v1.11.6", "v1.12.1", "v1.13.9"].map(
      (version) => supportedKubernetes(version)?.oldestMinor ?? NaN,
    );
    // The oldest release that is named goes with it, by its own matrix.
    expect(Math.min(...oldest)).toBeGreaterThanOrEqual(27);
  });

  it("name one file of one version", () => {
    expect(pinnedManifest("metricsServer", "v0.8.1")).toBe(
      "https://github.com/kubernetes-sigs/metrics-server/releases/download/v0.8.1/components.yaml",
    );
    expect(pinnedManifest("servingCertificateApprover", "v0.12.0")).toBe(
      "https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/v0.12.0/deploy/standalone-install.yaml",
    );
  });
});
