import { UNKNOWN } from "../../../provider/base/unknown";
import { maintenanceOutput } from "../../../provider/console/maintenanceOutput";
import { PartialCreateError } from "../../../provider/engine/handler";
import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { firstContactHandler as handler } from "../../../provider/resources/firstContact";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { fingerprintAt } from "../api/fingerprintAt";
import { machineAt } from "../lifecycle/deliveries";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";

let cluster: SimulatedCluster;
let count = 0;

beforeEach(async () => {
  cluster = await SimulatedCluster.create({ rebootMs: 200 });
});
afterEach(() => cluster.stop());

/** The id of a machine that no test before has met. */
function newId(): string {
  count += 1;
  return `i-${String(count).padStart(17, "0")}`;
}

async function meet(address: string, machineId: string, endpoint = address) {
  const machine = await machineAt(cluster, address, endpoint);
  return handler.create({ ...machine, machineId, timeoutSeconds: 60 }, silent);
}

/** Configures a machine, as the run that has met it before does, or another one. */
async function configure(
  address: string,
  machineId: string,
  contact: {
    readonly firstContact?: readonly string[];
    readonly maintenanceFingerprints?: readonly string[];
  },
) {
  const { inputs, failures } = await configurationApplyHandler.check(undefined, {
    ...(await machineAt(cluster, address)),
    machineId,
    machineConfiguration: cluster.config("controlplane"),
    patches: [],
    mode: "auto",
    timeoutSeconds: 60,
    redactedConfiguration: "",
    ...contact,
  });
  expect(failures).toEqual([]);
  return configurationApplyHandler.create(inputs, silent);
}

/** Another run's contact, which this process doesn't remember. */
async function metBefore({ address }: SimulatedNode): Promise<readonly string[]> {
  const { state } = await meet(address, newId());
  return state.fingerprints;
}

/** Cuts a machine's power before it has a configuration. */
async function restart({ node, address }: SimulatedNode): Promise<SimulatedNode> {
  await node.stop();
  return cluster.add(undefined, address);
}

/** How a create failed that sent nothing: it is recorded nowhere. */
async function refusal(create: Promise<unknown>): Promise<string> {
  const failure: unknown = await create.then(
    () => "it was not refused",
    (error: unknown) => error,
  );
  expect(failure).not.toBeInstanceOf(PartialCreateError);
  return String(failure);
}

describe("a first contact", () => {
  steppingIt("waits for the machine and records its fingerprint, and changes nothing", async () => {
    const { address, node } = await cluster.add();
    const fault = await cluster.faults.inject({ kind: "refuse", machine: address });
    const progress = recordedProgress();
    const machineId = newId();
    const machine = await machineAt(cluster, address);
    const created = handler.create({ ...machine, machineId, timeoutSeconds: 600 }, progress);
    await vi.waitFor(() => expect(progress.lines.join()).toMatch(/answer for the first time/));
    await fault.lift();
    expect(await created).toEqual({
      id: machineId,
      state: { fingerprints: [await fingerprintAt(address)], provenBy: "firstAnswer" },
    });
    expect({ stage: node.stage, configuration: node.machineConfiguration }).toEqual({
      stage: "maintenance",
      configuration: undefined,
    });
  });

  it("records the certificate that the machine has once it knows the time", async () => {
    const slow = await SimulatedCluster.create({ timeSyncMs: 500 });
    const { address, node } = await slow.add();
    const { state } = await meet(address, newId());
    // Its console shows both, however busy this machine is.
    const { fingerprints } = maintenanceOutput(node.console.output.toString("utf8"));
    expect(fingerprints).toHaveLength(2);
    expect(state.fingerprints).toEqual([fingerprints[1]]);
    expect(state.fingerprints).toEqual([await fingerprintAt(address)]);
    await slow.stop();
  });

  steppingIt("doesn't wait for the time forever", async (stepping) => {
    const timeless = await SimulatedCluster.create({ timeSyncMs: 3_600_000 });
    const { address } = await timeless.add();
    const { state } = await meet(address, newId());
    expect(state.fingerprints).toEqual([await fingerprintAt(address)]);
    expect(stepping.skippedMs).toBeLessThan(12_000);
    await timeless.stop();
  });

  steppingIt("records no fingerprint of a machine that has its configuration", async () => {
    const [first, second] = await cluster.addConfigured(2);
    if (first === undefined || second === undefined) {
      throw new Error("there are two");
    }
    const proven = { fingerprints: [], provenBy: "certificate" };
    expect((await meet(first.address, newId())).state).toEqual(proven);
    const forwarded = await meet(second.privateAddress, newId(), first.address);
    expect(forwarded.state).toEqual(proven);
  });

  steppingIt("refuses a machine of another cluster, and stops at its deadline", async () => {
    const node = await cluster.add(cluster.config("controlplane"));
    const { certs } = await generateSecretsBundle({ versionContract: "v1.12" });
    const foreign = await machineAt({ secrets: { ...cluster.secrets, certs } }, node.address);
    const inputs = { ...foreign, machineId: newId(), timeoutSeconds: 60 };
    await expect(handler.create(inputs, silent)).rejects.toThrow(/not issued by the CA/);
    await node.node.stop();
    await expect(meet(node.address, newId())).rejects.toThrow(/to answer for the first time/);
  });

  it("is another one for another machine alone", () => {
    const news = { node: "1.1.1.1", endpoint: "1.1.1.1", timeoutSeconds: 1 };
    const credentials = { ca: "", crt: "", key: "" };
    const diff = (machineId: string) =>
      handler.diff("i-1", { fingerprints: [] }, { ...news, credentials, machineId });
    expect(diff("i-1")).toEqual({ changes: false, replaces: [] });
    for (const other of ["i-2", UNKNOWN]) {
      expect(diff(other)).toEqual({ changes: true, replaces: ["machineId"] });
    }
    // Any server could answer a refresh.
    expect(handler).not.toHaveProperty("read");
  });
});

