import { TalosCluster, type TalosClusterArgs } from "../../components";
import { expectDocumented } from "../documented";
import { controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { plannedSteps } from "../engine/support/plannedSteps";

/** How often machines are looked at. One boots in 200 ms. */
const LOOK_MS = 10;

/** What the preview tells of a rise, in the guide's words too. */
const RISE =
  'versionContract: settings are written as "v1.14" writes them, and mean the same. No machine reboots';

// One cluster's life: each step goes on where the one before it ended.
describe("a version contract that rises, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let args: TalosClusterArgs = {
    ...controlPlaneAlone,
    network: { zones: ["us-east-1a"] },
    talosVersion: "v1.14.1",
    versionContract: "v1.13",
    kubernetesVersion: "v1.36.1",
    controlPlane: { machineCount: 1 },
    workerPools: { apps: { machineCount: 1 } },
  };
  const former = args;

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { nodes } = new TalosCluster("c", args);
        return Promise.resolve({ nodes });
      },
    });
    await world.stack.up(world.record);
  });

  afterAll(() => world.close());

  const refusal = async () =>
    String(await world.stack.preview(world.record).catch((error: unknown) => error));
  const configurations = () =>
    world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);

  /** An update, in which every machine runs all the time. */
  async function upWithoutReboot(): Promise<void> {
    const away: string[] = [];
    const timer = setInterval(() => {
      const resting = world.emulator.nodes().filter(({ stage }) => stage !== "running");
      away.push(...resting.map(({ instanceId }) => instanceId));
    }, LOOK_MS);
    try {
      await world.stack.up(world.record);
    } finally {
      clearInterval(timer);
    }
    expect(away).toEqual([]);
  }

  step("is refused with other defaults, and says what they are and how to keep them", async () => {
    args = { ...former, versionContract: "v1.14" };
    const reason = await refusal();
    expect(reason).toContain('this cluster has the defaults of version contract "v1.13"');
    expect(reason).toContain("workloadIsolation (workloads see Talos' own services →");
    expect(reason).toContain('contractDefaults: "v1.13"');
    args = { ...former, versionContract: "v1.12" };
    expect(await refusal()).toContain(`can't be changed to "v1.12": set it back to "v1.13"`);
  });

  step("is previewed with what changes and what stays, and replaces nothing", async () => {
    args = { ...former, versionContract: "v1.14", contractDefaults: "v1.13" };
    const steps = await plannedSteps(world.stack, world.record);
    expect(steps.filter((each) => /^(create|replace|delete)/.test(each))).toEqual([]);
    expect(steps.filter((each) => / (Instance|MachineSecrets) /.test(each))).toEqual([]);
    expect(steps.filter((each) => each.includes("ConfigurationApply"))).toHaveLength(2);
    const told = world.transcript();
    for (const words of [
      RISE,
      "API servers get --authentication-config instead of --anonymous-auth",
      'contractDefaults: as in "v1.13" stay secureEphemeral, filesystemTrim, workloadIsolation',
    ]) {
      expect(told).toContain(words);
    }
    expect(told).not.toMatch(/warning: [^"]*(?:machine\.install|UnattendedInstallConfig)/);
    expectDocumented("upgrades.md", RISE);
  });

  step("finishes after a killed engine, without a reboot", async () => {
    const isMoment = () => configurations().some((text) => text.includes("KubeletConfig"));
    await killedWhile(
      (options, stack) => stack.up({ ...world.record, ...options }),
      isMoment,
      world,
    );
    await upWithoutReboot();
    expect(configurations().every((text) => text.includes("kind: KubeletConfig"))).toBe(true);
    expect(configurations().join()).not.toMatch(/SecurityProfileConfig|FilesystemTrimConfig/);
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("takes a new default by its name, and tells what it does", async () => {
    args = { ...args, newDefaults: ["filesystemTrim"] };
    await upWithoutReboot();
    expect(world.transcript()).toContain(
      "filesystemTrim: disks aren't told which blocks are free →",
    );
    expect(configurations().every((text) => text.includes("FilesystemTrimConfig"))).toBe(true);
  });

  step("goes back without a reboot, to the configurations of before", async () => {
    args = former;
    await upWithoutReboot();
    expect(configurations().join()).not.toContain("KubeletConfig");
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("waits for an upgrade of Talos", async () => {
    args = {
      ...former,
      versionContract: "v1.14",
      contractDefaults: "v1.13",
      talosVersion: "v1.13.9",
    };
    expect(await refusal()).toContain('version contract "v1.14" is newer than Talos v1.13.9');
  });
});
