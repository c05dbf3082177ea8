import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { planStackRepair } from "../../cli/repair/repairStack";
import type { RotationStage } from "../../provider";
import { eventually } from "../emulator/support/eventually";
import { chosenPoints } from "../engine/support/chosenPoints";
import { FOLLOW_MS } from "../engine/support/controlPlaneLife";
import { endPlugins } from "../engine/support/endPlugins";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { GrownCluster } from "./support/grownCluster";
import { KILL_MOMENTS, type KillPoint, KillPoints, operationOf } from "./support/killPoints";
import { restoreRun } from "./support/restoreRun";
import { snapshotTo } from "./support/snapshotTo";

/** `all`, or a number that chooses three points of each change. */
const MODE = process.env.KILLED_CHANGES ?? "all";

/** The fewest kills of a change. What a seed chooses may not happen: many operations change no machine. */
const FEWEST = MODE === "all" ? 3 : 0;

type Wanted = Parameters<GrownCluster["want"]>[0];

const started = {
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  network: { zones: ["us-east-1a"] },
  controlPlane: { machineCount: 3 },
  workerPools: { apps: { machineCount: 1 } },
};

/** All secrets in a stage; the Kubernetes CA has one more. */
const rotation = (
  stage: "accept" | "issue" | "drop",
  kubernetes: RotationStage = stage,
): Wanted => {
  const each = { to: 2, stage } as const;
  return {
    rotation: {
      talosCa: each,
      kubernetesCa: { to: 2, stage: kubernetes },
      etcdCa: each,
      serviceAccountKey: each,
      secretboxKey: each,
      bootstrapToken: each,
      trustdToken: each,
    },
  };
};

/** What is changed one after the other, each from the end of the one before. */
const changes: readonly (readonly [string, Wanted])[] = [
  // Neither is possible without the other: Talos first, and on the way back Kubernetes.
  ["an upgrade of both", { talosVersion: "v1.13.0", kubernetesVersion: "v1.36.0" }],
  ["a return of both", { talosVersion: "v1.12.1", kubernetesVersion: "v1.35.0" }],
  [
    "more machines",
    { controlPlane: { machineCount: 5 }, workerPools: { apps: { machineCount: 2 } } },
  ],
  [
    "fewer machines",
    { controlPlane: { machineCount: 3 }, workerPools: { apps: { machineCount: 1 } } },
  ],
  ["a rotation's accept", rotation("accept")],
  ["a rotation's issue", rotation("issue")],
  ["a rotation's renew", rotation("drop", "renew")],
  ["a rotation's drop", rotation("drop")],
  ["an upgrade of both again", { talosVersion: "v1.13.9", kubernetesVersion: "v1.36.0" }],
  // Talos takes the steps one by one since v1.13, and etcd has no way back from v1.14.
  ["an upgrade of Talos", { talosVersion: "v1.14.1" }],
  ["an upgrade of Kubernetes", { kubernetesVersion: "v1.37.0" }],
];

