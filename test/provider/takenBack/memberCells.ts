import { protocol } from "../../../provider/api/protocol";
import { ServedResource } from "../../conformance/support/servedResource";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import type { Cells } from "./cells";
import { failingWhen } from "./failingWhen";

interface Life {
  readonly cluster: SimulatedCluster;
  readonly first: SimulatedNode;
  readonly former: SimulatedNode;
  readonly up: (node: SimulatedNode) => Promise<unknown>;
  readonly members: () => Promise<readonly string[]>;
}

/** A place in an etcd of two, and how it changes its machine. */
function cell(run: (life: Life) => Promise<void>) {
  return async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const [first, former] = (await cluster.addConfigured(2)) as [SimulatedNode, SimulatedNode];
      await cluster.bootstrap(first, 2);
      const resource = new ServedResource("EtcdMember");
      const { credentials } = await machineAt(cluster, first.address);
      const up = ({ address, privateAddress, instanceId }: SimulatedNode) =>
        resource.up({
          machineId: instanceId,
          node: address,
          endpoint: address,
          privateAddress,
          credentials,
          peers: [first.address],
          timeoutSeconds: 20,
        });
      await up(former);
      const members = async () => {
        const client = await cluster.client(first);
        const { messages } = await client.unary(memberList, {});
        return (messages[0]?.members ?? []).map(({ hostname }) => hostname).sort();
      };
      await run({ cluster, first, former, up, members });
    } finally {
      await cluster.stop();
    }
  };
}

const { EtcdMemberList: memberList } = protocol.machine.MachineService.service;

const nameOf = ({ privateAddress }: SimulatedNode) => `ip-${privateAddress.replaceAll(".", "-")}`;

/** Replaces the former machine by one that has joined, and fails before the former one has left. */
async function failBetween({ cluster, first, former, up }: Life): Promise<void> {
  const next = await cluster.add(cluster.config("controlplane"));
  await cluster.waitForVoters(first, 3);
  await failingWhen(
    () => true,
    cluster,
    former,
    () => up(next),
  );
  await cluster.faults.liftAll();
}

/** What fails in the replacement of an `EtcdMember`: the new machine joins, then the former leaves. */
export const memberCells: Cells = {
  "before the first change": cell(async ({ cluster, first, former, up, members }) => {
    const never = await cluster.add();
    await expect(up(never)).rejects.toThrow(/did not take the place/);
    await up(former);
    expect(await members()).toEqual([first, former].map(nameOf));
    expect(await up(former)).toBe("same");
  }),
  "after the first change": cell(async (life) => {
    const { first, former, up, members } = life;
    await failBetween(life);
    await up(former);
    expect(await members()).toEqual([first, former].map(nameOf));
    expect(await up(former)).toBe("same");
  }),
  "between parts": cell(async (life) => {
    const { cluster, first, up, members } = life;
    await failBetween(life);
    // AWS makes another machine, which is neither of the two.
    const other = await cluster.add(cluster.config("controlplane"));
    await up(other);
    expect(await members()).toEqual([first, other].map(nameOf));
    expect(await up(other)).toBe("same");
  }),
  "at the last wait":
    "the former machine has left etcd then: only another machine can take its place",
};
