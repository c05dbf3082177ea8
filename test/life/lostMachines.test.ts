import {
  describeChangedMachines,
  findChangedMachines,
  needsRefresh,
} from "../../cli/engine/changedMachines";
import { previewStack } from "../../cli/engine/previewStack";
import { refuseLostMachines } from "../../cli/refuseLostMachines";
import { expectDocumented } from "../documented";
import { eventually } from "../emulator/support/eventually";
import { ControlPlaneLife, controlPlaneAlone, FOLLOW_MS } from "../engine/support/controlPlaneLife";
import { lifeSteps } from "../engine/support/lifeSteps";
import { terminateMachine } from "../engine/support/terminateMachine";

/** What is said of a machine that is lost for good. */
const GONE = /is gone: it has not answered for 30 s, so \S+ removed its member/;

// One cluster's life: each test goes on where the one before it ended.
describe("a control plane of three that loses a machine, by the real engine", () => {
  const step = lifeSteps();
  let life: ControlPlaneLife;

  beforeAll(async () => {
    life = await ControlPlaneLife.start({
      ...controlPlaneAlone,
      network: { zones: ["us-east-1a", "us-east-1b"] },
      controlPlane: {
        machineCount: 3,
        machines: Object.fromEntries(
          [
            ["1", "a"],
            ["2", "b"],
            ["3", "a"],
          ].map(([key = "", zone = ""]) => [key, { zone: `us-east-1${zone}` }]),
        ),
      },
    });
  });

  afterAll(() => life.world.close());

  for (const { key, place, zone, out, refreshes } of [
    // AWS gives the address inside, and with it the name, to the next machine there: Talos itself
    // has it take the place of the one that had it before.
    {
      key: "2",
      place: "the same place",
      zone: "us-east-1b",
      out: /c-control-plane-2/,
      refreshes: true,
    },
    { key: "2", place: "another zone", zone: "us-east-1a", out: GONE, refreshes: false },
    { key: "1", place: "another zone", zone: "us-east-1b", out: GONE, refreshes: false },
  ]) {
    step(`replaces the lost machine ${key} in etcd by one in ${place}`, async () => {
      const { stack, record } = life.world;
      const nodes = await life.nodes();
      const lost = nodes.find(({ name }) => name === `c-control-plane-${key}`)?.instanceId ?? "";
      await terminateMachine(life.world, lost);
      await eventually(() => expect(life.ids()).not.toContain(lost), FOLLOW_MS);
      // By a command of its own, or by that which makes the other machine.
      if (refreshes) {
        const { signal } = new AbortController();
        const found = await findChangedMachines(stack, signal);
        expect(found).toMatchObject({ lost: [`c-control-plane-${key}`], moved: [] });
        expectDocumented("scaling.md", describeChangedMachines(found).join("\n"));
        await stack.refresh(record);
        expect(needsRefresh(await findChangedMachines(stack, signal))).toBe(false);
        const { summary } = await previewStack(stack, { signal });
        expect(summary.machines).toMatchObject([{ name: `c-control-plane-${key}`, isLost: true }]);
        expect(summary.quorum.map(({ what }) => what)).toEqual(["lost", "joins"]);
        expect(() => refuseLostMachines(summary)).not.toThrow();
        const { args } = life;
        const patches = [{ machine: { env: { GREETING: "hello" } } }];
        life.args = { ...args, kubernetesVersion: "v1.35.1", patches };
        const changed = await previewStack(stack, { signal });
        life.args = args;
        expect(() => refuseLostMachines(changed.summary)).toThrow(
          "c-control-plane-2: AWS no longer has it, and the update would wait in vain: the upgrade of Kubernetes, c-control-plane-1 comes before",
        );
      }
      life.resize({ machines: { ...life.args.controlPlane?.machines, [key]: { zone } } });
      const told: string[] = [];
      await stack.up({ onOutput: (text) => told.push(text), refresh: !refreshes });
      expect(told.join("")).toMatch(out);
      const other = key === "1" ? "c-control-plane-2" : "c-control-plane-1";
      expect(await life.membersSeenBy(other)).toEqual([false, false, false]);
      expect(await life.preview()).toEqual([]);
    });
  }
});