// One cluster's life: each change ends as it would have without a kill.
describe("an engine that is killed while a cluster changes", () => {
  const step = lifeSteps();
  let cluster: GrownCluster;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-kills-"));
    cluster = await GrownCluster.start(started);
    await cluster.store("first");
  });

  afterAll(async () => {
    await cluster.world.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** How the machines are: what of them a run changes. */
  const look = () =>
    JSON.stringify(
      cluster.world.emulator
        .nodes()
        .map(({ instanceId, stage, talosVersion, bootstrapCalls, machineConfiguration }) => [
          instanceId,
          stage,
          talosVersion,
          bootstrapCalls,
          machineConfiguration?.length,
        ]),
    );

  /** As `talos-aws up` does it. */
  const repair = async () => {
    const { steps, apply } = await planStackRepair(cluster.world.stack);
    expect(steps.filter(({ kind }) => kind === "undecided")).toEqual([]);
    await apply({ onOutput: cluster.world.record.onOutput, color: "never" });
  };

  /** Kills runs at one point after the other, until one of them comes to its end. */
  const killAt = async (
    points: readonly KillPoint[],
    run: (options: { onEvent: (event: EngineEvent) => void }) => Promise<unknown>,
  ): Promise<KillPoints> => {
    const watched = new KillPoints(points, look);
    const state = { isEnded: false };
    while (!state.isEnded) {
      watched.restart();
      const toEnd = async (options: { onEvent: (event: EngineEvent) => void }) => {
        await run(options);
        state.isEnded = true;
      };
      const isReached = (event: EngineEvent) => watched.isReached(event);
      await killedWhile(toEnd, isReached, cluster.world, endPlugins).catch((error: unknown) => {
        if (!state.isEnded) {
          throw new Error(`after kills at ${watched.reached.join(", ")}`, { cause: error });
        }
      });
    }
    return watched;
  };

  const pointsOf = (operations: readonly string[]): readonly KillPoint[] =>
    chosenPoints(
      MODE,
      operations.flatMap((operation) => KILL_MOMENTS.map((moment) => `${operation} ${moment}`)),
      [],
    ) as readonly KillPoint[];

  const plannedOperations = async (): Promise<string[]> => {
    const operations = new Set<string>();
    const { stack, record } = cluster.world;
    await stack.preview({
      ...record,
      onEvent: (event: EngineEvent) => {
        const operation = operationOf(event);
        if (operation !== undefined) {
          operations.add(operation);
        }
      },
    });
    return [...operations];
  };

  const expectEnd = async () => {
    const { talosVersion, kubernetesVersion, controlPlane, workerPools } = cluster.args;
    const voters = controlPlane?.machineCount ?? 3;
    const count = voters + (workerPools?.apps?.machineCount ?? 0);
    expect(await cluster.left()).toEqual(["same"]);
    expect(await cluster.voters()).toBe(voters);
    expect(cluster.world.emulator.nodes().map((node) => node.talosVersion)).toEqual(
      Array(count).fill(talosVersion),
    );
    const nodes = await cluster.kubernetesNodes();
    expect(nodes.map(({ name: _, ...facts }) => facts)).toEqual(
      Array(count).fill({ isReady: true, takesPods: true, kubelet: kubernetesVersion }),
    );
    expect(await cluster.stored()).toContain("first");
  };

  for (const [name, wanted] of changes) {
    step(`reaches the intended end: ${name}`, async () => {
      cluster.want(wanted);
      const points = pointsOf(await plannedOperations());
      expect(points).not.toEqual([]);
      const { reached } = await killAt(points, async (options) => {
        await repair();
        await cluster.up(options);
      });
      expect(reached.length).toBeGreaterThanOrEqual(FEWEST);
      await expectEnd().catch((error: unknown) => {
        throw new Error(`after kills at ${reached.join(", ")}: ${String(error)}`, { cause: error });
      });
    });
  }

  step("reaches the intended end: a restore of two lost machines of three", async () => {
    const { world } = cluster;
    const snapshot = join(folder, "etcd.snapshot");
    await snapshotTo(cluster, snapshot);
    await cluster.store("after");
    await cluster.terminate("c-control-plane-1", "c-control-plane-2");
    await cluster.world.stack.refresh(world.record);
    const points = pointsOf(await plannedOperations());
    const { reached } = await killAt(points, async ({ onEvent }) => {
      try {
        await restoreRun(world.stack, snapshot, onEvent);
      } catch (error) {
        // Killed when the cluster was well already: it says so, and what to do.
        if (!String(error).includes("etcd has come back from this snapshot")) {
          throw error;
        }
        await repair();
        await cluster.up({ refresh: true, onEvent });
      }
    });
    expect(reached.length).toBeGreaterThanOrEqual(FEWEST);
    expect(await cluster.stored()).toEqual(["first"]);
    await eventually(async () => expect(await cluster.voters()).toBe(3), FOLLOW_MS);
    expect(await cluster.left()).toEqual(["same"]);
  });
});
