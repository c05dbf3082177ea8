import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { TalosClusterArgs } from "../../../../components";
import { chooseAddOns } from "../../../../components/cluster/addOns/chooseAddOns";
import { planCluster } from "../../../../components/cluster/plan/planCluster";
import { standardCluster } from "../standardCluster";

const COMPONENTS = join(__dirname, "../../../../components");

/** What follows from arguments alone: checks, plan and makers share it. */
const FACTS = [
  "addOnClusterOf",
  "clusterFirewall",
  "clusterIrsa",
  "dnsNames",
  "clusterRanges",
  "clusterZones",
  "mostNodes",
  "networkWithAddOns",
  "planMachineAccess",
];

function planned(args: Partial<TalosClusterArgs>) {
  const chosen = chooseAddOns({ ...standardCluster, ...args });
  return planCluster(chosen, () => pulumi.output("us-east-1"));
}

describe("the plan of a cluster", () => {
  it.each(FACTS)("has what %s says, and nothing asks it again", (fact) => {
    const files = readdirSync(COMPONENTS, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    expect(files).toContain("cluster/talosCluster.ts");
    const calls = files.flatMap((file) => {
      const text = readFileSync(join(COMPONENTS, file), "utf8");
      return [...text.matchAll(new RegExp(`(?<!function )\\b${fact}\\(`, "g"))].map(() => file);
    });
    expect(calls).toEqual(["cluster/plan/clusterFacts.ts"]);
  });

  it("has the places, types and volumes of all machines", () => {
    const { machines } = planned({
      controlPlane: { machines: { "2": { zone: "us-east-1c" } }, etcdVolume: { sizeGib: 10 } },
      workerPools: {
        apps: {
          machineCount: 2,
          instanceType: "t3.large",
          dataVolumes: { cache: { sizeGib: 200, iops: 4_000 } },
        },
        batch: {
          zones: ["us-east-1b", "us-east-1c"],
          autoScaling: { minSize: 1, maxSize: 4, moreInstanceTypes: ["m7i.large"] },
        },
      },
    });
    const zoneKeys = ["us-east-1a", "us-east-1b", "us-east-1c"];
    const root = { name: "root", sizeGib: 50, type: "gp3" };
    expect(machines.controlPlane).toEqual({
      subnets: "public",
      zoneKeys,
      instanceType: "m6i.large",
      groups: [],
      volumes: [root, { name: "etcd", sizeGib: 10, type: "gp3" }],
      named: [
        { key: "1", zoneKey: "us-east-1a", zoneIsChosen: false },
        { key: "2", zoneKey: "us-east-1c", zoneIsChosen: true },
        { key: "3", zoneKey: "us-east-1c", zoneIsChosen: false },
      ],
    });
    const [apps, batch] = machines.pools;
    expect(apps).toMatchObject({
      name: "apps",
      subnets: "public",
      zoneKeys,
      instanceType: "t3.large",
      groups: [],
      volumes: [root, { name: "data cache", sizeGib: 200, type: "gp3", iops: 4_000 }],
      named: [
        { key: "1", zoneKey: "us-east-1a" },
        { key: "2", zoneKey: "us-east-1b" },
      ],
    });
    expect(batch).toMatchObject({
      name: "batch",
      instanceType: "m6i.large",
      moreInstanceTypes: ["m7i.large"],
      named: [],
      groups: [
        { key: "us-east-1b", zoneKeys: ["us-east-1b"], minSize: 1, maxSize: 2 },
        { key: "us-east-1c", zoneKeys: ["us-east-1c"], minSize: 0, maxSize: 2 },
      ],
    });
  });

  it("has the roles of machines, with what add-ons need, and the add-ons' own", () => {
    const { permissions } = planned({
      irsa: true,
      addOns: { clusterAutoscaler: true, cloudController: { manifest: "kind: List" } },
      controlPlane: { role: { permissions: { ecrPull: true }, path: "/talos/" } },
      workers: { role: { none: true } },
      workerPools: {
        apps: { machineCount: 1 },
        own: { machineCount: 1, role: { instanceProfileName: "theirs" } },
      },
    });
    expect(permissions.controlPlane).toEqual({
      key: "control-plane",
      made: { permissions: { ecrPull: true, cloudController: true }, path: "/talos/" },
      instanceProfileName: undefined,
    });
    expect(permissions.workers).toEqual([
      { key: "workers", made: undefined, instanceProfileName: undefined },
      { key: "own", made: undefined, instanceProfileName: "theirs" },
    ]);
    expect(permissions.addOns).toEqual([
      {
        addOn: "clusterAutoscaler",
        account: "cluster-autoscaler",
        roleName: "cluster-autoscaler",
        permissions: { clusterAutoscaler: true },
      },
    ]);
  });
});