describe("a first configuration after the first contact of a killed run", () => {
  steppingIt("goes to the machine that was met, and to no other server", async () => {
    const node = await cluster.add();
    const firstContact = await metBefore(node);
    const parameters = { inMaintenance: true };
    const machine = node.address;
    const fault = await cluster.faults.inject({ kind: "imposter", machine, parameters });
    const machineId = newId();
    const message = await refusal(configure(node.address, machineId, { firstContact }));
    expect(message).toContain(
      `fingerprint "${await fingerprintAt(node.address)}", not with the expected one ("${firstContact.join()}"). A former run met it`,
    );
    expect(message).toMatch(/Nothing was sent\. Replace the machine.*maintenanceFingerprints/);
    expect(fault.observed.connections).toBeGreaterThan(0);
    expect(fault.observed.receivedBytes).toBe(0);
    await fault.lift();
    await configure(node.address, machineId, { firstContact });
    expect(node.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });

  steppingIt("goes to a restarted machine only with its fingerprint", async () => {
    const node = await cluster.add();
    const firstContact = await metBefore(node);
    const again = await restart(node);
    const machineId = newId();
    const refused = await refusal(configure(node.address, machineId, { firstContact }));
    expect(refused).toMatch(/the machine has restarted since, or another server/);
    expect(again.node.machineConfiguration).toBeUndefined();
    const maintenanceFingerprints = [await fingerprintAt(node.address)];
    await configure(node.address, machineId, { firstContact, maintenanceFingerprints });
    expect(again.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });

  steppingIt("is found on the machine, whatever certificate it had", async () => {
    const node = await cluster.add();
    const firstContact = await metBefore(node);
    await configure(node.address, newId(), { firstContact });
    const { state } = await configure(node.address, newId(), { firstContact });
    expect(state.configurationHash).not.toBe("");
  });

  steppingIt("goes to nobody without a certificate, if the machine had it before", async () => {
    const node = await cluster.add(cluster.config("controlplane"));
    const machineId = newId();
    // In the same run, too: it has proven that it needs none.
    const { state } = await meet(node.address, machineId);
    await node.node.stop();
    const other = await cluster.add(undefined, node.address);
    const refused = configure(node.address, machineId, { firstContact: state.fingerprints });
    expect(await refusal(refused)).toMatch(/and no fingerprint is accepted/);
    expect(other.node.machineConfiguration).toBeUndefined();
  });

  // Talos makes another certificate also when it learns another address or name.
  steppingIt("goes to a machine with another certificate in the run that has met it", async () => {
    const node = await cluster.add();
    const machineId = newId();
    const { state } = await meet(node.address, machineId);
    const again = await restart(node);
    await configure(node.address, machineId, { firstContact: state.fingerprints });
    expect(again.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });
});
