import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChangedMachines } from "../../cli/engine/changedMachines";
import { previewStack } from "../../cli/engine/previewStack";
import { refuseLostMachines } from "../../cli/refuseLostMachines";
import type { Rotation } from "../../provider";
import { lifeSteps } from "../engine/support/lifeSteps";
import { GrownCluster } from "./support/grownCluster";
import { restoreRun } from "./support/restoreRun";
import { snapshotTo } from "./support/snapshotTo";
import { type WatchedUp, watchedUp } from "./support/watchedUp";

/** Where the figures of the last run are, one object for each change. */
const FIGURES = join(__dirname, "../../.cache/life.json");

const FIXED = 2;
/** Two in the first zone, one in the second. */
const SCALED = 3;

/** What goes through its stages beside the Talos CA. */
const rotationOfOthers = (stage: "accept" | "issue" | "drop"): Rotation => {
  const each = { to: 2, stage } as const;
  return {
    etcdCa: each,
    serviceAccountKey: each,
    secretboxKey: each,
    bootstrapToken: each,
    trustdToken: each,
  };
};

// One cluster's life: each step goes on where the one before it ended.
describe("a cluster of three and a fixed and an auto scaling pool, by the real engine", () => {
  const step = lifeSteps();
  const figures: WatchedUp[] = [];
  let cluster: GrownCluster;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-life-"));
    cluster = await GrownCluster.start({
      talosVersion: "v1.11.5",
      versionContract: "v1.11",
      kubernetesVersion: "v1.34.0",
      network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
      controlPlane: { machineCount: 3 },
      workerPools: {
        apps: { machineCount: FIXED },
        burst: {
          autoScaling: { minSize: SCALED, maxSize: 6, warmupSeconds: 1 },
          subnets: "private",
        },
      },
    });
    await cluster.store("first");
  });

  afterAll(async () => {
    await cluster.world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keep = (watched: WatchedUp) => {
    figures.push(watched);
    mkdirSync(join(FIGURES, ".."), { recursive: true });
    writeFileSync(FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`);
  };

  /** Runs the engine while the endpoint and etcd are asked, and looks at what is there then. */
  const upWatched = async (change: string, run?: () => Promise<void>) => {
    const watched = await watchedUp(cluster, change, run);
    keep(watched);
    expect(watched.endpoint.failures).toEqual([]);
    expect(watched.etcd.failures).toEqual([]);
    expect(watched.etcd.dialledAgain).toBe(0);
    expect(watched.endpoint.answers).toBeGreaterThan(10);
    expect(watched.etcd.answers).toBeGreaterThan(10);
  };

  const expectWell = async (controlPlanes = 3) => {
    expect(await cluster.left()).toEqual(["same"]);
    expect(await cluster.voters()).toBe(controlPlanes);
    const { talosVersion, kubernetesVersion } = cluster.args;
    const running = cluster.world.emulator.nodes().map((node) => node.talosVersion);
    const count = controlPlanes + FIXED + SCALED;
    expect(running).toEqual(Array(count).fill(talosVersion));
    const nodes = await cluster.kubernetesNodes();
    expect(
      nodes.map(({ isReady, takesPods, kubelet }) => ({ isReady, takesPods, kubelet })),
    ).toEqual(Array(count).fill({ isReady: true, takesPods: true, kubelet: kubernetesVersion }));
    expect(await cluster.stored()).toContain("first");
  };

  for (const talosVersion of ["v1.12.1", "v1.13.0"]) {
    step(`is upgraded to Talos ${talosVersion}`, async () => {
      cluster.want({ talosVersion });
      await upWatched(`Talos ${talosVersion}`);
      await expectWell();
    });
  }

  step("is upgraded to Kubernetes v1.35.0", async () => {
    cluster.want({ kubernetesVersion: "v1.35.0" });
    await upWatched("Kubernetes v1.35.0");
    await expectWell();
  });

  for (const machineCount of [5, 3]) {
    step(`has ${machineCount} control plane machines`, async () => {
      cluster.want({ controlPlane: { machineCount } });
      await upWatched(`${machineCount} control plane machines`);
      await expectWell(machineCount);
    });
  }

  for (const [talosStage, kubernetesStage] of [
    ["accept", "accept"],
    ["issue", "issue"],
    ["drop", "renew"],
    ["drop", "drop"],
  ] as const) {
    step(
      `rotates its secrets: Kubernetes CA ${kubernetesStage}, all others ${talosStage}`,
      async () => {
        const rotation: Rotation = {
          talosCa: { to: 2, stage: talosStage },
          kubernetesCa: { to: 2, stage: kubernetesStage },
          ...rotationOfOthers(talosStage),
        };
        cluster.want({ rotation });
        await upWatched(`rotation ${talosStage}, ${kubernetesStage}`);
        await expectWell();
      },
    );
  }

  step("loses a worker: an update names the command that replaces it, and that works", async () => {
    await cluster.terminate("c-apps-1");
    const sysctls = { "net.core.somaxconn": "4096" };
    cluster.want({ workers: { patches: [{ machine: { sysctls } }] }, applyTimeoutSeconds: 15 });
    const failure: unknown = await cluster.up().catch((error: unknown) => error);
    expect(String(failure)).toContain(
      "If that machine is gone for good, run the command again with --refresh",
    );
    cluster.want({ applyTimeoutSeconds: undefined });
    await cluster.up({ refresh: true });
    await expectWell();
  });

  step("loses a control plane machine, and replaces it by one command", async () => {
    const [lost = ""] = await cluster.terminate("c-control-plane-2");
    // As `talos-aws up` does it.
    const { signal } = new AbortController();
    const { lost: found } = await findChangedMachines(cluster.world.stack, signal);
    expect(found).toEqual(["c-control-plane-2"]);
    await upWatched("a lost machine", () => cluster.up({ refresh: true }));
    expect(cluster.world.emulator.nodes().map(({ instanceId }) => instanceId)).not.toContain(lost);
    await expectWell();
  });

  step("loses its whole control plane, and restores its data from a snapshot", async () => {
    const snapshot = join(folder, "etcd.snapshot");
    await cluster.store("before");
    await snapshotTo(cluster, snapshot);
    await cluster.store("after");
    await cluster.terminate("c-control-plane-1", "c-control-plane-2", "c-control-plane-3");
    const { signal } = new AbortController();
    const { summary } = await previewStack(cluster.world.stack, { refresh: true, signal });
    expect(() => refuseLostMachines(summary)).toThrow("etcd has 0 of 3 members left and needs 2");
    const began = Date.now();
    const said = await restoreRun(cluster.world.stack, snapshot);
    const none = { answers: 0, dialledAgain: 0, mostDials: 0, longestMs: 0, failures: [] };
    const seconds = Math.round((Date.now() - began) / 1000);
    keep({ change: "a restore", seconds, endpoint: none, etcd: none });
    expect(said).toContain("recreated: c-control-plane-1, c-control-plane-2, c-control-plane-3");
    expect(await cluster.stored()).toEqual(["before", "first"]);
    expect(await cluster.voters()).toBe(3);
    expect(await cluster.left()).toEqual(["same"]);
  });

  step("is destroyed, and leaves nothing", async () => {
    await cluster.world.stack.destroy(cluster.world.record);
    expect(cluster.world.emulator.nodes()).toEqual([]);
  });
});
