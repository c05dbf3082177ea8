import fc from "fast-check";
import { EtcdCluster } from "../../../../emulator/talos/etcd/etcdCluster";

function clusterOf(size: number): EtcdCluster {
  const cluster = new EtcdCluster(() => undefined);
  for (let index = 0; index < size; index += 1) {
    const { id } = cluster.add(`node-${index}`, `10.0.0.${index}`, { version: "3.6.7" });
    cluster.update(id, { isLearner: false });
  }
  return cluster;
}

describe("an etcd cluster", () => {
  test("begins with one member that votes and leads", () => {
    const cluster = clusterOf(0);
    expect(cluster.hasQuorum).toBe(false);
    const member = cluster.add("one", "10.0.0.1", { version: "3.6.7" });
    expect(member).toMatchObject({
      isLearner: false,
      peerUrl: "https://10.0.0.1:2380",
      clientUrl: "https://10.0.0.1:2379",
    });
    expect(cluster.leader?.id).toBe(member.id);
  });

  test("accepts one learner at a time", () => {
    const cluster = clusterOf(1);
    expect(cluster.canAddLearner).toBe(true);
    const learner = cluster.add("two", "10.0.0.2", { version: "3.6.7" });
    expect(learner.isLearner).toBe(true);
    expect(cluster.canAddLearner).toBe(false);
    cluster.update(learner.id, { isLearner: false });
    expect(cluster.canAddLearner).toBe(true);
  });

  test("has a majority, and a leader, exactly while more than half of the voters run", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), (running) => {
        const cluster = clusterOf(running.length);
        cluster.members.forEach(({ id }, index) =>
          cluster.update(id, { isRunning: running[index] === true }),
        );
        const up = running.filter(Boolean).length;
        expect(cluster.hasQuorum).toBe(up > running.length / 2);
        expect(cluster.leader?.isRunning).toBe(cluster.hasQuorum ? true : undefined);
      }),
    );
  });

  test("elects another leader, in a new term, when the leader stops", () => {
    const cluster = clusterOf(3);
    const { leader, raftTerm } = cluster;
    cluster.update(leader?.id ?? 0n, { isRunning: false });
    expect(cluster.leader?.name).toBe("node-1");
    expect(cluster.raftTerm).toBe(raftTerm + 1);
  });

  test("lets a machine replace a silent member only if it has the same name", () => {
    const cluster = clusterOf(3);
    const silent = cluster.members[1];
    cluster.update(silent?.id ?? 0n, { isRunning: false });
    cluster.removeNamesake("node-3");
    expect(cluster.canAddLearner).toBe(false);
    cluster.removeNamesake("node-1");
    expect(cluster.members.map(({ name }) => name)).toEqual(["node-0", "node-2"]);
    expect(cluster.canAddLearner).toBe(true);
  });

  test("keeps the member of the same name while it has no majority", () => {
    const cluster = clusterOf(2);
    cluster.update(cluster.members[1]?.id ?? 0n, { isRunning: false });
    cluster.removeNamesake("node-1");
    expect(cluster.members).toHaveLength(2);
  });

  test("forgets a removed member", () => {
    const cluster = clusterOf(3);
    const [, second] = cluster.members;
    expect(cluster.remove(second?.id ?? 0n)).toBe(true);
    expect(cluster.remove(second?.id ?? 0n)).toBe(false);
    expect(cluster.members.map(({ name }) => name)).toEqual(["node-0", "node-2"]);
  });
});
