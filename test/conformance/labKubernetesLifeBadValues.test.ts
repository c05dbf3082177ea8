import { BAD_VALUES, type BadValue } from "./kubernetesLife/badValues";
import { describeKubernetesLife } from "./kubernetesLife/describeLife";
import { LifeCluster } from "./kubernetesLife/lifeCluster";
import { type LifeWish, machinesOf } from "./kubernetesLife/lifeWish";
import type { MachineTruth } from "./kubernetesLife/machineTruth";
import { makeWorkloads } from "./kubernetesLife/workloads";
import { LAB } from "./support/labRelease";

const wish: LifeWish = {
  controlPlanes: ["cp1", "cp2", "cp3"],
  workers: ["w1", "w2"],
  kubernetesVersion: LAB.kubernetes.former,
};

/** What a row may have in a program, as it is without the row. */
const GOOD = {
  patches: {},
  kubernetesVersion: wish.kubernetesVersion,
  applyTimeoutSeconds: undefined,
  manifestsTimeoutSeconds: undefined,
} as const;

// Each row begins with a cluster that is well: another one, if the row before has broken it for good.
describeKubernetesLife("bad values in a cluster's program", (lab) => {
  let cluster: LifeCluster | undefined;

  const fresh = async (): Promise<LifeCluster> => {
    await cluster?.close();
    // One that a row has broken is not taken up again.
    cluster = await LifeCluster.start(lab, wish, { isNew: cluster !== undefined });
    await makeWorkloads(cluster);
    return cluster;
  };

  const wellCluster = async (): Promise<LifeCluster> => {
    const known = cluster;
    if (known === undefined) {
      return fresh();
    }
    const problems = await known.problems().catch((error: unknown) => [String(error)]);
    return problems.length === 0 ? known : fresh();
  };

  afterAll(async () => {
    await cluster?.close();
  });

  // Not by `it.each`, which cuts names off that `-t` looks for.
  for (const row of BAD_VALUES) {
    it(`${row.name}, and it is taken back`, async () => {
      const life = await wellCluster();
      const before = await life.truths();
      life.want(row.change);
      const previewed = await life.stack.preview();
      const { succeeded, said } = await life.up();
      const after = await life.truths();
      life.want(GOOD);
      const back = await life.up();
      expect(back).toMatchObject({ succeeded: true });
      await life.awaitWell();
      expect(touched(before, await life.truths())).toEqual([]);
      expect((await life.stack.preview()).steps).toEqual([]);
      // Only now: whatever came of it, the next row begins with a cluster that is well.
      expect(said).toMatch(row.says);
      expect(succeeded).toBe(row.expected === "done");
      if (row.expected === "refused") {
        expect(previewed.said).toMatch(row.says);
        expect(previewed.succeeded).toBe(false);
      }
      const may = mayTouch(row);
      expect(touched(before, after).filter((name) => !may.includes(name))).toEqual([]);
      expect(back.heard.mostAway).toBeLessThan(2);
    });
  }
});

/** The machines that were told something else, or start their kubelet otherwise. */
function touched(
  before: Readonly<Record<string, MachineTruth>>,
  after: Readonly<Record<string, MachineTruth>>,
): string[] {
  const told = (truth: MachineTruth | undefined) => `${truth?.configuration} ${truth?.kubelet}`;
  return Object.keys(before).filter((name) => told(before[name]) !== told(after[name]));
}

function mayTouch({ expected, reaches = "controlplane" }: BadValue): readonly string[] {
  if (expected === "done") {
    return machinesOf(wish);
  }
  if (expected === "refused") {
    return [];
  }
  const { controlPlanes, workers } = wish;
  return {
    controlplane: controlPlanes.slice(0, 1),
    worker: workers.slice(0, 1),
    manifests: controlPlanes,
  }[reaches];
}
