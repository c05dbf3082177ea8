import { readMachineState } from "../../../provider/api/machineState";
import { TalosClient } from "../../../provider/api/talosClient";
import { hashDocuments } from "../../../provider/config/hash";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { eventually, SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";

let cluster: SimulatedCluster;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
});
afterAll(() => cluster.stop());

const hashOf = (text: string) => hashDocuments(decodeDocuments(text));

describe("readMachineState", () => {
  it("returns the running and the staged configuration, and whether the machine has restarted", async () => {
    const text = cluster.config("controlplane");
    const { address } = await cluster.add(text);
    const client = TalosClient.connect(await machineAt(cluster, address));
    const before = await readMachineState(client);
    expect(before).toMatchObject({ activeHash: hashOf(text), persistentHash: hashOf(text) });
    expect(["booting", "running"]).toContain(before.stage);
    expect(before.bootId).toMatch(/^[0-9a-f-]{36}$/);

    const data = cluster.config("controlplane", ["machine: {env: {A: b}}"]);
    await client.applyConfiguration({ data, mode: "STAGED" });
    const staged = await readMachineState(client);
    expect(staged).toMatchObject({ activeHash: hashOf(text), persistentHash: hashOf(data) });
    expect(staged.bootId).toBe(before.bootId);

    await client.reboot();
    await eventually(async () => (await readMachineState(client)).bootId !== before.bootId);
    const restarted = await readMachineState(client);
    expect(restarted).toMatchObject({ activeHash: hashOf(data), persistentHash: undefined });
  });
});
