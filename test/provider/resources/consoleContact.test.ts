import { WaitTimeoutError } from "../../../provider/api/waitFor";
import { clock } from "../../../provider/base/clock";
import { ConsoleProof } from "../../../provider/lifecycle/delivery/consoleProof";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { firstContactHandler } from "../../../provider/resources/firstContact";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { fingerprintAt } from "../api/fingerprintAt";
import {
  type ConsoleAnswer,
  type ConsoleServer,
  startConsoleServer,
} from "../console/consoleServer";
import { machineAt } from "../lifecycle/deliveries";
import { silent } from "../progress";
import { steppingIt } from "../steppingClock";

let cluster: SimulatedCluster;
let server: ConsoleServer;
/** What EC2 answers for an instance; by default what its machine prints. */
let consoles: Map<string, (isLive: boolean) => ConsoleAnswer>;
let count = 0;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
  consoles = new Map();
  server = await startConsoleServer(
    (id, isLive) =>
      consoles.get(id)?.(isLive) ?? { code: "InvalidInstanceID.NotFound", message: id },
  );
  for (const [name, value] of Object.entries(server.environment)) {
    vi.stubEnv(name, value);
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([cluster.stop(), server.close()]);
});

/** A new machine, with an id of its own in this process. */
interface NewMachine extends SimulatedNode {
  readonly machineId: string;
}

async function newMachine(): Promise<NewMachine> {
  count += 1;
  const machineId = `i-${String(count).padStart(17, "a")}`;
  const added = await cluster.add();
  const { node } = added;
  consoles.set(machineId, () => node.console.output);
  return { ...added, machineId };
}

const consoleOf = ({ machineId }: NewMachine) => ({
  instanceArn: `arn:aws:ec2:us-east-1:123456789012:instance/${machineId}`,
});

async function meet(machine: NewMachine, more: object = {}) {
  const { address, machineId } = machine;
  const inputs = { ...(await machineAt(cluster, address)), machineId, timeoutSeconds: 60 };
  return firstContactHandler.create({ ...inputs, console: consoleOf(machine), ...more }, silent);
}

async function inputsOf(machine: NewMachine, more: object = {}) {
  const { inputs, failures } = await configurationApplyHandler.check(undefined, {
    ...(await machineAt(cluster, machine.address)),
    machineId: machine.machineId,
    machineConfiguration: cluster.config("controlplane"),
    patches: [],
    mode: "auto",
    timeoutSeconds: 60,
    redactedConfiguration: "",
    console: consoleOf(machine),
    ...more,
  });
  expect(failures).toEqual([]);
  return inputs;
}

const configure = async (machine: NewMachine, more?: object) =>
  configurationApplyHandler.create(await inputsOf(machine, more), silent);

const asked = () => server.calls.length;

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(() => "it did not fail", String);
}

/** Cuts a machine's power before it has a configuration. Its console goes on. */
async function restart(machine: NewMachine): Promise<NewMachine> {
  await machine.node.stop();
  const again = await cluster.add(undefined, machine.address);
  const before = machine.node.console.output;
  consoles.set(machine.machineId, () => Buffer.concat([before, again.node.console.output]));
  return { ...machine, node: again.node };
}

describe("the first contact with a machine whose console proves it", () => {
  steppingIt(
    "is recorded as proven, and the configuration goes there without another question",
    async () => {
      const machine = await newMachine();
      const { state } = await meet(machine);
      expect(state).toEqual({
        fingerprints: [await fingerprintAt(machine.address)],
        provenBy: "console",
      });
      expect(asked()).toBe(1);
      await configure(machine, { firstContact: state.fingerprints });
      expect(asked()).toBe(1);
      expect(machine.node.machineConfiguration).toBe(cluster.config("controlplane"));
    },
  );

  steppingIt("waits until EC2 shows the console", async (stepping) => {
    const machine = await newMachine();
    consoles.set(machine.machineId, () =>
      asked() < 4 ? Buffer.alloc(0) : machine.node.console.output,
    );
    expect((await meet(machine)).state.provenBy).toBe("console");
    expect(asked()).toBe(4);
    // EC2 is not asked as often as the machine.
    expect(stepping.skippedMs).toBeGreaterThan(6_000);
  });

  steppingIt("asks nobody about a machine that has its configuration", async () => {
    const machine = await newMachine();
    await meet(machine);
    await configure(machine);
    const before = asked();
    expect((await meet(machine)).state).toEqual({ fingerprints: [], provenBy: "certificate" });
    await configure(machine);
    expect(asked()).toBe(before);
  });

  steppingIt("asks nobody if fingerprints are given, and takes no others", async () => {
    const machine = await newMachine();
    const right = { maintenanceFingerprints: [await fingerprintAt(machine.address)] };
    expect((await meet(machine, right)).state.provenBy).toBe("fingerprint");
    const other = "A".repeat(43) + "=";
    const wrong = await failureOf(meet(machine, { maintenanceFingerprints: [other] }));
    expect(wrong).toContain(
      `with the certificate fingerprint "${await fingerprintAt(machine.address)}", not with one of maintenanceFingerprints ("${other}")`,
    );
    await configure(machine, right);
    expect(asked()).toBe(0);
  });

  it("says of one without a console that the first answer was trusted", async () => {
    const machine = await newMachine();
    expect((await meet(machine, { console: undefined })).state.provenBy).toBe("firstAnswer");
  });
});

