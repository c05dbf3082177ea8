import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type ClusterNode, TalosCluster, type TalosClusterArgs } from "../../components";
import { TalosClient } from "../../provider/api/talosClient";
import { eventually } from "../emulator/support/eventually";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { lifeSteps } from "./support/lifeSteps";
import { administratorIn, outputsIn, storedResources } from "./support/storedResources";
import { startMachine, stopMachine, terminateMachine } from "./support/terminateMachine";

const APPLY = "ConfigurationApply";
/** So long the emulated cloud may take to follow AWS, on a machine with other work. */
const FOLLOW_MS = 120_000;
const twoZones = { zones: ["us-east-1a", "us-east-1b"] };
const standard = {
  environment: "local",
  domain: "talos.example",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["127.0.0.0/8"],
  dns: { createZone: true },
  network: { zones: ["us-east-1a"] },
  applySettledSeconds: 1,
} satisfies TalosClusterArgs;

/** What is said of a machine that is lost for good. */
const GONE = /is gone: it has not answered for 30 s, so \S+ took its member/;

/** `update Instance c-control-plane-1` for each step of a run that isn't the same. */
type Steps = readonly string[];

// One cluster's life: each test goes on where the one before it ended.
describe("the steps of changes to a control plane, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let planned: Steps;
  let args: TalosClusterArgs = {
    ...standard,
    network: twoZones,
    controlPlane: { machineCount: 1 },
  };

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { endpoint, nodes } = new TalosCluster("c", args);
        return Promise.resolve({ endpoint, nodes });
      },
    });
    await world.stack.up(world.record);
  });

  afterAll(() => world.close());

  const preview = async (change: Partial<TalosClusterArgs>): Promise<Steps> => {
    args = { ...args, ...change };
    const steps: string[] = [];
    await world.stack.preview({ onEvent: (event) => steps.push(...stepOf(event)) });
    return steps.sort();
  };
  const up = async (change: Partial<TalosClusterArgs>): Promise<Steps> => {
    args = { ...args, ...change };
    const steps: string[] = [];
    await world.stack.up({ onEvent: (event) => steps.push(...stepOf(event)) });
    return steps.sort();
  };
  const resized = (controlPlane: TalosClusterArgs["controlPlane"]) => ({
    controlPlane: { ...args.controlPlane, ...controlPlane },
  });
  const ids = () => world.emulator.nodes().map(({ instanceId }) => instanceId);
  const isVoter = ({ stage }: { readonly stage: string }) => stage === "running";
  const runs = (count: number) =>
    eventually(() => {
      expect(world.emulator.nodes()).toHaveLength(count);
      expect(world.emulator.nodes().filter(isVoter)).toHaveLength(count);
    }, FOLLOW_MS);
  const nothingToChange = async () => expect(await preview({})).toEqual([]);

  /** Whether each member of etcd is a learner still, as one machine sees them. */
  const membersSeenBy = async (machine: string): Promise<boolean[]> => {
    const resources = await storedResources(world.stack);
    const nodes = outputsIn(resources).nodes as ClusterNode[];
    const endpoint = nodes.find(({ name }) => name === machine)?.publicAddress ?? "";
    const client = TalosClient.connect({ endpoint, credentials: administratorIn(resources) });
    const members = await client.etcdMembers();
    client.close();
    return members.map(({ isLearner }) => isLearner);
  };

  step(
    "are no replacement of a machine that was stopped, and that a refresh found so",
    async () => {
      const [instanceId = ""] = ids();
      await stopMachine(world, instanceId);
      await world.stack.refresh(world.record);
      const stopped = await preview({});
      await startMachine(world, instanceId);
      expect(stopped.filter((each) => !each.startsWith("update "))).toEqual([]);
      await world.stack.up({ ...world.record, refresh: true });
      await runs(1);
      expect(ids()).toEqual([instanceId]);
    },
  );

  step("are another load balancer and targets where a zone goes, and then the name", async () => {
    args = { ...args, network: standard.network };
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

  step("are three machines more, and what knows of all, from one to three", async () => {
    const added = [2, 3].flatMap((index) => stepsOfMachine("create", index));
    expect(await up(resized({ machineCount: 3 }))).toEqual([...added, ...ofCluster].sort());
    await runs(3);
  });

  step("are a stop and a start of each machine, in turn, for another instance type", async () => {
    expect(await preview(resized({ instanceType: "m6i.xlarge" }))).toEqual(
      [
        ...[1, 2, 3].map((index) => `update Instance c-control-plane-${index}`),
        ...[2, 3].map((index) => `update MachineTurn c-control-plane-${index}-turn`),
        "update ClusterHealth c-health",
      ].sort(),
    );
    const watch = watchMachines(world);
    await world.stack.up(world.record);
    await runs(3);
    const { fewest, wereDown } = watch.stop();
    // Each of them was down once, and never more than one: etcd had its majority throughout.
    expect(fewest).toBe(2);
    expect(wereDown.size).toBe(3);
  });

  step("are subnets and their associations alone for another zone", async () => {
    const { network } = args;
    planned = await preview({ network: twoZones, firewall: { monitoring: ["nodeExporter"] } });
    expect(planned.filter((each) => !each.includes(" c-firewall-"))).toEqual([
      "create RouteTableAssociation c-network-public-us-east-1b",
      "create Subnet c-network-public-us-east-1b",
      "update LoadBalancer c-api-lb",
    ]);
    const { firewall, ...without } = args;
    expect(firewall).toBeDefined();
    args = { ...without, network };
  });

  step("is one rule for a choice of the firewall", () => {
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

  step("are another machine in place of one that moves, and nothing of the others", async () => {
    const before = ids();
    const { controlPlane } = resized({ machines: { "2": { zone: "us-east-1b" } } });
    const steps = await preview({ network: twoZones, controlPlane });
    expect(steps.filter((each) => /^(update|replace|delete) /.test(each))).toEqual([
      "replace ConfigurationApply c-control-plane-2",
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
    await runs(3);
    expect(ids().filter((id) => before.includes(id))).toHaveLength(2);
    await nothingToChange();
  });

  for (const { key, place, zone, out, refreshes } of [
    // AWS gives the address inside, and with it the name, to the next machine there: Talos itself
    // has it take the place of the one that had it before.
    {
      key: "2",
      place: "the same place",
      zone: "us-east-1b",
      out: /c-control-plane-2/,
      refreshes: true,
    },
    { key: "2", place: "another zone", zone: "us-east-1a", out: GONE, refreshes: false },
    { key: "1", place: "another zone", zone: "us-east-1b", out: GONE, refreshes: false },
  ]) {
    step(`take machine ${key}, which was lost, out of etcd for one in ${place}`, async () => {
      const nodes = outputsIn(await storedResources(world.stack)).nodes as ClusterNode[];
      const lost = nodes.find(({ name }) => name === `c-control-plane-${key}`)?.instanceId ?? "";
      await terminateMachine(world, lost);
      await eventually(() => expect(ids()).not.toContain(lost), FOLLOW_MS);
      // By a command of its own, or by that which makes the other machine.
      if (refreshes) await world.stack.refresh(world.record);
      const machines = { ...args.controlPlane?.machines, [key]: { zone } };
      args = { ...args, ...resized({ machines }) };
      const told: string[] = [];
      await world.stack.up({ onOutput: (text) => told.push(text), refresh: !refreshes });
      expect(told.join("")).toMatch(out);
      const other = key === "1" ? "c-control-plane-2" : "c-control-plane-1";
      expect(await membersSeenBy(other)).toEqual([false, false, false]);
      await nothingToChange();
    });
  }

  step("have a machine leave etcd whose member alone is destroyed", async () => {
    const resources = await storedResources(world.stack);
    const member = resources.find(({ urn }) => urn.endsWith(":EtcdMember::c-control-plane-3"));
    const target = [member?.urn ?? ""];
    await world.stack.destroy({ ...world.record, target, targetDependents: true });
    expect(world.emulator.nodes()).toHaveLength(3);
    expect(await membersSeenBy("c-control-plane-1")).toEqual([false, false]);
  });

  step("lead from three machines to one, whose etcd counts on nobody else", async () => {
    const removed = [2, 3].flatMap((index) => stepsOfMachine("delete", index));
    const gone = ["delete EtcdMember c-control-plane-3", "update ClusterHealth c-health"];
    expect(await up(resized({ machineCount: 1, machines: {} }))).toEqual(
      [...removed, ...ofCluster, "create ClusterHealth c-health"]
        .filter((each) => !gone.includes(each))
        .sort(),
    );
    await runs(1);
    // A majority of three would be two: it would be gone.
    await up(resized({ instanceType: "m6i.large" }));
  });

  step("are its configuration at a fixed address, which a machine gets while it runs", async () => {
    const before = ids();
    const steps = await up(resized({ fixedAddresses: true }));
    expect(steps.filter((each) => /^(create|replace|delete) /.test(each))).toEqual([
      "create Eip c-control-plane-1",
      "create EipAssociation c-control-plane-1",
    ]);
    expect(ids()).toEqual(before);
    expect(await membersSeenBy("c-control-plane-1")).toEqual([false]);
    await nothingToChange();
  });

  step("leave nothing behind, also when no machine answers any more", async () => {
    const [machine = ""] = ids();
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
    `${APPLY} ${name}`,
    `EtcdMember ${name}`,
  ].map((resource) => `${operation} ${resource}`);
}

function stepOf({ resourcePreEvent }: EngineEvent): string[] {
  if (resourcePreEvent === undefined) {
    return [];
  }
  const { op, urn, type } = resourcePreEvent.metadata;
  const kind = type.split(":").at(-1) ?? "";
  const isPart = type.startsWith("talos-aws:") || type.startsWith("pulumi:");
  return op === "same" || op === "read" || isPart
    ? []
    : [`${op} ${kind} ${urn.split("::").at(-1) ?? ""}`];
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
