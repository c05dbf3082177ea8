import { PartialCreateError } from "../../../provider/engine/handler";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { configurationApplyHandler as handler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { fingerprintAt } from "../api/fingerprintAt";
import { machineAt } from "../lifecycle/deliveries";
import { silent } from "../progress";
import { steppingIt } from "../steppingClock";

let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.create({ rebootMs: 1_000 });
});
afterEach(() => cluster.stop());

async function inputsFor(address: string, more: { maintenanceFingerprints?: string[] } = {}) {
  const { inputs, failures } = await handler.check(undefined, {
    ...(await machineAt(cluster, address)),
    machineId: "i-0123456789abcdef0",
    machineConfiguration: cluster.config("controlplane"),
    patches: [],
    mode: "auto",
    timeoutSeconds: 600,
    redactedConfiguration: "",
    ...more,
  });
  expect(failures).toEqual([]);
  return inputs;
}

interface Unproven {
  readonly node: string;
  readonly endpoint: string;
  readonly configurationHash: string;
  readonly maintenanceFingerprint?: string;
  readonly credentials: ClientCredentials;
  readonly timeoutSeconds: number;
}

/** What is recorded of a create that did not end, and its message. */
async function cutOff(create: Promise<unknown>): Promise<{ state: Unproven; message: string }> {
  const failure: unknown = await create.catch((error: unknown) => error);
  if (!(failure instanceof PartialCreateError)) {
    throw failure;
  }
  return { state: failure.properties as Unproven, message: failure.message };
}

/** A machine that took its first configuration and lost it: it is in maintenance mode once more. */
async function forgetful(): Promise<{ node: SimulatedNode; state: Unproven }> {
  const node = await cluster.add();
  const fault = await cluster.faults.inject({ kind: "diskFull", machine: node.address });
  const inputs = { ...(await inputsFor(node.address)), timeoutSeconds: 20 };
  const { state } = await cutOff(handler.create(inputs, silent));
  await fault.lift();
  await eventually(() => node.node.stage === "maintenance");
  return { node, state };
}

describe("the first trust in a machine", () => {
  steppingIt(
    "is not given to an imposter after the configuration was accepted",
    async (stepping) => {
      const { address, node } = await cluster.add();
      const inputs = await inputsFor(address);
      const expected = await fingerprintAt(address);
      const create = cutOff(handler.create(inputs, silent));
      await eventually(() => node.machineConfiguration !== undefined);
      // It is about to reboot, which nobody waits for any longer.
      stepping.advance(inputs.timeoutSeconds * 1_000);
      const { state } = await create;
      expect(state).toMatchObject({ configurationHash: "", maintenanceFingerprint: expected });

      const parameters = { inMaintenance: true };
      const fault = await cluster.faults.inject({ kind: "imposter", machine: address, parameters });
      const failure: unknown = await handler
        .update("i-1", state, inputs, silent)
        .catch((error: unknown) => error);
      expect(fault.observed.connections).toBeGreaterThan(0);
      expect(fault.observed.receivedBytes).toBe(0);
      const found = await fingerprintAt(address);
      expect(String(failure)).toContain(
        `in maintenance mode with the certificate fingerprint "${found}", not with the expected one ("${expected}")`,
      );
      expect(String(failure)).toMatch(
        /can't be determined.*Nothing was sent\. Replace the machine/,
      );
      await fault.lift();

      const { configurationHash } = await handler.update("i-1", state, inputs, silent);
      expect(configurationHash).toBe(inputs.configurationHash);
      expect(node.machineConfiguration).toBe(inputs.machineConfiguration);
    },
  );

  steppingIt(
    "is not given again to a restarted machine, unless its fingerprint is given",
    async () => {
      const { node, state } = await forgetful();
      const inputs = await inputsFor(node.address);
      const again = handler.update("i-1", state, inputs, silent);
      await expect(again).rejects.toThrow(/pulumi up --replace.*maintenanceFingerprints/);
      expect(node.node.machineConfiguration).toBeUndefined();

      const maintenanceFingerprints = [await fingerprintAt(node.address)];
      const proven = await inputsFor(node.address, { maintenanceFingerprints });
      const updated = await handler.update("i-1", state, proven, silent);
      expect(updated).not.toHaveProperty("maintenanceFingerprint");
      expect(node.node.machineConfiguration).toBe(inputs.machineConfiguration);
    },
  );

  steppingIt(
    "is never given to a machine whose first configuration an older release recorded",
    async () => {
      const { address, node } = await cluster.add();
      const { credentials, ...inputs } = await inputsFor(address);
      const { endpoint, timeoutSeconds } = inputs;
      const state = { node: address, endpoint, configurationHash: "", credentials, timeoutSeconds };
      const update = handler.update("i-1", state, { ...inputs, credentials }, silent);
      await expect(update).rejects.toThrow(
        /and no fingerprint is accepted\. Its first configuration was sent/,
      );
      expect(node.machineConfiguration).toBeUndefined();
    },
  );

  steppingIt(
    "ends with the first server that may have the configuration, also if its answer was lost",
    async () => {
      const { address, node } = await cluster.add();
      const handedTo = await fingerprintAt(address);
      const cut = { method: "ApplyConfiguration" };
      await cluster.faults.inject({ kind: "resetMidCall", machine: address, parameters: cut });
      const create = cutOff(handler.create(await inputsFor(address), silent));
      await eventually(() => node.machineConfiguration !== undefined);
      const parameters = { inMaintenance: true };
      const fault = await cluster.faults.inject({ kind: "imposter", machine: address, parameters });
      const { state, message } = await create;
      expect(fault.observed.connections).toBeGreaterThan(0);
      expect(fault.observed.receivedBytes).toBe(0);
      expect(state.maintenanceFingerprint).toBe(handedTo);
      expect(message).toContain("Nothing was sent");
    },
  );

  steppingIt("continues after the connection broke before the answer", async () => {
    const { address, node } = await cluster.add();
    const parameters = { method: "ApplyConfiguration" };
    await cluster.faults.inject({ kind: "resetMidCall", machine: address, parameters });
    const inputs = await inputsFor(address);
    const { state } = await handler.create(inputs, silent);
    expect(state.configurationHash).toBe(inputs.configurationHash);
    expect(node.machineConfiguration).toBe(inputs.machineConfiguration);
  });

  steppingIt("is given only to the machine of a given fingerprint", async () => {
    const { address, node } = await cluster.add();
    const another = `${"A".repeat(43)}=`;
    const wrong = await inputsFor(address, { maintenanceFingerprints: [another] });
    const failure: unknown = await handler.create(wrong, silent).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(PartialCreateError);
    expect(String(failure)).toContain(`not with the expected one ("${another}")`);
    expect(node.machineConfiguration).toBeUndefined();

    const maintenanceFingerprints = [another, await fingerprintAt(address)];
    await handler.create(await inputsFor(address, { maintenanceFingerprints }), silent);
    expect(node.machineConfiguration).toBe(wrong.machineConfiguration);
  });

  steppingIt("rejects an invalid fingerprint in check", async () => {
    const inputs = await inputsFor("127.0.0.1");
    const maintenanceFingerprints = ["AA:BB", `${"A".repeat(43)}=`];
    const { failures } = await handler.check(undefined, { ...inputs, maintenanceFingerprints });
    expect(failures).toEqual([
      {
        property: "maintenanceFingerprints",
        reason: expect.stringMatching(/^"AA:BB" is no fingerprint .*--cert-fingerprint/) as string,
      },
    ]);
  });
});
