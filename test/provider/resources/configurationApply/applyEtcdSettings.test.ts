import type { Patch } from "../../../../provider/config/patches/patch";
import { PartialUpdateError } from "../../../../provider/engine/handler";
import { readStatus } from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import type { ApplyMode } from "../../../../provider/lifecycle/delivery/delivery";
import { withMachine } from "../../../../provider/lifecycle/machine";
import type { ApplyState } from "../../../../provider/resources/configurationApply/applyRecord";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";

const id = "i-0123456789abcdef0";
const etcd = (settings: object): Patch => ({ cluster: { etcd: { ...settings } } });
const NO_IMAGE = "registry.k8s.io/etcd:v9.9.9";

let cluster: SimulatedCluster;
let node: SimulatedNode;
let state: ApplyState;

beforeEach(async () => {
  cluster = await SimulatedCluster.create({ restartMs: 20 });
  [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
  await cluster.bootstrap(node, 1);
  ({ state } = await handler.create({ ...(await inputsOf([])), takeover: "auto" }, silent));
});

afterEach(() => cluster.stop());

async function inputsOf(patches: readonly Patch[], mode: ApplyMode = "auto", timeoutSeconds = 600) {
  const { inputs, failures } = await handler.check(undefined, {
    ...(await machineAt(cluster, node.address)),
    machineId: id,
    machineConfiguration: cluster.config("controlplane"),
    patches,
    mode,
    timeoutSeconds,
    settledSeconds: 0,
    redactedConfiguration: "",
  });
  expect(failures).toEqual([]);
  return inputs;
}

/** The machine's boot, and the state of its etcd. */
async function look() {
  const machine = await machineAt(cluster, node.address);
  return withMachine(machine, async (client) => {
    const [{ boot }, services] = await Promise.all([readStatus(client, {}), client.services()]);
    return { boot, etcd: services.find((service) => service.id === "etcd")?.state };
  });
}

/** Updates a machine that can't get well with these patches; the state to record then. */
async function fail(patches: readonly Patch[]): Promise<ApplyState> {
  const inputs = await inputsOf(patches, "auto", 120);
  const failed = await handler.update(id, state, inputs, silent).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(PartialUpdateError);
  expect((failed as PartialUpdateError).message).toMatch(/etcd is (Waiting|Running|Failed)/);
  return (failed as PartialUpdateError).properties as ApplyState;
}

describe("a machine whose etcd gets other settings", () => {
  steppingIt("reboots, with the image on its disk", async () => {
    const before = await look();
    const progress = recordedProgress();
    const image = "registry.k8s.io/etcd:v3.6.6";
    await handler.update(id, state, await inputsOf([etcd({ image })]), progress);
    const after = await look();
    expect(after.boot).not.toBe(before.boot);
    expect(after.etcd).toBe("Running");
    expect(progress.lines.join("\n")).toContain(`pulls ${image}, before it reboots`);
  });

  steppingIt("is not touched for an image that it can't pull", async () => {
    const before = await look();
    const text = node.node.machineConfiguration;
    await expect(
      handler.update(id, state, await inputsOf([etcd({ image: NO_IMAGE })]), silent),
    ).rejects.toThrow(
      /can't pull etcd's image "registry\.k8s\.io\/etcd:v9\.9\.9": .*not found.* It was not changed: correct cluster\.etcd\.image/,
    );
    expect(await look()).toEqual(before);
    expect(node.node.machineConfiguration).toBe(text);
  });

  steppingIt(
    "fails with a flag that it can't read, and runs again when that is taken back",
    async () => {
      const failed = await fail([etcd({ extraArgs: { "election-timeout": "100" } })]);
      const before = await look();
      await handler.update(id, failed, await inputsOf([]), silent);
      const after = await look();
      expect(after.boot).not.toBe(before.boot);
      expect(after.etcd).toBe("Running");
    },
  );

  steppingIt("is not changed if it may not reboot", async () => {
    const text = node.node.machineConfiguration;
    const inputs = await inputsOf([etcd({ extraArgs: { "max-txn-ops": "256" } })], "noReboot");
    await expect(handler.update(id, state, inputs, silent)).rejects.toThrow(
      /cluster\.etcd\.extraArgs\.max-txn-ops takes effect only when it reboots, and mode is "noReboot"/,
    );
    expect(node.node.machineConfiguration).toBe(text);
  });
});
