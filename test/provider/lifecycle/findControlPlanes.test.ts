import { isDeepStrictEqual } from "node:util";
import { findControlPlanes, machinesToAsk } from "../../../provider/lifecycle/findControlPlanes";
import { eventually, SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "./deliveries";

const credentials = { ca: "", crt: "", key: "" };
const places = [
  { inside: "10.0.0.4", outside: ["198.51.100.4"] },
  { inside: "10.0.1.4", outside: ["2001:db8::4", "198.51.100.5"] },
  { inside: "10.0.2.4", outside: [] },
];

const asked = (node: string, endpoint = node, privateAddress?: string) =>
  machinesToAsk(
    { node, endpoint, credentials, ...(privateAddress !== undefined && { privateAddress }) },
    places,
  ).map((machine) => `${machine.node} at ${machine.endpoint}`);

const direct = (...addresses: string[]) => addresses.map((each) => `${each} at ${each}`);

describe("the machines that are asked about a control plane machine's node", () => {
  it("are dialled as the machine is: from outside, inside, or through a load balancer", () => {
    expect(asked("198.51.100.4")).toEqual(direct("198.51.100.5", "10.0.2.4", "198.51.100.4"));
    expect(asked("10.0.0.4")).toEqual(direct("10.0.1.4", "10.0.2.4", "10.0.0.4"));
    expect(asked("10.0.0.4", "k8s.example.com")).toEqual(
      ["10.0.1.4", "10.0.2.4", "10.0.0.4"].map((node) => `${node} at k8s.example.com`),
    );
  });

  it("are dialled directly if another machine forwards to it, and it comes last", () => {
    expect(asked("10.0.1.4", "198.51.100.4")).toEqual(
      direct("198.51.100.4", "10.0.2.4", "198.51.100.5"),
    );
  });

  it("are reached through the machine if nothing names the address at which it is dialled", () => {
    // Talos learns its public address at boot, and AWS may give it another later.
    expect(asked("203.0.113.9", "203.0.113.9", "10.0.1.4")).toEqual(
      ["10.0.0.4", "10.0.2.4", "10.0.1.4"].map((node) => `${node} at 203.0.113.9`),
    );
  });

  it("are named by etcd, and are only the machine itself while it is silent", async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const nodes = await cluster.addConfigured(3);
      const [first] = nodes;
      if (first === undefined) {
        throw new Error("there is no machine");
      }
      await cluster.bootstrap(first, 3);
      const machine = await machineAt(cluster, first.address);
      const find = async () => (await findControlPlanes(machine)).map(({ node }) => node);
      const others = nodes.slice(1).map(({ address }) => address);
      // A machine that has just joined may not be reached through another one yet. etcd lists its
      // members in the order of their ids.
      await eventually(async () => {
        const found = await find();
        return isDeepStrictEqual(found.slice(0, -1).sort(), others.sort());
      });
      expect((await find()).at(-1)).toBe(first.address);
      await cluster.faults.inject({ kind: "refuse", machine: first.address });
      expect(await find()).toEqual([first.address]);
    } finally {
      await cluster.stop();
    }
  });
});