describe("an impostor at the address of a machine whose console is read", () => {
  steppingIt("is sent nothing, and both fingerprints are told", async () => {
    const machine = await newMachine();
    const own = await fingerprintAt(machine.address);
    const parameters = { inMaintenance: true };
    const fault = await cluster.faults.inject({
      kind: "imposter",
      machine: machine.address,
      parameters,
    });
    const found = await fingerprintAt(machine.address);
    const expected = `its certificate has the fingerprint "${found}", but EC2's console output of ${consoleOf(machine).instanceArn} shows "${own}": another server answers at its address, or on the way to it. Nothing was sent to it.`;
    expect(await failureOf(configure(machine))).toContain(expected);
    // Neither is a record of a former run that met the impostor.
    expect(await failureOf(configure(machine, { firstContact: [found] }))).toContain(expected);
    expect(fault.observed.receivedBytes).toBe(0);
    await fault.lift();
    await configure(machine);
    expect(machine.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });

  // The simulated one answers no call.
  steppingIt("isn't recorded as met", async () => {
    const machine = await newMachine();
    const other = await newMachine();
    const misled = { ...machine, address: other.address };
    const message = await failureOf(meet(misled));
    expect(message).toContain(await fingerprintAt(machine.address));
    expect(message).toContain(await fingerprintAt(other.address));
    expect(other.node.machineConfiguration).toBeUndefined();
  });

  steppingIt("gets nothing in the place of a machine that has taken a configuration", async () => {
    const machine = await newMachine();
    await configure(machine, { console: undefined });
    const parameters = { inMaintenance: true };
    const fault = await cluster.faults.inject({
      kind: "imposter",
      machine: machine.address,
      parameters,
    });
    expect(await failureOf(configure(machine))).toMatch(
      /shows that the machine has taken a configuration already: another server.*Nothing was sent to it/,
    );
    expect(fault.observed.receivedBytes).toBe(0);
  });
});

describe("a machine that restarts", () => {
  steppingIt("between the contact and its configuration is proven again", async () => {
    const machine = await newMachine();
    const { state } = await meet(machine);
    const again = await restart(machine);
    await configure(again, { firstContact: state.fingerprints });
    expect(asked()).toBe(2);
    expect(again.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });

  steppingIt("after it lost its first configuration gets it again", async () => {
    const machine = await newMachine();
    const fault = await cluster.faults.inject({ kind: "diskFull", machine: machine.address });
    const inputs = await inputsOf(machine, { timeoutSeconds: 20 });
    const failure: unknown = await configurationApplyHandler
      .create(inputs, silent)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "PartialCreateError" });
    await fault.lift();
    const { properties } = failure as {
      properties: Parameters<typeof configurationApplyHandler.update>[1];
    };
    await vi.waitFor(() => expect(machine.node.stage).toBe("maintenance"));
    await configurationApplyHandler.update(machine.machineId, properties, inputs, silent);
    expect(machine.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });
});

describe("a console that EC2 does not show", () => {
  const askIt = /Nothing was sent to it\. .*"ec2:GetConsoleOutput".*maintenanceFingerprints/;
  const bootIt = /Nothing was sent to it\. .*console=ttyS0.*maintenanceFingerprints/;
  const replaceIt = /Nothing was sent to it\. Either replace the machine/;

  steppingIt("because the permission is missing ends the contact at once", async (stepping) => {
    const machine = await newMachine();
    consoles.set(machine.machineId, () => ({
      code: "UnauthorizedOperation",
      message: "no",
      status: 403,
    }));
    const message = await failureOf(meet(machine));
    expect(message).toContain("is not proven to be arn:aws:ec2:us-east-1");
    expect(message).toContain("UnauthorizedOperation: no");
    expect(message).toMatch(askIt);
    expect(stepping.skippedMs).toBeLessThan(5_000);
    expect(await failureOf(configure(machine))).toMatch(askIt);
    expect(machine.node.machineConfiguration).toBeUndefined();
  });

  steppingIt("until the deadline ends the contact with what was missing", async () => {
    const machine = await newMachine();
    consoles.set(machine.machineId, () => Buffer.from("[    0.000000] Linux version 6\r\n"));
    const message = await failureOf(meet(machine));
    expect(message).toMatch(
      /gave up waiting .* last seen: EC2's console output .* shows no fingerprint yet/,
    );
    expect(message).toMatch(bootIt);
  });

  steppingIt(
    "live may be older than the certificate, so only the deadline ends the wait",
    async (stepping) => {
      const machine = await newMachine();
      const before = Buffer.from(machine.node.console.output);
      const again = await restart(machine);
      const old = { code: "UnsupportedOperation", message: "not live" };
      consoles.set(machine.machineId, (isLive) => (isLive ? old : before));
      const message = await failureOf(meet(again));
      expect(message).toMatch(/gave up waiting.*its certificate has the fingerprint/);
      expect(message).toMatch(replaceIt);
      expect(stepping.skippedMs).toBeGreaterThan(50_000);
    },
  );

  steppingIt("in the last look before the deadline leaves the advice as it was", async () => {
    const machine = await newMachine();
    const from = await machineAt(cluster, machine.address);
    const proof = new ConsoleProof({ ...from, node: machine.address }, consoleOf(machine));
    const live = new AbortController().signal;
    expect(await proof.judge("another", { signal: live })).toContain("its certificate has");
    await clock.pause(5_000, live);
    await proof.judge("another", { signal: AbortSignal.abort() });
    const late = proof.explainWait(new WaitTimeoutError("it", "another", 60_000));
    expect(String(late)).toMatch(replaceIt);
  });

  it("is refused before anything starts, if no instance is named", async () => {
    const machine = await newMachine();
    const { failures } = await firstContactHandler.check(undefined, {
      ...(await machineAt(cluster, machine.address)),
      machineId: machine.machineId,
      timeoutSeconds: 60,
      console: { instanceArn: "i-1" },
    });
    expect(failures).toEqual([
      { property: "console", reason: expect.stringContaining('"i-1" is no ARN') as string },
    ]);
  });
});
