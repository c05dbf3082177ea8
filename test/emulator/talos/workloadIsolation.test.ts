import { protocol } from "../../../provider/api/protocol";
import { eventually, SimulatedCluster } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;

let cluster: SimulatedCluster;
beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});
afterEach(() => cluster.stop());

/** A worker's configuration, with what the contract of v1.12 doesn't write. */
const configured = (workloadIsolation: boolean) =>
  `${cluster.config("worker")}---\napiVersion: v1alpha1\nkind: SecurityProfileConfig\nworkloadIsolation: ${workloadIsolation}\n`;

/** A worker of Talos v1.14 with its client. */
async function startedWorker(isolates: boolean) {
  cluster.talosVersion = "v1.14.1";
  await cluster.addConfigured(1);
  const worker = await cluster.add(configured(isolates));
  const client = await cluster.client(worker);
  await eventually(() => worker.node.stage === "running");
  return { worker, client };
}

type Client = Awaited<ReturnType<typeof startedWorker>>["client"];

async function services(client: Client) {
  const { messages } = await client.unary(machine.ServiceList, {});
  return (messages[0]?.services ?? []).map(({ id, state, events }) => ({
    id,
    state,
    texts: (events?.events ?? []).map(({ msg }) => msg),
  }));
}

describe("a machine that keeps its workloads in a namespace of their own", () => {
  it("has the service of that namespace, and starts containers after it", async () => {
    const { client } = await startedWorker(true);
    const all = await services(client);
    const sandbox = all.find(({ id }) => id === "sandboxd");
    expect(sandbox?.state).toBe("Running");
    expect(sandbox?.texts.at(-2)).toMatch(/^sandboxd started with PID \d+$/);
    expect(all.find(({ id }) => id === "cri")?.texts.join("\n")).toContain(
      'to be mounted, service "sandboxd" to be "up", network',
    );
  });

  it("follows a change of it when it boots", async () => {
    const { client, worker } = await startedWorker(false);
    const ids = async () => (await services(client)).map(({ id }) => id);
    await client.unary(machine.ApplyConfiguration, {
      data: Buffer.from(configured(true)),
      mode: "NO_REBOOT",
    });
    expect(await ids()).not.toContain("sandboxd");
    await client.unary(machine.Reboot, {});
    await eventually(() => worker.node.stage === "rebooting");
    await eventually(() => worker.node.stage === "running");
    expect(await ids()).toContain("sandboxd");
  });
});
