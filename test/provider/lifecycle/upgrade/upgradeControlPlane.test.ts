import { clock } from "../../../../provider/base/clock";
import { readDiscovered } from "../../../../provider/lifecycle/etcd/readRegisters";
import { withMachine } from "../../../../provider/lifecycle/machine";
import type { MemberTalos } from "../../../../provider/lifecycle/upgrade/memberTalos";
import {
  type ControlPlaneUpgrade,
  upgradeControlPlane,
} from "../../../../provider/lifecycle/upgrade/upgradeControlPlane";
import { readSystem } from "../../../../provider/lifecycle/upgrade/upgradeMachine";
import { expectDocumented } from "../../../documented";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { machineAt } from "../deliveries";
import { eventuallyIn } from "../workload";

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
  const upgrade = (
    version: string,
    progress = silent,
    timeoutMs = 3_600_000,
    more: Partial<ControlPlaneUpgrade> = {},
  ) =>
    upgradeControlPlane({
      machine,
      images: images(version),
      settledSeconds: 0,
      deadline: clock.now() + timeoutMs,
      progress,
      ...more,
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

  steppingIt("goes back to an older minor the other way, newer kubelets first", async () => {
    const { nodes, upgrade, configurations } = await controlPlane(2);
    const worker = await cluster.add(cluster.config("worker"));
    await eventuallyIn("a worker that is discovered", async () => {
      const machine = await machineAt(cluster, nodes[0]?.address ?? "");
      return (await withMachine(machine, (client) => readDiscovered(client))).length === 3;
    });
    const progress = recordedProgress();
    await upgrade("v1.34.3", progress);
    const turns = progress.lines.flatMap(
      (line) => /^machine (\S+): changes (\w+) to /.exec(line)?.slice(1).join(" ") ?? [],
    );
    const addresses = nodes.map(({ privateAddress }) => privateAddress);
    expect(turns).toEqual([
      ...[...addresses, worker.privateAddress].map((address) => `${address} kubelet`),
      ...["scheduler", "controllerManager", "apiServer"].flatMap((part) =>
        addresses.map((address) => `${address} ${part}`),
      ),
    ]);
    for (const text of [...configurations(), worker.node.machineConfiguration ?? ""]) {
      expect(text).toContain("kubelet:v1.34.3");
      expect(text).not.toMatch(/(apiserver|manager|scheduler):v1\.35/);
    }
  });

  steppingIt("takes back what a failed upgrade reached, and touches no kubelet", async () => {
    const { nodes, upgrade, configurations } = await controlPlane(2);
    await upgrade("v1.34.3");
    const before = configurations();
    const cut = {
      ...silent,
      report: (line: string) => {
        if (line.includes("changes controllerManager")) {
          throw new Error("it fails here");
        }
      },
    };
    await expect(upgrade("v1.35.0", cut)).rejects.toThrow("it fails here");
    const progress = recordedProgress();
    await upgrade("v1.34.3", progress);
    expect(progress.lines.filter((line) => line.includes("changes "))).toEqual(
      nodes.map(
        ({ privateAddress }) =>
          expect.stringContaining(`${privateAddress}: changes apiServer`) as string,
      ),
    );
    expect(configurations()).toEqual(before);
  });

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

  steppingIt(
    "goes from 1.35 to 1.37 on Talos v1.14, and warns about objects that get lost",
    async () => {
      cluster.talosVersion = "v1.14.1";
      const { upgrade, configurations } = await controlPlane(1);
      await upgrade("v1.36.3");
      const store = await cluster.kubernetes();
      const definition = (plural: string, kind: string) => ({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.scheduling.k8s.io` },
        spec: {
          group: "scheduling.k8s.io",
          names: { plural, singular: kind.toLowerCase(), kind },
          scope: "Namespaced",
          versions: [{ name: "v1alpha2", served: true, storage: true }],
        },
      });
      const object = (name: string) => ({
        apiVersion: "scheduling.k8s.io/v1alpha2",
        kind: "Workload",
        metadata: { name, namespace: "default" },
      });
      store.install([definition("workloads", "Workload"), definition("podgroups", "PodGroup")]);
      store.install([object("one"), object("two"), object("three")]);
      const progress = recordedProgress();
      await upgrade("v1.37.2", progress);
      expect(progress.warnings).toEqual([
        "there are objects that Kubernetes v1.37.2 can't read or delete any more: 3 of workloads.v1alpha2.scheduling.k8s.io (gone since 1.37). They would stay in etcd: delete them before the upgrade, with what creates them",
      ]);
      expect(configurations()[0]).toContain("kube-apiserver:v1.37.2");
    },
  );

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

/** The Talos to install, with what is drained. */
function talosOf(version: string) {
  const drains: string[] = [];
  const note = (word: string, node: string) => () => {
    drains.push(`${word} ${node}`);
    return Promise.resolve();
  };
  const talos: MemberTalos = {
    installer: `factory.talos.dev/aws-installer/${"d".repeat(64)}:${version}`,
    timeoutSeconds: 3_600,
    drainOf: ({ node }) => ({ begin: note("begin", node), end: note("end", node) }),
  };
  return { talos, drains };
}

describe("a control plane whose Talos doesn't support the new Kubernetes", () => {
  const versionsOf = (nodes: readonly SimulatedNode[]) =>
    Promise.all(
      nodes.map(async ({ address }) =>
        withMachine(await machineAt(cluster, address), async (client) => {
          const { version, schematic } = await readSystem(client);
          return `${version} ${schematic ?? "plain"}`;
        }),
      ),
    );
  const turnsIn = (lines: readonly string[]) =>
    lines.flatMap(
      (line) => /^machine (\S+): (upgrade|changes \w+) /.exec(line)?.slice(1).join(" ") ?? [],
    );

  steppingIt("is refused before any change if its Talos is managed elsewhere", async () => {
    const { nodes, upgrade, configurations } = await controlPlane(2);
    const before = configurations();
    const begins = vi.fn();
    const reason =
      "which does not run Kubernetes v1.36.0: upgrade its Talos, then run the command again";
    await expect(upgrade("v1.36.0", silent, undefined, { begins })).rejects.toThrow(
      `no machine was changed: ${nodes
        .map(({ privateAddress }) => `machine ${privateAddress}: it runs Talos v1.12.1, ${reason}`)
        .join("; ")}`,
    );
    expect(configurations()).toEqual(before);
    expect(begins).not.toHaveBeenCalled();
    const documented = `no machine was changed: machine 10.0.0.4: it runs Talos v1.12.1, ${reason}`;
    expectDocumented("upgrades.md", documented);
  });

  steppingIt("is refused before any change if that Talos or Kubernetes is too far", async () => {
    const { upgrade, configurations } = await controlPlane(1);
    const before = configurations();
    const { talos } = talosOf("v1.14.0");
    await expect(upgrade("v1.37.0", silent, undefined, { talos })).rejects.toThrow(
      /^no machine was changed: machine 10\.0\.1\.1: the API server runs Kubernetes v1\.35\.0, and v1\.37\.0 is 2 minors above it/,
    );
    await expect(upgrade("v1.36.0", silent, undefined, { talos })).rejects.toThrow(
      /^no machine was changed: machine 10\.0\.1\.1: the machine runs Talos v1\.12\.1, and v1\.14\.0 is 2 minors above it/,
    );
    expect(configurations()).toEqual(before);
  });

  steppingIt("gets the declared Talos first, machine by machine, each drained", async () => {
    const { nodes, upgrade, configurations } = await controlPlane(3);
    const progress = recordedProgress();
    const { talos, drains } = talosOf("v1.13.0");
    const begins = vi.fn();
    await upgrade("v1.36.0", progress, undefined, { talos, begins });
    const addresses = nodes.map(({ privateAddress }) => privateAddress);
    expect(turnsIn(progress.lines)).toEqual([
      ...addresses.map((address) => `${address} upgrade`),
      ...["apiServer", "controllerManager", "scheduler"].flatMap((part) =>
        addresses.map((address) => `${address} changes ${part}`),
      ),
    ]);
    expect(drains).toEqual(addresses.flatMap((address) => [`begin ${address}`, `end ${address}`]));
    // Their own schematic, not that of their role.
    expect(await versionsOf(nodes)).toEqual(nodes.map(() => "v1.13.0 0"));
    for (const text of configurations()) {
      expect(text).toContain("kube-apiserver:v1.36.0");
      expect(text).toContain("kubelet:v1.35.0");
    }
    expect(begins.mock.calls).toEqual([["v1.13.0"], ["v1.13.0"], ["v1.13.0"], []]);
  });

  steppingIt("is left to the machines' own configurations if Kubernetes can go first", async () => {
    const { nodes, upgrade } = await controlPlane(1);
    const { talos, drains } = talosOf("v1.13.0");
    await upgrade("v1.35.1", silent, undefined, { talos });
    expect(drains).toEqual([]);
    expect(await versionsOf(nodes)).toEqual(["v1.12.1 plain"]);
  });

  steppingIt("continues, and goes back, after a machine that kept its old system", async () => {
    const { nodes, upgrade, configurations } = await controlPlane(3);
    const before = configurations();
    const second = nodes[1]?.address ?? "";
    const forward = { talos: talosOf("v1.13.0").talos };
    const broken = async () => {
      const fault = await cluster.faults.inject({ kind: "brokenUpgrade", machine: second });
      await expect(upgrade("v1.36.0", silent, undefined, forward)).rejects.toThrow(
        /restarted with v1\.12\.1, its old system/,
      );
      await fault.lift();
    };
    await broken();
    expect(await versionsOf(nodes)).toEqual(["v1.13.0 0", "v1.12.1 plain", "v1.12.1 plain"]);
    const back = { talos: talosOf("v1.12.1").talos, installedTalos: "v1.13.0" };
    await upgrade("v1.35.0", silent, undefined, back);
    expect(await versionsOf(nodes)).toEqual(["v1.12.1 0", "v1.12.1 plain", "v1.12.1 plain"]);
    expect(configurations()).toEqual(before);
    await broken();
    const progress = recordedProgress();
    await upgrade("v1.36.0", progress, undefined, forward);
    const [, ...others] = nodes.map(({ privateAddress }) => `${privateAddress} upgrade`);
    expect(turnsIn(progress.lines).filter((turn) => turn.endsWith("upgrade"))).toEqual(others);
    expect(await versionsOf(nodes)).toEqual(nodes.map(() => "v1.13.0 0"));
  });
});
