import { repairBefore } from "../../cli/commands/repair";
import { type MachineRepairOptions, repairMachines } from "../../cli/commands/repairMachines";
import { REPAIR_EXIT_CODES } from "../../cli/machineRepair/describePlan";
import { unfinishedReplacements } from "../../cli/machineRepair/fixedReplacement";
import { lookAtMachines, openSources } from "../../cli/machineRepair/lookAtMachines";
import { DEFAULT_BUDGET } from "../../cli/machineRepair/planMachineRepair";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import { eventually } from "../emulator/support/eventually";
import { administrator } from "../engine/support/administrator";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { plannedSteps } from "../engine/support/plannedSteps";
import { createWorkload, resizeBudget } from "../provider/lifecycle/workload";

/** So long the emulated cloud may take to follow AWS, on a machine with other work. */
const FOLLOW_MS = 120_000;

const args: TalosClusterArgs = {
  environment: "repairs",
  domain: "talos.example",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  network: { zones: ["us-east-1a"], nat: "single" },
  dns: { createZone: true },
  controlPlane: { machineCount: 1, instanceType: "t3.medium" },
  workerPools: {
    apps: { machineCount: 1, instanceType: "t3.small" },
    batch: {
      subnets: "private",
      instanceType: "t3.small",
      autoScaling: { minSize: 1, maxSize: 2 },
    },
  },
  applySettledSeconds: 0,
};
const signal = new AbortController().signal;
const options: MachineRepairOptions = {
  yes: true,
  dryRun: false,
  json: true,
  cluster: undefined,
  drainSeconds: 60,
  budget: DEFAULT_BUDGET,
  signal,
};

// One cluster's life: each test goes on where the one before it ended.
describe("a cluster whose workers break, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let printed = "";
  let access: KubernetesAccess;
  const look = async () => {
    const sources = await openSources(world.stack, undefined, signal);
    return (await lookAtMachines(sources, DEFAULT_BUDGET, new Date(), signal)).plan;
  };
  const idOf = async (means: "fixed" | "group") => {
    const { machines } = await look();
    const found = machines.find(({ worker }) => worker.means.kind === means);
    return found?.worker.instanceId ?? "";
  };
  const areHealthy = () =>
    eventually(async () => {
      const { machines } = await look();
      expect(machines.map(({ verdict }) => verdict)).toEqual([
        { kind: "healthy" },
        { kind: "healthy" },
      ]);
    }, FOLLOW_MS);
  const breaks = (machine: string, check: string) =>
    world.emulator.faults.inject({
      kind: "failedCheck",
      machine,
      parameters: { check, sinceMs: 3_600_000 },
    });
  const outcomes = () =>
    (JSON.parse(printed) as { readonly outcomes: Readonly<Record<string, string>> }).outcomes;
  const run = async (more: Partial<MachineRepairOptions> = {}) => {
    const writes = [
      vi.spyOn(process.stdout, "write").mockImplementation((text) => {
        printed += String(text);
        return true;
      }),
      vi.spyOn(process.stderr, "write").mockImplementation(() => true),
    ];
    printed = "";
    try {
      return await repairMachines(world.stack, { ...options, ...more });
    } finally {
      writes.forEach((each) => each.mockRestore());
    }
  };

  beforeAll(async () => {
    world = await startEngineWorld({
      stack: "repairs",
      settings: "config: { aws:region: us-east-1 }",
      program: () => {
        const { endpoint, kubeconfig, talosconfig, nodes, autoScalingGroupNames } =
          new TalosCluster("c", args);
        return Promise.resolve({
          endpoint,
          kubeconfig,
          talosconfig,
          nodes,
          autoScalingGroupNames,
        });
      },
    });
    for (const [name, value] of Object.entries(world.environment)) {
      if (name.startsWith("AWS_")) {
        vi.stubEnv(name, value);
      }
    }
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await world.close();
  });

  step("has nothing to do while they are healthy", async () => {
    await world.stack.up(world.record);
    await areHealthy();
    expect(await run()).toBe(0);
    expect(outcomes()).toEqual({});
  });

  step("has its group replace a machine whose volumes don't answer", async () => {
    const broken = await idOf("group");
    await breaks(broken, "volumes");
    await eventually(async () => expect((await look()).away).toBe(1), FOLLOW_MS);
    expect(await run({ dryRun: true })).toBe(0);
    expect(await idOf("group")).toBe(broken);
    expect(await run()).toBe(0);
    expect(outcomes()).toEqual({
      [broken]: "its group replaces it; the next run looks at its successor",
    });
    await eventually(async () => expect(await idOf("group")).not.toBe(broken), FOLLOW_MS);
    await areHealthy();
  });

  step("leaves a fixed machine whose pods a budget keeps", async () => {
    const nodes = () => world.emulator.nodes();
    const node = nodes().find(({ machineConfiguration: text = "" }) =>
      text.includes("type: controlplane"),
    );
    const at = { node: node?.address ?? "", endpoint: node?.address ?? "" };
    const credentials = await administrator(world.stack);
    access = await KubernetesAccess.open([{ ...at, credentials }], signal);
    await createWorkload(access, { replicas: 2, minAvailable: 2 });
    const broken = await idOf("fixed");
    await breaks(broken, "system");
    await eventually(async () => expect((await look()).away).toBe(1), FOLLOW_MS);
    const before = nodes().map(({ instanceId }) => instanceId);
    expect(await run()).toBe(REPAIR_EXIT_CODES.held);
    expect(Object.keys(outcomes())).toEqual(["c-apps-1"]);
    expect(outcomes()["c-apps-1"]).toMatch(
      /^held back: default\/web-.* budget web .*can't be evicted/,
    );
    expect(nodes().map(({ instanceId }) => instanceId)).toEqual(before);
    await resizeBudget(access, 1);
  });

  step("replaces a fixed machine whose host fails, and leaves nothing to change", async () => {
    const broken = await idOf("fixed");
    expect(await run()).toBe(0);
    expect(outcomes()).toEqual({ "c-apps-1": "replaced" });
    expect(await idOf("fixed")).not.toBe(broken);
    await areHealthy();
    expect(await plannedSteps(world.stack, world.record)).toEqual([]);
    expect(await run()).toBe(0);
  });

  step("ends the replacement of a run that was killed when the successor was there", async () => {
    const broken = await idOf("fixed");
    const { machines } = await look();
    const replace = machines.flatMap(({ worker: { means } }) =>
      means.kind === "fixed" ? (means.urn ?? []) : [],
    );
    await killedWhile(
      (watched, stack) => stack.up({ ...watched, replace }),
      ({ resourcePreEvent }) =>
        (resourcePreEvent?.metadata.urn ?? "").endsWith("ConfigurationApply::c-apps-1") &&
        resourcePreEvent?.metadata.op !== "same",
      world,
    );
    const left = (await openSources(world.stack, undefined, signal)).resources;
    expect(unfinishedReplacements(left).map(({ id }) => id)).toEqual([broken]);
    await repairBefore(world.stack, { yes: true, signal });
    expect(await run()).toBe(0);
    expect(outcomes()).toEqual({});
    expect(await idOf("fixed")).not.toBe(broken);
    await areHealthy();
    expect(await plannedSteps(world.stack, world.record)).toEqual([]);
  });
});
