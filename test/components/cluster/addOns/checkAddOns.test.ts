import { checkAddOns } from "../../../../components/cluster/addOns/checkAddOns";
import { checkMetadataAccess } from "../../../../components/cluster/addOns/checkMetadataAccess";
import type { ClusterAddOnsArgs } from "../../../../components/cluster/arguments/clusterAddOnsArgs";
import type { TalosClusterArgs } from "../../../../components/cluster/arguments/talosClusterArgs";
import { standardCluster } from "../standardCluster";

const manifestUrls = ["https://example.com/v1.35.0/manifest.yaml"];

function problems(addOns: ClusterAddOnsArgs, change: Partial<TalosClusterArgs> = {}): string[] {
  const args = { ...standardCluster, ...change, addOns };
  return [...checkAddOns(args), ...checkMetadataAccess(args)].map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
}

describe("checkAddOns", () => {
  it("passes what can be", () => {
    expect(problems({})).toEqual([]);
    expect(
      problems({
        cloudController: { manifestUrls },
        ebsCsi: { manifest: "kind: List", kmsKeyArns: ["arn:aws:kms:us-east-1:1:key/a-b"] },
        servingCertificateApprover: false,
        metricsServer: { version: "v0.8.0" },
        cilium: { manifestUrls, kubeProxyReplacement: true },
      }),
    ).toEqual([]);
    expect(problems({ cilium: { manifest: "kind: List" } }, { cni: "cilium" })).toEqual([]);
  });

  it.each(["cloudController", "ebsCsi", "cilium"] as const)(
    "asks for the manifest of %s, which nobody publishes, and says how to come by it",
    (name) => {
      const [missing, ...others] = problems({ [name]: {} });
      expect(others).toEqual([]);
      expect(missing).toMatch(
        new RegExp(
          `^addOns\\.${name}: .*Helm chart and no manifest.*"helm template .*--repo https://`,
        ),
      );
      expect(problems({ [name]: { manifestUrls: [] } })).toEqual([missing]);
      expect(problems({ [name]: { manifestUrls, manifest: "" } })).toEqual([
        `addOns.${name}.manifest: it excludes manifestUrls: leave out one or the other`,
      ]);
    },
  );

  it("refuses what moves, what isn't safe and what has credentials in it", () => {
    const urls = [
      "http://example.com/a.yaml",
      "manifest.yaml",
      "https://me:hunter2@example.com/a.yaml",
      "https://raw.githubusercontent.com/a/b/main/c.yaml",
      "https://raw.githubusercontent.com/a/b/refs/heads/release/c.yaml",
      "https://github.com/a/b/releases/latest/download/c.yaml",
      "https://raw.githubusercontent.com/a/b/v1.2.3/c.yaml",
      "https://bucket.example.com/main/c.yaml",
    ];
    const found = problems({ metricsServer: { manifestUrls: urls } });
    expect(found.map((text) => text.split(":")[0])).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => `addOns.metricsServer.manifestUrls[${index}]`),
    );
    expect(found.join()).not.toContain("hunter2");
  });

  it("tells all at once what is wrong by itself", () => {
    expect(
      problems({
        servingCertificateApprover: { version: "0.12", manifestUrls },
        metricsServer: { manifestUrls: [] },
        ebsCsi: { manifestUrls, kmsKeyArns: ["key"] },
      }).map((text) => text.split(":")[0]),
    ).toEqual([
      "addOns.servingCertificateApprover.version",
      "addOns.servingCertificateApprover.version",
      "addOns.metricsServer.manifestUrls",
      "addOns.ebsCsi.kmsKeyArns[0]",
    ]);
  });

  it("tells what goes against the cluster's other arguments", () => {
    const addOns = { cloudController: { manifestUrls }, cilium: { manifestUrls } };
    expect(
      problems(addOns, {
        cni: "calico",
        cniManifests: manifestUrls,
        machineConfiguration: { externalCloudProvider: {} },
        controlPlane: { role: { none: true } },
      }),
    ).toEqual([
      `addOns.cilium: pods have one network: leave out cni, "calico" here, or this`,
      "addOns.cilium: it excludes cniManifests: leave out one or the other",
      "addOns.cloudController: it excludes machineConfiguration.externalCloudProvider: leave out one or the other",
      "addOns.cloudController: it calls AWS, which no machine can with controlPlane.role.none: leave that out",
    ]);
    expect(problems({ metricsServer: true }, { cni: "calico" })).toEqual([]);
    const none = { role: { none: true } };
    const ebsCsi = { manifestUrls };
    const pools = { one: { machineCount: 1 }, two: { machineCount: 1, role: {} } };
    expect(problems({ ebsCsi }, { workers: none, workerPools: { one: pools.one } })).toEqual([
      "addOns.ebsCsi: it calls AWS, which no worker can whose role is none: give a pool a role",
    ]);
    const reachable = { one: pools.one, two: { ...pools.two, metadataHopLimit: 2 } };
    expect(problems({ ebsCsi }, { workers: none, workerPools: reachable })).toEqual([]);
  });

  describe("on where the metadata service answers", () => {
    const ebsCsi = { manifestUrls };
    const apps = { machineCount: 1 };
    const cut = [
      expect.stringMatching(/^addOns.ebsCsi: its controller's pods call AWS.*hostNetwork/),
    ];

    it("refuses the EBS CSI driver where no machine lets its pods reach it", () => {
      expect(problems({ ebsCsi }, { workerPools: { apps } })).toEqual(cut);
      const powerless = { ...apps, metadataHopLimit: 2, role: { none: true } };
      expect(problems({ ebsCsi }, { workerPools: { apps, powerless } })).toEqual(cut);
      const workerPools = { apps, system: { ...apps, metadataHopLimit: 2 } };
      expect(problems({ ebsCsi }, { workerPools })).toEqual([]);
      const inMachines = { ...ebsCsi, hostNetwork: true };
      expect(problems({ ebsCsi: inMachines }, { workerPools: { apps } })).toEqual([]);
    });

    it("counts control planes that workloads run on", () => {
      const machineConfiguration = { allowSchedulingOnControlPlanes: true };
      expect(problems({ ebsCsi }, { machineConfiguration })).toEqual([]);
      const controlPlane = { delivery: "userData" } as const;
      expect(problems({ ebsCsi }, { machineConfiguration, controlPlane })).toEqual(cut);
    });
  });
});
