import type { Patch } from "../../provider/config/patches/patch";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import type { SessionNodes } from "./session/normalise";
import { sessionScript } from "./session/sessionScript";
import { absences, type SessionStep, stepsOn } from "./session/sessionStep";
import { complaintsOf, TalosctlSession } from "./session/talosctlSession";
import { LAB } from "./support/labRelease";
import { describeWithTalosLab } from "./support/talosLab";
import { describeWithTalosctl, Talosctl } from "./support/talosctl";

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

/** The release of talosctl that `npm test` builds, and so of the machines that it speaks to. */
const SIMULATED = "v1.12.1";

describeWithTalosctl("a session of the real talosctl with simulated nodes", (talosctl) => {
  let cluster: SimulatedCluster;
  let session: TalosctlSession;

  beforeAll(async () => {
    cluster = await SimulatedCluster.create({ joinMs: 100, rebootMs: 1200, shutdownMs: 1200 });
    const nodes: SimulatedNode[] = [];
    const letters = machines.map(({ letter }) => letter);
    while (nodes.length < letters.length) {
      nodes.push(await cluster.add());
    }
    writeConfigs(talosctl, cluster, [kubeSpan]);
    session = await TalosctlSession.start(talosctl, addressesOf(nodes, letters), cluster, [
      "a",
      "b",
      "c",
    ]);
  });
  afterAll(() => cluster.stop());

  test.each(named(stepsOn(sessionScript, SIMULATED)))("%s", async (_, step) => {
    expect(complaintsOf(step, await session.run(step))).toEqual([]);
  });
});

/** The same commands to a real node and to a simulated one, configured alike. */
const labLetters = ["a", "d"];
const labNodes = ["cp1:2", "w1:3"];
/** A reboot of a real node took up to a minute and more where the computer was busy. */
const realPatienceMs = 180_000;

describeWithTalosLab("a session of the real talosctl with real nodes", (lab) => {
  describe("and the same one with simulated nodes", () => {
    let talosctl: Talosctl;
    let other: Talosctl;
    let cluster: SimulatedCluster;
    let simulated: TalosctlSession;
    let real: TalosctlSession;

    beforeAll(async () => {
      // Its own, which is of the release of its nodes.
      [talosctl, other] = [new Talosctl(await lab.talosctl()), new Talosctl(await lab.talosctl())];
      cluster = await SimulatedCluster.create({ joinMs: 100, rebootMs: 1200, shutdownMs: 1200 });
      cluster.talosVersion = LAB.talos;
      const nodes = [await cluster.add(), await cluster.add()];
      const addresses = await lab.up(labNodes);
      const patch = await lab.patch();
      const realNodes = Object.fromEntries(
        labLetters.map((letter, index) => [letter, [addresses[index] ?? ""]]),
      );
      const endpoint = { cluster: { controlPlane: { endpoint: `https://${addresses[0]}:6443` } } };
      writeConfigs(talosctl, cluster, [patch, endpoint]);
      writeConfigs(other, cluster, [patch]);
      real = await TalosctlSession.start(talosctl, realNodes, cluster, ["a"], realPatienceMs);
      const simulatedNodes = addressesOf(nodes, labLetters);
      simulated = await TalosctlSession.start(other, simulatedNodes, cluster, ["a"]);
    });
    afterAll(async () => {
      talosctl.dispose();
      other.dispose();
      await cluster.stop();
      await lab.down();
    });

    for (const [name, step] of named(stepsOn(sessionScript, LAB.talos))) {
      const { lab: kind } = step;
      if (kind !== "same" && kind !== "alike") {
        test.skip(`${name}: ${absences[kind]}`, () => undefined);
        continue;
      }
      test(
        name,
        async () => {
          const ours = await simulated.run(step);
          const theirs = await real.run(step);
          expect(complaintsOf(step, theirs)).toEqual([]);
          expect(complaintsOf(step, ours)).toEqual([]);
          if (kind === "same") {
            expect(ours).toEqual(theirs);
          }
        },
        2 * realPatienceMs,
      );
    }
  });
});
