import type { Patch } from "../../provider/config/patch";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import { sessionScript } from "./session/sessionScript";
import type { SessionNodes } from "./session/normalise";
import type { SessionStep } from "./session/sessionStep";
import { complaintsOf, TalosctlSession } from "./session/talosctlSession";
import { describeWithTalosctl, type Talosctl } from "./support/talosctl";

jest.setTimeout(90_000);

/** Machines of the session by their letters: three control planes and two workers. */
const machines = [
  { letter: "a", hostname: "cp1", machineType: "controlplane" },
  { letter: "b", hostname: "cp2", machineType: "controlplane" },
  { letter: "c", hostname: "cp3", machineType: "controlplane" },
  { letter: "d", hostname: "w1", machineType: "worker" },
  { letter: "e", hostname: "w2", machineType: "worker" },
] as const;

const kubeSpan: Patch = { machine: { network: { kubespan: { enabled: true } } } };

function hostnamePatch(hostname: string): Patch {
  return { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "off", hostname };
}

/** Writes what the session applies, and what is refused. */
function writeConfigs(
  talosctl: Talosctl,
  cluster: SimulatedCluster,
  patches: readonly Patch[],
): void {
  for (const { letter, hostname, machineType } of machines) {
    const text = cluster.config(machineType, [...patches, hostnamePatch(hostname)]);
    talosctl.write(`${letter}.yaml`, text);
  }
  talosctl.write("broken.yaml", "version: v1alpha1\nmachine:\n  foo: bar\n");
  talosctl.write("incomplete.yaml", "version: v1alpha1\nmachine:\n  type: controlplane\n");
}

function addressesOf(nodes: readonly SimulatedNode[], letters: readonly string[]): SessionNodes {
  return Object.fromEntries(
    nodes.map(({ address, privateAddress }, index) => [
      letters[index] ?? "",
      [address, privateAddress],
    ]),
  );
}

const named = (steps: readonly SessionStep[]) =>
  steps.map((step, index): [string, SessionStep] => [
    `${index + 1} talosctl ${step.command}`,
    step,
  ]);

describeWithTalosctl("a session of the real talosctl with simulated nodes", (talosctl) => {
  let cluster: SimulatedCluster;
  let session: TalosctlSession;

  beforeAll(async () => {
    cluster = await SimulatedCluster.create({ joinMs: 100, rebootMs: 1200, shutdownMs: 1200 });
    const nodes: SimulatedNode[] = [];
    const letters = machines.map(({ letter }) => letter);
    while (nodes.length < letters.length) nodes.push(await cluster.add());
    writeConfigs(talosctl, cluster, [kubeSpan]);
    session = await TalosctlSession.start(talosctl, addressesOf(nodes, letters), cluster.secrets, [
      "a",
      "b",
      "c",
    ]);
  });
  afterAll(() => cluster.stop());

  test.each(named(sessionScript))("%s", async (_, step) => {
    expect(complaintsOf(step, await session.run(step))).toEqual([]);
  });
});
