import * as pulumi from "@pulumi/pulumi";
import { type MachineArgs, makeMachine } from "../../../components/machines/makeMachine";
import { makePlacementGroup } from "../../../components/machines/placement";
import { makeLaunchTemplate } from "../../../components/workers/makeLaunchTemplate";
import type { WorkerMachinesArgs } from "../../../components/workers/workerPoolArgs";
import { build } from "../mockedGraph";

/** What a preview warns of if AWS has recorded these outputs of everything. */
async function warnings(
  make: () => unknown,
  recorded: Record<string, unknown>,
): Promise<readonly string[]> {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
  try {
    await build(make, { preview: true, recorded: () => recorded });
    // A line is logged once its resource is registered.
    await new Promise(setImmediate);
    return warn.mock.calls.map(([line]) => line);
  } finally {
    warn.mockRestore();
  }
}

const machine: MachineArgs = {
  clusterName: "prod",
  imageId: "ami-1",
  instanceType: "m6i.large",
  subnetId: "subnet-a",
  securityGroupIds: ["sg-1"],
};
const ofMachine = (recorded: Record<string, unknown>, args: Partial<MachineArgs> = {}) =>
  warnings(() => makeMachine("m", { ...machine, ...args }, {}), recorded);

describe("a machine that keeps what its arguments no longer have", () => {
  const reserved = (id: string) => ({
    capacityReservationSpecification: { capacityReservationTarget: { capacityReservationId: id } },
  });

  it("says which capacity reservation it keeps", async () => {
    expect(await ofMachine(reserved("cr-0a"))).toEqual([
      'm keeps the capacity reservation "cr-0a" of its creation: EC2 changes it only while a machine is stopped. Only a machine that is made again has "open"',
    ]);
    expect(await ofMachine(reserved("cr-0a"), { capacityReservation: { id: "cr-0b" } })).toEqual([
      expect.stringContaining('"cr-0a" of its creation'),
    ]);
  });

  it("says which volumes it keeps, but not those that a storage driver attached", async () => {
    const at = (deviceName: string) => ({ deviceName, volumeId: `vol-${deviceName.slice(-1)}` });
    const ebsBlockDevices = [at("/dev/sdf"), at("/dev/sdg"), at("/dev/xvdaa")];
    expect(await ofMachine({ ebsBlockDevices }, { etcdVolume: { sizeGib: 10 } })).toEqual([
      "m keeps its volume vol-g (/dev/sdg), with what is on it, and AWS charges for it: it goes only with the machine. Make the machine again if you don't need it",
    ]);
  });

  it("says nothing of what its arguments have, or what EC2 does by itself", async () => {
    const open = { capacityReservationSpecification: { capacityReservationPreference: "open" } };
    expect(await ofMachine({ ...open, ebsBlockDevices: [] })).toEqual([]);
    expect(await ofMachine(reserved("cr-0a"), { capacityReservation: { id: "cr-0a" } })).toEqual(
      [],
    );
    expect(await ofMachine({})).toEqual([]);
  });
});

describe("a launch template that keeps speeds which its arguments no longer have", () => {
  const pool: WorkerMachinesArgs = {
    clusterName: "prod",
    imageId: "ami-1",
    securityGroupId: "sg-1",
    subnets: {},
    machineConfiguration: "version: v1alpha1",
  };
  const ofTemplate = (
    ebs: { iops: number; throughput: number },
    rootVolume?: WorkerMachinesArgs["rootVolume"],
  ) =>
    warnings(
      () => {
        const parent = new pulumi.ComponentResource("test:index:Pool", "pool");
        const args = rootVolume === undefined ? pool : { ...pool, rootVolume };
        makeLaunchTemplate("t", "m6i.large", args, { parent });
      },
      { blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs }] },
    );

  it("says how to take them back", async () => {
    expect(await ofTemplate({ iops: 6_000, throughput: 500 })).toEqual([
      "the launch template t keeps iops 6000 of rootVolume, because the AWS provider takes back nothing that is left out: set rootVolume.iops to 3000, as of gp3",
      "the launch template t keeps throughputMib 500 of rootVolume, because the AWS provider takes back nothing that is left out: set rootVolume.throughputMib to 125, as of gp3",
    ]);
    expect(await ofTemplate({ iops: 6_000, throughput: 0 }, { type: "gp2" })).toEqual([
      "the launch template t keeps iops 6000 of rootVolume, because the AWS provider takes back nothing that is left out, and EC2 starts no machine with them on a gp2 volume: make another pool",
    ]);
  });

  it("says nothing of gp3's own, of those that are set, and of none", async () => {
    expect(await ofTemplate({ iops: 3_000, throughput: 0 })).toEqual([]);
    expect(
      await ofTemplate({ iops: 6_000, throughput: 500 }, { iops: 6_000, throughputMib: 500 }),
    ).toEqual([]);
  });
});

it("a placement group says that it keeps its number of partitions", async () => {
  const ofGroup = (partitions: number | undefined, partitionCount: number) =>
    warnings(
      () =>
        makePlacementGroup(
          "g",
          { strategy: "partition", ...(partitions !== undefined && { partitions }) },
          {},
          {},
        ),
      { partitionCount },
    );
  expect(await ofGroup(undefined, 5)).toEqual([
    "g keeps its 5 partitions, because the AWS provider takes back nothing that is left out: set placementGroup.partitions to say how many it has",
  ]);
  expect(await ofGroup(5, 5)).toEqual([]);
  expect(await ofGroup(undefined, 2)).toEqual([]);
});
