import { clock } from "../../../provider/clock";
import { upgradeControlPlane } from "../../../provider/lifecycle/upgradeControlPlane";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { machineAt } from "./deliveries";

const images = (version: string) => ({
  apiServer: `registry.k8s.io/kube-apiserver:${version}`,
  controllerManager: `registry.k8s.io/kube-controller-manager:${version}`,
  scheduler: `registry.k8s.io/kube-scheduler:${version}`,
});

let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});

afterEach(() => cluster.stop());

/** A control plane that is up, and how it is upgraded. */
async function controlPlane(machineCount: number) {
  const nodes = await cluster.addConfigured(machineCount);
  const [first] = nodes;
  if (first === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(first, machineCount);
  const machine = await machineAt(cluster, first.address);
  const upgrade = (version: string, progress = silent, timeoutMs = 3_600_000) =>
    upgradeControlPlane({
      ...{ machine, images: images(version), settledSeconds: 0 },
      ...{ deadline: clock.now() + timeoutMs, progress },
    });
  const configurations = () => nodes.map(({ node }) => node.machineConfiguration ?? "");
  return { nodes, first, upgrade, configurations };
}

describe("upgradeControlPlane", () => {
  steppingIt(
    "upgrades component by component, machine by machine, without the kubelets",
    async () => {
      const { nodes, upgrade, configurations } = await controlPlane(3);
      const progress = recordedProgress();
      await upgrade("v1.35.1", progress);
      const turns = progress.lines.flatMap(
        (line) => /^machine (\S+): changes (\w+) to /.exec(line)?.slice(1).join(" ") ?? [],
      );
      const parts = ["apiServer", "controllerManager", "scheduler"];
      expect(turns).toEqual(
        parts.flatMap((part) => nodes.map(({ privateAddress }) => `${privateAddress} ${part}`)),
      );
      for (const text of configurations()) {
        expect(text).toContain("kube-apiserver:v1.35.1");
        expect(text).toContain("kube-controller-manager:v1.35.1");
        expect(text).toContain("kube-scheduler:v1.35.1");
        expect(text).toContain("kubelet:v1.35.0");
      }
    },
  );

  steppingIt("changes nothing if an image can't be pulled", async () => {
    const { upgrade, configurations } = await controlPlane(3);
    const before = configurations();
    await expect(upgrade("v1.35.99")).rejects.toThrow(/kube-apiserver:v1\.35\.99: not found/);
    expect(configurations()).toEqual(before);
  });

  steppingIt("warns about clients of removed APIs", async () => {
    const { upgrade } = await controlPlane(1);
    const store = await cluster.kubernetes();
    const gone = {
      group: "g.k8s.io",
      version: "v1beta1",
      resource: "things",
      removedRelease: "1.35",
    };
    store.deprecatedRequests = [gone];
    const progress = recordedProgress();
    await upgrade("v1.35.1", progress);
    expect(progress.warnings).toEqual([
      "clients use APIs that Kubernetes v1.35.1 doesn't have: things.v1beta1.g.k8s.io (gone since 1.35). They will fail after the upgrade: update these clients",
    ]);
  });

  steppingIt("continues after an interruption", async () => {
    const { first, upgrade, configurations } = await controlPlane(1);
    const fault = await cluster.faults.inject({ kind: "stoppedKubelet", machine: first.address });
    await expect(upgrade("v1.35.1", silent, 3_000)).rejects.toThrow();
    await fault.lift();
    const progress = recordedProgress();
    await upgrade("v1.35.1", progress);
    expect(configurations()[0]).toContain("kube-scheduler:v1.35.1");
    const again = recordedProgress();
    await upgrade("v1.35.1", again);
    expect(again.lines.filter((line) => line.includes("changes "))).toEqual([]);
  });

  steppingIt("begins no machine while an etcd member is unhealthy", async () => {
    const { nodes, upgrade, configurations } = await controlPlane(3);
    const before = configurations();
    const machine = nodes[2]?.address ?? "";
    const fault = await cluster.faults.inject({ kind: "powerLoss", machine });
    await expect(upgrade("v1.35.1", silent, 8_000)).rejects.toThrow(/doesn't answer/);
    await fault.lift();
    expect(configurations().slice(0, 2)).toEqual(before.slice(0, 2));
  });
});
