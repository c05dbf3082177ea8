import { DescribeVolumesCommand, EC2Client, type Volume } from "@aws-sdk/client-ec2";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import { decodeDocuments } from "../../provider/config/yaml/encode";
import { eventually } from "../emulator/support/eventually";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { outputsIn, storedResources } from "../engine/support/storedResources";

/** So long the emulated cloud may take to follow AWS, on a machine with other work. */
const FOLLOW_MS = 120_000;

const common = {
  environment: "local",
  domain: "talos.example",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["127.0.0.0/8"],
  dns: { createZone: true },
  applySettledSeconds: 0,
} satisfies Partial<TalosClusterArgs>;

/** A cluster of other arguments than `environments/` has, in a world of its own. */
async function startWorld(
  args: (vpcRange: string) => TalosClusterArgs,
  usesCloudNames = false,
): Promise<EngineWorld> {
  let vpcRange = "";
  return startEngineWorld({
    usesCloudNames,
    prepare: (emulator) => {
      ({ vpcRange } = emulator);
      return Promise.resolve();
    },
    program: () => {
      const { endpoint, nodes, talosconfig } = new TalosCluster("hidden", args(vpcRange));
      return Promise.resolve({ endpoint, nodes, talosconfig });
    },
  });
}

async function volumesOf({ emulator }: EngineWorld): Promise<Volume[]> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const ec2 = new EC2Client({ region: "us-east-1", endpoint: emulator.url, credentials });
  const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({}));
  ec2.destroy();
  return Volumes;
}

describe("a control plane in private subnets", () => {
  it("is created from within the network, behind an internal load balancer and NAT", async () => {
    // This computer is in the network, as it were: its private addresses can be dialled.
    const world = await startWorld((vpcRange) => ({
      ...common,
      exposure: "internal",
      network: {
        cidrBlock: vpcRange,
        zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
        nat: "perZone",
      },
      controlPlane: { subnets: "private", etcdVolume: { sizeGib: 12 } },
      workerPools: {
        disks: {
          machineCount: 1,
          subnets: "private",
          rootVolume: { iops: 4_000, throughputMib: 250 },
          dataVolumes: { data: { sizeGib: 7, type: "io2", iops: 500 }, logs: { sizeGib: 9 } },
        },
      },
    }));
    try {
      await world.stack.up(world.record);
      const outputs = outputsIn(await storedResources(world.stack));
      // In no order: a worker may be there before the last control plane machine.
      const nodes = world.emulator.nodes();
      expect(outputs.nodes).toHaveLength(nodes.length);
      expect(outputs.nodes).toEqual(
        expect.arrayContaining(
          nodes.map(({ privateAddress, zone }): unknown =>
            expect.objectContaining({ privateAddress, publicAddress: "", zone }),
          ),
        ),
      );
      expect(nodes.map(({ address }) => address)).toEqual(
        nodes.map(({ privateAddress }) => privateAddress),
      );
      expect(new Set(nodes.map(({ zone }) => zone)).size).toBe(3);
      // Each has its volume for etcd, which AWS tells of and nobody wants to change.
      const volumes = await volumesOf(world);
      const ofSize = (gib: number) => volumes.filter(({ Size }) => Size === gib);
      const inUse = { Encrypted: true, State: "in-use" };
      expect(ofSize(12)).toMatchObject(Array(3).fill({ ...inUse, VolumeType: "gp3" }));
      // The worker has a faster root, and disks that its Talos is told of.
      expect(volumes.filter(({ Iops }) => Iops === 4_000)).toMatchObject([{ Throughput: 250 }]);
      expect(ofSize(7)).toMatchObject([{ ...inUse, VolumeType: "io2", Iops: 500 }]);
      expect(ofSize(9)).toMatchObject([{ ...inUse, VolumeType: "gp3" }]);
      const told = nodes.map(({ machineConfiguration = "" }) =>
        decodeDocuments(machineConfiguration).filter(({ kind }) => kind === "UserVolumeConfig"),
      );
      expect(told.filter((each) => each.length > 0)).toMatchObject([
        [{ name: "data" }, { name: "logs" }],
      ]);
      const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
      expect(Object.keys(changeSummary)).toEqual(["same"]);
      await world.stack.destroy(world.record);
      await eventually(() => expect(world.emulator.nodes()).toEqual([]), FOLLOW_MS);
      expect(await volumesOf(world)).toEqual([]);
    } finally {
      await world.close();
    }
  });

  it("is created through the public load balancer, with configurations from user data", async () => {
    const sysctls = { "vm.max_map_count": "262144" };
    let machineConfiguration: NonNullable<TalosClusterArgs["machineConfiguration"]> = {};
    const world = await startWorld(
      () => ({
        ...common,
        talosApiThroughLoadBalancer: true,
        machineConfiguration,
        network: { zones: ["us-east-1a"], nat: "single" },
        controlPlane: { subnets: "private", delivery: "userData" },
      }),
      true,
    );
    try {
      await world.stack.up(world.record);
      const outputs = outputsIn(await storedResources(world.stack));
      const nodes = world.emulator.nodes();
      // Nothing listens at their private addresses here, so it went through the load balancer.
      expect(nodes.map(({ privateAddress }) => privateAddress.startsWith("10.0."))).toEqual(
        Array(3).fill(true),
      );
      expect((outputs.talosconfig as { plaintext: string }).plaintext).toContain(
        "k8s.local.talos.example",
      );
      const ids = nodes.map(({ instanceId }) => instanceId).sort();

      // Another configuration goes over the Talos API, and leaves the machines alone.
      machineConfiguration = { sysctls };
      await world.stack.up(world.record);
      const after = world.emulator.nodes();
      expect(after.map(({ instanceId }) => instanceId).sort()).toEqual(ids);
      for (const node of after) {
        const [document] = decodeDocuments(node.machineConfiguration ?? "");
        expect(document).toMatchObject({ machine: { sysctls } });
      }
      const { changeSummary } = await world.stack.preview(world.record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
      await world.stack.destroy(world.record);
      await eventually(() => expect(world.emulator.nodes()).toEqual([]), FOLLOW_MS);
    } finally {
      await world.close();
    }
  });
});
