import { protocol } from "../../../provider/api/protocol";
import { createIdentity } from "../../../provider/pki/generateSecretsBundle";
import { SimulatedCluster } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;

let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});

afterEach(async () => {
  vi.useRealTimers();
  await cluster.stop();
});

describe("the simulated discovery service", () => {
  it("shows a machine those with its id and secret, and others nothing", async () => {
    const { world, secrets } = cluster;
    const other = createIdentity();
    const [one, two] = [
      await cluster.add(cluster.config("controlplane")),
      await cluster.add(cluster.config("worker", [{ cluster: { secret: other.secret } }])),
    ];
    const seenBy = (identity: typeof other) =>
      world.peersOf(identity).map(({ privateAddress }) => privateAddress);
    expect(seenBy(secrets.cluster)).toEqual([one.privateAddress]);
    expect(seenBy({ ...secrets.cluster, secret: other.secret })).toEqual([two.privateAddress]);
    expect(seenBy({ ...other, secret: secrets.cluster.secret })).toEqual([]);
  });

  it("keeps the entry of a former identity for half an hour, and joins no other cluster by it", async () => {
    const { world, secrets } = cluster;
    const node = await cluster.add(cluster.config("controlplane"));
    await cluster.bootstrap(node, 1);
    const before = await cluster.kubernetes();
    const other = createIdentity();
    await (
      await cluster.client(node)
    ).unary(machine.ApplyConfiguration, {
      data: Buffer.from(cluster.config("controlplane", [{ cluster: { ...other } }])),
      mode: "NO_REBOOT",
      dryRun: false,
      tryModeTimeout: null,
    });
    expect(world.peersOf(other)).toHaveLength(1);
    expect(world.peersOf(secrets.cluster)).toHaveLength(1);
    // Kubernetes and etcd are found by the endpoint and their CAs.
    expect(await cluster.kubernetes()).toBe(before);
    vi.useFakeTimers({ now: Date.now() + 31 * 60_000, toFake: ["Date"] });
    expect(world.peersOf(secrets.cluster)).toEqual([]);
  });
});
