import { parse } from "yaml";
import { protocol } from "../../../provider/api/protocol";
import { clock } from "../../../provider/base/clock";
import { hashDocuments } from "../../../provider/config/hash";
import type { Patch } from "../../../provider/config/patches/patch";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import { findDrift } from "../../../provider/lifecycle/delivery/findDrift";
import { awaitHealthy } from "../../../provider/lifecycle/health/awaitHealthy";
import { lookAtMachine } from "../../../provider/lifecycle/health/lookAtMachine";
import { type Machine, withMachine } from "../../../provider/lifecycle/machine";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";
import { machineAt } from "./deliveries";

const { service } = protocol.machine.MachineService;

const deniedFlag: Patch = {
  cluster: { apiServer: { extraArgs: { "encryption-provider-config": "/var/kms.yaml" } } },
};
const newImages: Patch = {
  cluster: {
    apiServer: { image: "registry.k8s.io/kube-apiserver:v1.35.1" },
    scheduler: { image: "registry.k8s.io/kube-scheduler:v1.35.1" },
  },
};
const wrongSetting: Patch = {
  machine: { kubelet: { extraConfig: { imageGcHighThresholdPercent: 70 } } },
};

let cluster: SimulatedCluster;
let node: SimulatedNode;
let machine: Machine;

beforeEach(async () => {
  cluster = await SimulatedCluster.create({ restartMs: 100 });
  node = await cluster.add(cluster.config("controlplane"));
  await cluster.bootstrap(node, 1);
  machine = await machineAt(cluster, node.address);
  await well(30_000);
});

afterEach(() => cluster.stop());

function well(timeoutMs: number): Promise<boolean> {
  const deadline = clock.now() + timeoutMs;
  return awaitHealthy({ machine, settledSeconds: 5, wasUp: true, deadline, progress: silent });
}

/** Talos accepts it, whatever its controllers make of it. */
async function apply(...patches: Patch[]): Promise<void> {
  const client = await cluster.client(node);
  const data = Buffer.from(cluster.config("controlplane", patches));
  const { messages } = await client.unary(service.ApplyConfiguration, { data, mode: "NO_REBOOT" });
  expect(messages[0]?.mode).toBe("NO_REBOOT");
}

function problems(): Promise<readonly string[]> {
  return withMachine(machine, async (client) => (await lookAtMachine(client, {})).verdict.problems);
}

async function imageOf(app: string): Promise<string | undefined> {
  return withMachine(machine, async (client) => {
    const type = "StaticPods.kubernetes.talos.dev";
    const { spec } = await client.getResource({ namespace: "k8s", type, id: app });
    const pod = parse(spec) as { spec: { containers: { image: string }[] } };
    return pod.spec.containers[0]?.image;
  });
}

const PODS_FAIL =
  'Talos\' controller k8s.ControlPlaneStaticPodController fails, so what runs is from an older configuration: error updating static pod for "APIServerConfigs.kubernetes.talos.dev": extra arg "encryption-provider-config" is not allowed';

describe("a machine whose controllers of Talos fail", () => {
  steppingIt(
    "isn't well by its old static pods, and comes back when Talos tries again",
    async () => {
      await apply(deniedFlag);
      await expect(well(10_000)).rejects.toThrow(PODS_FAIL);
      // A later change of another component doesn't arrive either.
      await apply(deniedFlag, newImages);
      await expect(well(10_000)).rejects.toThrow(
        "Talos has not rendered the static pod kube-scheduler with its new configuration yet",
      );
      expect(await imageOf("kube-scheduler")).not.toContain("v1.35.1");
      await apply(newImages);
      await well(60_000);
      expect(await imageOf("kube-apiserver")).toContain("v1.35.1");
      expect(await imageOf("kube-scheduler")).toContain("v1.35.1");
      expect(await problems()).toEqual([]);
    },
  );

  steppingIt("is told of by a refresh, which finds no other difference", async () => {
    await apply(deniedFlag);
    await expect(well(10_000)).rejects.toThrow(PODS_FAIL);
    const documents = decodeDocuments(cluster.config("controlplane", [deniedFlag]));
    const progress = recordedProgress();
    const recorded = { hash: hashDocuments(documents), system: "unheeded" } as const;
    expect(await findDrift(machine, recorded, progress)).toBeUndefined();
    expect(progress.warnings).toContain(
      `machine ${node.address} has its configuration, but has not applied all of it: ${PODS_FAIL}`,
    );
  });

  steppingIt("isn't well by its old kubelet", async () => {
    await apply(wrongSetting);
    await expect(well(10_000)).rejects.toThrow(
      /k8s\.KubeletSpecController fails, .*unknown field "imageGcHighThresholdPercent"/,
    );
    await apply();
    await well(60_000);
  });

  steppingIt("isn't well by its old addresses, which Talos keeps if none fits", async () => {
    await apply({ machine: { kubelet: { nodeIP: { validSubnets: ["192.0.2.0/24"] } } } });
    await expect(well(10_000)).rejects.toThrow(
      /no address of the machine for machine\.kubelet\.nodeIP\.validSubnets, 192\.0\.2\.0\/24, so the kubelet keeps 10\./,
    );
    await apply();
    await well(60_000);
  });

  steppingIt("quotes the last words of a component that ends", async () => {
    await apply({ cluster: { scheduler: { extraArgs: { "no-such-flag": "1" } } } });
    await expect(well(60_000)).rejects.toThrow(
      /kube-scheduler-ip-10-0-1-1: container kube-scheduler .*the log of kube-scheduler ends with .*"Error: unknown flag: --no-such-flag" \("talosctl logs --kubernetes kube-system\/kube-scheduler-ip-10-0-1-1:kube-scheduler:[0-9a-f]{12}" shows all\)/,
    );
    await apply();
    await well(60_000);
  });

  steppingIt("names the image that its kubelet waits for, before Talos gives up", async () => {
    const image = "ghcr.example/siderolabs/kubelet:v1.35.1";
    await apply({ machine: { kubelet: { image } } });
    await expect(well(10_000)).rejects.toThrow(
      /failed to pull image "ghcr\.example\/siderolabs\/kubelet:v1\.35\.1": .*lookup ghcr\.example: no such host; kubelet is Preparing/,
    );
    await apply();
    await well(60_000);
  });

  it("stays without static pods after a reboot", async () => {
    await apply(deniedFlag);
    const client = await cluster.client(node);
    await client.unary(service.Reboot, {});
    await eventually(async () => (await problems()).includes(PODS_FAIL));
    expect(await problems()).toContain("Talos has not rendered the static pod kube-apiserver");
  });
});
