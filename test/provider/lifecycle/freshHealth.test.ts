import type { StaticPodStatusSpec } from "../../../provider/api/kubeletResources";
import { clock } from "../../../provider/base/clock";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { awaitHealth, type HealthGate } from "../../../provider/lifecycle/health/awaitHealth";
import {
  type MachineFacts,
  readMachineFacts,
} from "../../../provider/lifecycle/health/machineFacts";
import { withMachine } from "../../../provider/lifecycle/machine";
import { clusterKubeconfigHandler } from "../../../provider/resources/clusterKubeconfig";
import { machineTurnHandler } from "../../../provider/resources/machineTurn";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { machineAt } from "./deliveries";
import { type FactsMachine, startFactsMachine } from "./factsMachine";
import { container, facts, podStatus, withApiServer, withService } from "./machineSamples";

const unready = withApiServer(podStatus(container("kube-apiserver", { ready: false })));
const fallen = withService("kubelet", { healthy: false, lastMessage: "connection refused" });

let machine: FactsMachine;

afterEach(() => machine.stop());

/** The statuses of a machine's pods under another name of the machine. */
function renamed({ podStatuses }: MachineFacts, nodename: string) {
  const entries = [...podStatuses].map(([id, status]) => [id.replace("cp-1", nodename), status]);
  return Object.fromEntries(entries) as Record<string, StaticPodStatusSpec>;
}

describe("awaitHealth", () => {
  let cluster: SimulatedCluster;

  afterEach(() => cluster.stop());

  steppingIt(
    "believes a machine about itself while Kubernetes still reports it ready",
    async () => {
      cluster = await SimulatedCluster.create({ joinMs: 20 });
      const [controlPlane] = await cluster.addConfigured(1);
      if (controlPlane === undefined) {
        throw new Error("there is a machine");
      }
      await cluster.bootstrap(controlPlane, 1);
      const first = await machineAt(cluster, controlPlane.address);
      const { state } = await clusterKubeconfigHandler.create(
        { ...first, checked: true, timeoutSeconds: 600 },
        silent,
      );
      const kubernetes = new KubernetesApi(state.kubeconfig);
      const { nodename = "" } = await withMachine(first, (client) => readMachineFacts(client, {}));
      const look = async (found: MachineFacts, seconds: number) => {
        machine = await startFactsMachine({ ...found, nodename }, "");
        const named = { controlPlanes: [first], workers: [machine.machine] };
        const gates: HealthGate[] = ["nodesReady"];
        await awaitHealth(named, gates, kubernetes, clock.now() + seconds * 1_000, silent);
      };
      const pods = { podStatuses: new Map(Object.entries(renamed(facts(), nodename))) };
      await look({ ...facts(), ...pods }, 600);
      await machine.stop();
      const waiting = look({ ...fallen, ...pods }, 10);
      await expect(waiting).rejects.toThrow(/kubelet is not healthy: connection refused/);
    },
  );
});

describe("MachineTurn", () => {
  const cases = [
    {
      part: "API server",
      found: unready,
      message: /no machine may be stopped now: .*kube-apiserver runs, but is not ready/,
    },
    { part: "kubelet", found: fallen, message: /kubelet is not healthy: connection refused/ },
  ];
  for (const { part, found, message } of cases) {
    steppingIt(`waits for the ${part} of the machine before`, async () => {
      machine = await startFactsMachine(found, "");
      const inputs = { ...machine.machine, triggers: ["m6i.xlarge"], timeoutSeconds: 10 };
      const update = () =>
        machineTurnHandler.update("turn", { triggers: ["m6i.large"] }, inputs, silent);
      await expect(update()).rejects.toThrow(message);
      machine.facts = facts();
      await expect(update()).resolves.toEqual({ triggers: ["m6i.xlarge"] });
    });
  }
});
