import * as pulumi from "@pulumi/pulumi";
import type { TalosClusterArgs } from "../../../../components";
import { planImmutable } from "../../../../components/cluster/plan/planImmutable";
import { immutableArgumentsHandler } from "../../../../provider/resources/immutableArguments";
import { valueOf } from "../../mockedGraph";

const KEY = "arn:aws:kms:us-east-1:123456789012:key/0123abcd";
const standard: TalosClusterArgs = {
  environment: "sandbox",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  network: { zones: ["us-east-1a"] },
};

function valuesOf(change: Partial<TalosClusterArgs> = {}): Promise<Record<string, string>> {
  return valueOf(pulumi.output(planImmutable({ ...standard, ...change }).values));
}

describe("the immutable arguments of a cluster", () => {
  it("are its network, the form of its zones, and the architecture of named machines", async () => {
    expect(await valuesOf()).toEqual({
      "network.adopt.vpcId": "made",
      "network.cidrBlock": "10.0.0.0/16",
      "network.zones": "named",
      "controlPlane.instanceType.architecture": "amd64",
      "controlPlane.kmsKeyId": "the account's default key",
    });
    const others = await valuesOf({
      network: { zoneCount: 2, cidrBlock: "10.7.0.0/16" },
      controlPlane: { instanceType: pulumi.output("m7g.large"), kmsKeyId: KEY },
      workerPools: {
        fixed: { machineCount: 2, instanceType: "c7g.large", kmsKeyId: KEY },
        empty: { machineCount: 0, instanceType: "c7g.large" },
        scaled: { autoScaling: { minSize: 1, maxSize: 2 }, instanceType: "c7g.large" },
      },
    });
    expect(others).toEqual({
      "network.adopt.vpcId": "made",
      "network.cidrBlock": "10.7.0.0/16",
      "network.zones": "counted",
      "controlPlane.instanceType.architecture": "arm64",
      "controlPlane.kmsKeyId": KEY,
      "workerPools.fixed.instanceType.architecture": "arm64",
      "workerPools.fixed.kmsKeyId": KEY,
    });
    expect(await valuesOf({ network: { adopt: { vpcId: "vpc-1" } } })).toEqual({
      "network.adopt.vpcId": "vpc-1",
      "controlPlane.instanceType.architecture": "amd64",
      "controlPlane.kmsKeyId": "the account's default key",
    });
  });

  it("cover that etcd's data is alone on its volume, and nothing else about the volume", async () => {
    const before = await valuesOf();
    const etcdVolume = { sizeGib: 20 };
    expect(await valuesOf({ controlPlane: { etcdVolume } })).toEqual(before);
    const everything = { ...etcdVolume, holds: "everything" } as const;
    expect(await valuesOf({ controlPlane: { etcdVolume: everything } })).toEqual(before);
    const alone = { controlPlane: { etcdVolume: { ...etcdVolume, holds: "etcd" } } } as const;
    const after = await valuesOf(alone);
    expect(after).toEqual({ ...before, "controlPlane.etcdVolume.holds": "etcd" });
    const { reasons, recordedWith } = planImmutable(standard);
    const inputs = (values: Record<string, string>) =>
      ({ values, reasons, recordedWith, accepted: {} }) as Parameters<
        typeof immutableArgumentsHandler.check
      >[1];
    for (const [olds, news] of [
      [inputs(before), inputs(after)],
      [inputs(after), inputs(before)],
    ] as const) {
      const { failures } = await immutableArgumentsHandler.check(olds, news);
      expect(failures).toEqual([
        {
          property: "controlPlane.etcdVolume.holds",
          reason: expect.stringContaining("Talos moves no volume") as string,
        },
      ]);
    }
  });

  it("cover the keys in KMS of generations that have encrypted Secrets", async () => {
    const kms = (keys: Record<string, string>) => ({
      secretsEncryption: { pluginImage: "kms:v1", kmsKeyArns: keys },
    });
    const at = (to: number, stage: "accept" | "issue" | "drop", keys?: Record<string, string>) => ({
      ...(keys && kms(keys)),
      rotation: { secretboxKey: { to, stage } },
    });
    const problems = async (
      before: Partial<TalosClusterArgs>,
      after: Partial<TalosClusterArgs>,
    ) => {
      const [olds, news] = await Promise.all(
        [before, after].map(async (change) => {
          const { reasons, recordedWith } = planImmutable({ ...standard, ...change });
          return { values: await valuesOf(change), reasons, recordedWith, accepted: {} };
        }),
      );
      const { failures } = await immutableArgumentsHandler.check(
        olds as never,
        news as unknown as Parameters<typeof immutableArgumentsHandler.check>[1],
      );
      return failures.map(({ property }) => property.replace("secretsEncryption.kmsKeyArns.", ""));
    };
    const way: readonly Partial<TalosClusterArgs>[] = [
      {},
      at(2, "accept", { 2: KEY }),
      at(2, "issue", { 2: KEY }),
      at(2, "drop", { 2: KEY }),
      at(3, "accept", { 2: KEY }),
      at(3, "issue", { 2: KEY }),
      at(3, "drop", { 2: KEY }),
      at(3, "drop"),
    ];
    for (const [index, after] of way.slice(1).entries()) {
      expect(await problems(way[index] ?? {}, after)).toEqual([]);
      const isBack = !("rotation" in after) || after.rotation.secretboxKey?.stage !== "drop";
      expect(isBack ? await problems(after, way[index] ?? {}) : []).toEqual([]);
    }
    for (const [before, after, generation] of [
      [{}, kms({ 1: KEY }), "1"],
      [kms({ 1: KEY }), {}, "1"],
      [kms({ 1: KEY }), kms({ 1: `${KEY}0` }), "1"],
      [at(2, "issue", { 2: KEY }), at(2, "issue"), "2"],
      [at(2, "drop", { 2: KEY }), at(2, "drop"), "2"],
      [at(2, "drop"), at(2, "drop", { 2: KEY }), "2"],
      [at(3, "accept", { 2: KEY }), at(3, "issue"), "2"],
    ] as const) {
      expect(await problems(before, after)).toEqual([generation]);
    }
  });

  it("cover internet access and the second range of a network", async () => {
    expect(await valuesOf({ network: { zones: ["us-east-1a"], internetAccess: false } })).toEqual(
      expect.objectContaining({ "network.adopt.vpcId": "made without internet access" }),
    );
    const network = { zones: ["us-east-1a"], workerCidrBlock: "100.64.0.0/16" };
    expect(await valuesOf({ network })).toMatchObject({
      "network.adopt.vpcId": "made",
      "network.workerCidrBlock": "100.64.0.0/16",
    });
  });

  it("leave zones, types of the same architecture, and numbers of machines free", async () => {
    const before = await valuesOf();
    const after = await valuesOf({
      network: { zones: ["us-east-1b", "us-east-1a"] },
      controlPlane: { machineCount: 5, instanceType: "c5.xlarge" },
    });
    expect(after).toEqual(before);
  });

  it("is the data volumes and the placement group of machines with names, which neither come nor go", async () => {
    const apps = { machineCount: 1 };
    const placed = {
      ...apps,
      dataVolumes: { logs: { sizeGib: 8 }, data: { sizeGib: 9 } },
      placementGroup: { strategy: "partition", partitions: 3 },
    } as const;
    expect(await valuesOf({ workerPools: { apps } })).not.toHaveProperty(
      "workerPools.apps.dataVolumes",
    );
    expect(await valuesOf({ workerPools: { apps: placed } })).toMatchObject({
      "workerPools.apps.dataVolumes": "data 9 GiB, logs 8 GiB",
      "workerPools.apps.placementGroup": "partition of 3",
    });
    const { recordedWith } = planImmutable({ ...standard, workerPools: { apps } });
    expect(recordedWith).toEqual({
      "controlPlane.etcdVolume.holds": "controlPlane.instanceType.architecture",
      "secretsEncryption.kmsKeyArns.1": "controlPlane.instanceType.architecture",
      "workerPools.apps.dataVolumes": "workerPools.apps.instanceType.architecture",
      "workerPools.apps.placementGroup": "workerPools.apps.instanceType.architecture",
    });
  });

  it("have a reason each, and can be accepted", () => {
    const { values, reasons, accepted } = planImmutable({
      ...standard,
      workerPools: { apps: { machineCount: 1 } },
      acceptedChanges: { "network.zones": "counted" },
    });
    expect(Object.keys(reasons)).toEqual(expect.arrayContaining(Object.keys(values)));
    expect(accepted).toEqual({ "network.zones": "counted" });
  });
});
