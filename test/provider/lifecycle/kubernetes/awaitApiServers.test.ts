import { clock } from "../../../../provider/base/clock";
import { awaitApiServers } from "../../../../provider/lifecycle/kubernetes/awaitApiServers";
import type { Machine } from "../../../../provider/lifecycle/machine";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { machineAt } from "../deliveries";

const CURRENT = "registry.k8s.io/kube-apiserver:v1.35.0";
const NEXT = "registry.k8s.io/kube-apiserver:v1.35.1";

let cluster: SimulatedCluster;
let nodes: SimulatedNode[];
let machine: Machine;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
  nodes = await cluster.addConfigured(2);
  const [first] = nodes;
  if (first === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(first, 2);
  machine = await machineAt(cluster, first.address);
});

afterAll(() => cluster.stop());

function wait(image: string, members: readonly string[], progress = silent, timeoutMs = 3_000) {
  return awaitApiServers(machine, members, image, { deadline: clock.now() + timeoutMs, progress });
}

const publicAddresses = () => nodes.map(({ address }) => address);
const privateAddresses = () => nodes.map(({ privateAddress }) => privateAddress);

steppingIt("asks every API server at its own address", async () => {
  await wait(CURRENT, publicAddresses());
  const [first = "", second = ""] = publicAddresses();
  await expect(wait(NEXT, publicAddresses())).rejects.toThrow(
    `gave up waiting for every API server to run Kubernetes v1.35.1 after 3 s; last seen: ${first} runs v1.35.0; ${second} runs v1.35.0`,
  );
});

steppingIt("names the API server that is down", async () => {
  const [first = "", second = ""] = publicAddresses();
  const fault = await cluster.faults.inject({ kind: "powerLoss", machine: second });
  const { message } = await wait(CURRENT, [first, second]).then(
    () => new Error("it was content"),
    (error: unknown) => error as Error,
  );
  await fault.lift();
  expect(message).toContain(`last seen: ${second}: `);
  expect(message).not.toContain(`${first} runs`);
});

steppingIt("dials no private address of a network that it isn't in", async () => {
  const progress = recordedProgress();
  await wait(CURRENT, privateAddresses(), progress);
  expect(progress.lines.join("\n")).not.toContain("10.0.1.");
});

steppingIt(
  "compares releases without what a vendor adds, and awaits none without a release",
  async () => {
    await wait("r.example.com/kube-apiserver:v1.35.0-hardened.2", publicAddresses());
    await wait("r.example.com/kube-apiserver:latest", publicAddresses());
  },
);
