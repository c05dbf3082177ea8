import type { EngineEvent } from "@pulumi/pulumi/automation";
import {
  describeChangedMachines,
  findChangedMachines,
  needsRefresh,
} from "../../cli/engine/changedMachines";
import type { Patch } from "../../provider";
import { expectDocumented } from "../documented";
import { eventually } from "../emulator/support/eventually";
import { ControlPlaneLife, controlPlaneAlone, FOLLOW_MS, stepOf } from "./support/controlPlaneLife";
import type { EngineWorld } from "./support/engineWorld";
import { lifeSteps } from "./support/lifeSteps";
import { machineSettings } from "./support/machineSettings";
import { storedResources } from "./support/storedResources";
import { startMachine, stopMachine } from "./support/terminateMachine";

const oneZone = { zones: ["us-east-1a"] };

/** Talos encrypts a volume only when it makes it. */
const ENCRYPTED_VOLUME = {
  apiVersion: "v1alpha1",
  kind: "VolumeConfig",
  name: "EPHEMERAL",
  encryption: { provider: "luks2", keys: [{ slot: 0, nodeID: {} }] },
} satisfies Patch;
const twoZones = { zones: ["us-east-1a", "us-east-1b"] };

// One cluster's life: each test goes on where the one before it ended.
describe("changes of a control plane, by the real engine", () => {
  const step = lifeSteps();
  let life: ControlPlaneLife;
  let world: EngineWorld;
  let planned: readonly string[];

  beforeAll(async () => {
    const controlPlane = { machineCount: 1 };
    life = await ControlPlaneLife.start({ ...controlPlaneAlone, network: twoZones, controlPlane });
    ({ world } = life);
  });

  afterAll(() => world.close());

  step("do not replace a stopped machine after a refresh", async () => {
    const [instanceId = ""] = life.ids();
    await stopMachine(world, instanceId);
    await world.stack.refresh(world.record);
    const stopped = await life.preview();
    await startMachine(world, instanceId);
    expect(stopped.filter((each) => !each.startsWith("update "))).toEqual([]);
    await world.stack.up({ ...world.record, refresh: true });
    await life.runs(1);
    expect(life.ids()).toEqual([instanceId]);
  });

  step(
    "refuse another range of pods, do what happens with it if it is accepted, and go back",
    async () => {
      const { args } = life;
      const podCidrs = ["10.200.0.0/16"];
      const ran = world.emulator.nodes().map(({ machineConfiguration }) => machineConfiguration);
      life.args = { ...args, podCidrs };
      await expect(world.stack.preview()).rejects.toThrow(/podCidrs/);
      expect(world.emulator.nodes().map((each) => each.machineConfiguration)).toEqual(ran);
      const acceptedChanges = { podCidrs: "10.200.0.0/16" };
      // The controller manager ends again and again, so the update waits until its deadline.
      life.args = { ...args, podCidrs, acceptedChanges, applyTimeoutSeconds: 6 };
      await expect(world.stack.up(world.record)).rejects.toThrow(
        /container kube-controller-manager .*10\.244\.0\.0\/24 is out the range of cluster cidr 10\.200\.0\.0\/16/,
      );
      life.args = args;
      await world.stack.up(world.record);
      await life.runs(1);
    },
  );

  step("refuse another pod network, change it if it is accepted, and go back", async () => {
    const { args } = life;
    life.args = { ...args, addOns: { cilium: true } };
    const refused = world.stack.preview();
    await expect(refused).rejects.toThrow(/cni: .*"flannel" to "cilium".*\{"cni":"cilium"\}/s);
    const podNetwork = () =>
      world.emulator.nodes().map((node) => machineSettings(node)("cluster.network.cni.name"));
    life.args = { ...args, cni: "none", acceptedChanges: { cni: "none" } };
    await world.stack.up(world.record);
    expect(podNetwork()).toEqual(["none"]);
    life.args = args;
    await world.stack.up(world.record);
    expect(podNetwork()).toEqual([undefined]);
    expect(await life.preview()).toEqual([]);
  });

  step("replace load balancer and targets when a zone is removed, then the DNS name", async () => {
    life.args = { ...life.args, network: oneZone };
    const done: string[] = [];
    await world.stack.up({
      onEvent: ({ resOutputsEvent }: EngineEvent) => {
        done.push(...stepOf({ resourcePreEvent: resOutputsEvent } as EngineEvent));
      },
    });
    const place = (each: string) => done.indexOf(each);
    expect(done).toEqual(
      expect.arrayContaining([
        "create-replacement LoadBalancer c-api-lb",
        "create-replacement TargetGroup c-api-tg",
        "create-replacement Listener c-api-listener",
        "create-replacement TargetGroupAttachment c-control-plane-1-api",
        "update Record c-dns-alias",
        "delete-replaced LoadBalancer c-api-lb",
        "delete Subnet c-network-public-us-east-1b",
      ]),
    );
    const named = place("update Record c-dns-alias");
    expect(named).toBeGreaterThan(place("create-replacement Listener c-api-listener"));
    expect(named).toBeGreaterThan(
      place("create-replacement TargetGroupAttachment c-control-plane-1-api"),
    );
    expect(named).toBeLessThan(place("delete-replaced LoadBalancer c-api-lb"));
  });

  step("add machines and update their dependents, from one to three", async () => {
    const added = [2, 3].flatMap((index) => stepsOfMachine("create", index));
    life.resize({ machineCount: 3 });
    expect(await life.up()).toEqual([...added, ...ofCluster].sort());
    await life.runs(3);
  });

  step("stop and start machines one after another for another instance type", async () => {
    life.resize({ instanceType: "m6i.xlarge" });
    expect(await life.preview()).toEqual(
      [
        ...[1, 2, 3].flatMap((index) => [
          `update Instance c-control-plane-${index}`,
          // They start with other addresses.
          `update ConfigurationApply c-control-plane-${index}`,
          `update EtcdMember c-control-plane-${index}`,
          `update SecurityGroupIngressRule c-control-plane-${index}-to-api`,
        ]),
        ...[2, 3].map((index) => `update MachineTurn c-control-plane-${index}-turn`),
        "update ClientConfiguration c-client",
        "update ClusterHealth c-health",
      ].sort(),
    );
    const watch = watchMachines(world);
    await world.stack.up(world.record);
    await life.runs(3);
    const { fewest, wereDown } = watch.stop();
    // Each of them was down once, and never more than one: etcd had its majority throughout.
    expect(fewest).toBe(2);
    expect(wereDown.size).toBe(3);
  });

  step("add only subnets and associations for another zone", async () => {
    const { args } = life;
    life.args = { ...args, network: twoZones, firewall: { monitoring: ["nodeExporter"] } };
    planned = await life.preview();
    life.args = args;
    expect(planned.filter((each) => !each.includes(" c-firewall-"))).toEqual([
      "create RouteTableAssociation c-network-public-us-east-1b",
      "create Subnet c-network-public-us-east-1b",
      "update LoadBalancer c-api-lb",
    ]);
  });

  step("change one rule for an option of the firewall", () => {
    expect(planned.filter((each) => each.includes(" c-firewall-"))).toEqual(
      ["control-plane", "worker"]
        .flatMap((group) =>
          ["control-plane", "worker"].map(
            (peer) => `create SecurityGroupIngressRule c-firewall-${group}-tcp-9100-from-${peer}`,
          ),
        )
        .sort(),
    );
  });

  step(
    "refuse to encrypt a machine that runs, show its next boot if that is accepted, and replace it",
    async () => {
      const { args } = life;
      const [, , third = ""] = (await life.nodes()).map(({ instanceId }) => instanceId);
      const encrypted = { patches: [ENCRYPTED_VOLUME] };
      life.resize({ machines: { "3": encrypted } });
      await expect(world.stack.preview()).rejects.toThrow(
        /VolumeConfig\/EPHEMERAL\.encryption\.provider.*acceptedChanges.*only when it makes it/s,
      );
      const acceptedChanges = { "VolumeConfig/EPHEMERAL.encryption.provider": "luks2" };
      life.args = { ...life.args, acceptedChanges, applyTimeoutSeconds: 6 };
      await life.up();
      await life.runs(3);
      await stopMachine(world, third);
      await startMachine(world, third);
      await eventually(() => {
        const node = world.emulator.nodes().find(({ instanceId }) => instanceId === third);
        expect(node?.stage).toBe("booting");
      }, FOLLOW_MS);
      const { controlPlane } = args;
      const machines = { "3": { ...encrypted, replacement: "encrypted" } };
      life.args = { ...args, controlPlane: { ...controlPlane, machines } };
      await world.stack.up(world.record);
      await life.runs(3);
      expect(life.ids()).not.toContain(third);
      expect(await life.preview()).toEqual([]);
    },
  );

  step("replace a machine that moves, and change no other", async () => {
    const before = life.ids();
    life.args = { ...life.args, network: twoZones };
    life.resize({
      machines: { ...life.args.controlPlane?.machines, "2": { zone: "us-east-1b" } },
    });
    const steps = await life.preview();
    expect(steps.filter((each) => /^(update|replace|delete) /.test(each))).toEqual([
      "replace ConfigurationApply c-control-plane-2",
      "replace FirstContact c-control-plane-2",
      "replace Instance c-control-plane-2",
      "replace TargetGroupAttachment c-control-plane-2-api",
      "update ClientConfiguration c-client",
      "update ClusterHealth c-health",
      "update EtcdMember c-control-plane-2",
      // It records whom to ask should its machine be dead.
      "update EtcdMember c-control-plane-3",
      "update LoadBalancer c-api-lb",
      "update MachineTurn c-control-plane-3-turn",
      "update SecurityGroupIngressRule c-control-plane-2-to-api",
    ]);
    const watch = watchMachines(world);
    await world.stack.up(world.record);
    const { fewest } = watch.stop();
    // the new one has joined before the old one leaves
    expect(fewest).toBeGreaterThanOrEqual(2);
    await life.runs(3);
    expect(life.ids().filter((id) => before.includes(id))).toHaveLength(2);
    expect(await life.preview()).toEqual([]);
  });

  step("make a machine leave etcd if only its member is destroyed", async () => {
    const resources = await storedResources(world.stack);
    const member = resources.find(({ urn }) => urn.endsWith(":EtcdMember::c-control-plane-3"));
    const target = [member?.urn ?? ""];
    await world.stack.destroy({ ...world.record, target, targetDependents: true });
    expect(world.emulator.nodes()).toHaveLength(3);
    expect(await life.membersSeenBy("c-control-plane-1")).toEqual([false, false]);
  });

  step("scale from three machines to one, whose etcd has one member", async () => {
    const removed = [2, 3].flatMap((index) => stepsOfMachine("delete", index));
    const gone = ["delete EtcdMember c-control-plane-3", "update ClusterHealth c-health"];
    // It counts the patches of machines.
    const counted = "update MachineConfiguration c-control-plane";
    life.resize({ machineCount: 1, machines: {} });
    expect(await life.up()).toEqual(
      [...removed, ...ofCluster, "create ClusterHealth c-health", counted]
        .filter((each) => !gone.includes(each))
        .sort(),
    );
    await life.runs(1);
    // A majority of three would be two: it would be gone.
    life.resize({ instanceType: "m6i.large" });
    await life.up();
  });

  step("give a running machine a fixed address and its configuration", async () => {
    const before = life.ids();
    life.resize({ fixedAddresses: true });
    const steps = await life.up();
    expect(steps.filter((each) => /^(create|replace|delete) /.test(each))).toEqual([
      "create Eip c-control-plane-1",
      "create EipAssociation c-control-plane-1",
    ]);
    expect(life.ids()).toEqual(before);
    expect(await life.membersSeenBy("c-control-plane-1")).toEqual([false]);
    expect(await life.preview()).toEqual([]);
  });

  step(
    "take the fixed address away again: the next update adds another to the certificate",
    async () => {
      const before = life.ids();
      // Until then, the state has the address that the fixed one replaced.
      await world.stack.refresh(world.record);
      life.resize({ fixedAddresses: false });
      const steps = await life.up();
      expect(steps.filter((each) => /^(create|replace|delete) /.test(each))).toEqual([
        "delete Eip c-control-plane-1",
        "delete EipAssociation c-control-plane-1",
      ]);
      const { signal } = new AbortController();
      const moved = await findChangedMachines(world.stack, signal);
      expect(moved).toMatchObject({ lost: [], moved: ["c-control-plane-1"], stopped: [] });
      expectDocumented("guides/control-planes.md", describeChangedMachines(moved).join("\n"));
      await world.stack.up({ ...world.record, refresh: true });
      expect(needsRefresh(await findChangedMachines(world.stack, signal))).toBe(false);
      expect(life.ids()).toEqual(before);
      expect(await life.membersSeenBy("c-control-plane-1")).toEqual([false]);
      expect(await life.preview()).toEqual([]);
    },
  );

  step("destroy everything, also if no machine answers", async () => {
    const [machine = ""] = life.ids();
    await world.emulator.faults.inject({ kind: "refuse", machine });
    await world.stack.destroy(world.record);
    await eventually(() => expect(world.emulator.nodes()).toEqual([]), FOLLOW_MS);
  });
});

/** What knows of every machine. */
const ofCluster = ["update ClientConfiguration c-client", "update ClusterHealth c-health"];

function stepsOfMachine(operation: "create" | "delete", index: number): string[] {
  const name = `c-control-plane-${index}`;
  return [
    `Instance ${name}`,
    `MachineTurn ${name}-turn`,
    `TargetGroupAttachment ${name}-api`,
    `SecurityGroupIngressRule ${name}-to-api`,
    `ConfigurationApply ${name}`,
    `EtcdMember ${name}`,
    `FirstContact ${name}`,
  ].map((resource) => `${operation} ${resource}`);
}

/** Looks all the time which machines are off. */
function watchMachines({ emulator }: EngineWorld) {
  const all = emulator.nodes().map(({ instanceId }) => instanceId);
  const wereDown = new Set<string>();
  let fewest = all.length;
  const timer = setInterval(() => {
    const on = new Set(
      emulator
        .nodes()
        .filter(({ stage }) => stage === "running")
        .map(({ instanceId }) => instanceId),
    );
    all.filter((id) => !on.has(id)).forEach((id) => wereDown.add(id));
    fewest = Math.min(fewest, on.size);
  }, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return { fewest, wereDown };
    },
  };
}
