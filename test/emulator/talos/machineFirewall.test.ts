import { connect } from "node:tls";
import { protocol } from "../../../provider/api/protocol";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;

const BLOCK = "apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n";

function rule(port: number, subnet: string): string {
  return `apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: p${port}\nportSelector: {ports: [${port}], protocol: tcp}\ningress: [{subnet: ${subnet}}]\n`;
}

/** Whether a machine answers a new connection to a port. */
function answers({ address }: SimulatedNode, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, rejectUnauthorized: false });
    const end = (isAnswered: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isAnswered);
    };
    const timer = setTimeout(() => end(false), 500);
    socket.once("secureConnect", () => end(true));
    // A server that wants a certificate answers too.
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code !== "ECONNREFUSED"));
  });
}

describe("a simulated machine with a firewall of its own", () => {
  let cluster: SimulatedCluster;
  let node: SimulatedNode;
  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    await cluster.bootstrap(node, 1);
  });
  afterEach(() => cluster.stop());

  const documents = (...parts: readonly string[]) => ({
    data: Buffer.from([cluster.config("controlplane"), ...parts].join("---\n")),
    mode: "NO_REBOOT" as const,
  });

  test("drops new connections to ports that no rule opens, and keeps those that exist", async () => {
    const client = await cluster.client(node);
    await client.unary(machine.ApplyConfiguration, documents(BLOCK, rule(6443, "10.0.0.0/8")));
    await eventually(async () => !(await answers(node, 50_000)));
    expect(await answers(node, 50_001)).toBe(false);
    expect(await answers(node, 6_443)).toBe(true);
    await client.unary(machine.ApplyConfiguration, documents());
    await eventually(() => answers(node, 50_000));
    expect(await answers(node, 50_001)).toBe(true);
  });

  test("drops by a rule, where the default lets in, all whom the rule doesn't name", async () => {
    const client = await cluster.client(node);
    await client.unary(machine.ApplyConfiguration, documents(rule(6443, "127.0.0.0/8")));
    await eventually(async () => !(await answers(node, 6_443)));
    expect(await answers(node, 50_000)).toBe(true);
  });

  test("has none any more after a reset", async () => {
    const client = await cluster.client(node);
    await client.unary(machine.ApplyConfiguration, documents(BLOCK, rule(6443, "10.0.0.0/8")));
    await eventually(async () => !(await answers(node, 50_000)));
    await client.unary(machine.Reset, {
      graceful: false,
      reboot: true,
      systemPartitionsToWipe: ["STATE", "EPHEMERAL"].map((label) => ({ label, wipe: true })),
    });
    // It reads its configuration from user data again, which has no firewall.
    await eventually(() => answers(node, 50_000));
  });
});
