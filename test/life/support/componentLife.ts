import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Rotation } from "../../../provider";
import { eventually } from "../../emulator/support/eventually";
import { lifeSteps } from "../../engine/support/lifeSteps";
import { GrownCluster } from "./grownCluster";
import type { MachinesOfLife } from "./machinesOfLife";
import { restoreRun } from "./restoreRun";
import { snapshotTo } from "./snapshotTo";

const CONTROL_PLANES = 3;
const WORKERS = 2;
const LABEL = "example.com/life";
const REPLICAS = 2;

/** Real machines pull images, and elect leaders again, within that time after a change. */
const WELL_MS = 300_000;

const workload = {
  metadata: { name: "life" },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: "life" } },
    template: {
      metadata: { labels: { app: "life" } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "life",
            image: "docker.io/library/busybox:1",
            command: ["httpd", "-f", "-p", "8080", "-h", "/"],
          },
        ],
      },
    },
  },
};

/**
 * Declares the life of a `TalosCluster`, from nothing to its destruction, by the real engine. Simulated and real machines
 * live it alike: each assertion holds for both.
 *
 * @param find finds the machines, when the life begins
 */
export function componentLife(find: () => MachinesOfLife | Promise<MachinesOfLife>): void {
  const step = lifeSteps();
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-component-life-"));
  let machines: MachinesOfLife;
  const begun: GrownCluster[] = [];
  let cluster: GrownCluster;
  let ownPatches: readonly object[] = [];
  let controlPlanes = CONTROL_PLANES;

  afterAll(async () => {
    await Promise.all(begun.map(({ world }) => world.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** The control plane as the life has it at the moment. */
  const controlPlane = () => ({
    controlPlane: { machineCount: controlPlanes },
    patches: [...machines.patches.controlPlane, ...ownPatches],
  });

  const awaitWell = async () => {
    await eventually(async () => {
      const nodes = await cluster.kubernetesNodes();
      const { kubernetesVersion: kubelet } = cluster.args;
      expect(
        nodes.map(({ isReady, takesPods, kubelet: runs }) => ({ isReady, takesPods, runs })),
      ).toEqual(
        Array(controlPlanes + WORKERS).fill({ isReady: true, takesPods: true, runs: kubelet }),
      );
      expect(await cluster.availablePods("life")).toBe(REPLICAS);
    }, WELL_MS);
    expect(await cluster.voters()).toBe(controlPlanes);
    expect(await cluster.left()).toEqual(["same"]);
  };

  const rotate = async (stage: "accept" | "issue" | "renew" | "drop") => {
    const rotation: Rotation = {
      talosCa: { to: 2, stage: stage === "renew" ? "issue" : stage },
      kubernetesCa: { to: 2, stage },
    };
    cluster.want({ rotation });
    await cluster.up();
    await awaitWell();
  };

  step("comes up from nothing, with workloads", async () => {
    machines = await find();
    const { talosVersion, versionContract, kubernetes, args, patches, program } = machines;
    cluster = await GrownCluster.start(
      {
        ...args,
        talosVersion,
        versionContract,
        kubernetesVersion: kubernetes.former,
        ...controlPlane(),
        workers: { patches: [...patches.workers] },
        workerPools: { apps: { machineCount: WORKERS } },
      },
      program === undefined ? {} : { machines: program },
    );
    begun.push(cluster);
    await cluster.store("first");
    await cluster.create("/apis/apps/v1/namespaces/default/deployments", workload);
    await awaitWell();
  });

  step("labels its workers", async () => {
    cluster.want({ workerPools: { apps: { machineCount: WORKERS, labels: { [LABEL]: "yes" } } } });
    await cluster.up();
    await awaitWell();
    expect(await cluster.labelled(LABEL, "yes")).toBe(WORKERS);
  });

  step("stops at the first machine with a flag that only the API server can judge", async () => {
    ownPatches = [badFlag(machines.versionContract)];
    cluster.want({ ...controlPlane(), applyTimeoutSeconds: 90 });
    const failure: unknown = await cluster.up().catch((error: unknown) => error);
    expect(String(failure)).toContain("kube-apiserver");
    await cluster.ask(await cluster.access(), "/api/v1/nodes");
  });

  step("takes the flag back", async () => {
    ownPatches = [];
    cluster.want({ ...controlPlane(), applyTimeoutSeconds: undefined });
    await cluster.up();
    await awaitWell();
  });

  step("gets the next Kubernetes", async () => {
    cluster.want({ kubernetesVersion: machines.kubernetes.next });
    await cluster.up();
    await awaitWell();
  });

  for (const count of [5, CONTROL_PLANES]) {
    step(`has ${count} control plane machines`, async () => {
      controlPlanes = count;
      cluster.want(controlPlane());
      await cluster.up();
      await awaitWell();
    });
  }

  step("loses a control plane machine, and replaces it", async () => {
    await cluster.terminate("c-control-plane-2");
    await cluster.up({ refresh: true });
    await awaitWell();
  });

  for (const stage of ["accept", "issue", "renew", "drop"] as const) {
    step(`rotates the CAs of Talos and Kubernetes: ${stage}`, () => rotate(stage));
  }

  step("loses its whole control plane, and restores its data from a snapshot", async () => {
    const snapshot = join(folder, "etcd.snapshot");
    await cluster.store("before");
    await snapshotTo(cluster, snapshot);
    await cluster.store("after");
    await cluster.terminate("c-control-plane-1", "c-control-plane-2", "c-control-plane-3");
    await restoreRun(cluster.world.stack, snapshot);
    expect(await cluster.stored()).toEqual(["before", "first"]);
    await awaitWell();
  });

  step("is destroyed, and leaves no machine", async () => {
    await cluster.world.stack.destroy(cluster.world.record);
    // AWS says that they are gone before real machines are.
    await eventually(() => expect(cluster.world.emulator.nodes()).toEqual([]), WELL_MS);
  });
}

/** A patch with a flag whose value only a running API server can judge: a file that isn't there. */
function badFlag(versionContract: string): object {
  const extraArgs = { "authentication-token-webhook-config-file": "/no/such/file" };
  return versionContract === "v1.14"
    ? { apiVersion: "v1alpha1", kind: "KubeAPIServerConfig", extraArgs }
    : { cluster: { apiServer: { extraArgs } } };
}
