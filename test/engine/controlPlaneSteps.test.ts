import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type ClusterNode, TalosCluster, type TalosClusterArgs } from "../../components";
import { TalosClient } from "../../provider/api/talosClient";
import { administrator } from "./support/administrator";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { startMachine, stopMachine, terminateMachine } from "./support/terminateMachine";

const APPLY = "ConfigurationApply";
const standard = {
  environment: "local",
  domain: "talos.example",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["127.0.0.0/8"],
  dns: { createZone: true },
  network: { zones: ["us-east-1a"] },
} satisfies TalosClusterArgs;

/** `update Instance c-control-plane-1` for each step of a run that isn't the same. */
type Steps = readonly string[];

// One cluster's life: each test goes on where the one before it ended.
describe("the steps of changes to a control plane, by the real engine", () => {
  let world: EngineWorld;
  let args: TalosClusterArgs = { ...standard, controlPlane: { machineCount: 1 } };

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { endpoint, nodes } = new TalosCluster("c", args);
        return Promise.resolve({ endpoint, nodes });
      },
    });
    await world.stack.up(world.record);
  }, 180_000);

  afterAll(async () => {
    await world.close();
  }, 60_000);

  const preview = async (change: Partial<TalosClusterArgs>): Promise<Steps> => {
    args = { ...args, ...change };
    const steps: string[] = [];
    await world.stack.preview({ onEvent: (event) => steps.push(...stepOf(event)) });
    return steps.sort();
  };
  const resized = (controlPlane: TalosClusterArgs["controlPlane"]) =>
    preview({ controlPlane: { ...args.controlPlane, ...controlPlane } });
  const voters = () => world.emulator.nodes().filter(({ stage }) => stage === "running").length;

  it("are no replacement of a machine that was stopped, and that a refresh found so", async () => {
    const [node] = world.emulator.nodes();
    const instanceId = node?.instanceId ?? "";
    await stopMachine(world, instanceId);
    await world.stack.refresh(world.record);
    const stopped = await preview({});
    await startMachine(world, instanceId);
    expect(stopped.filter((step) => !step.startsWith("update "))).toEqual([]);
    await world.stack.refresh(world.record);
    await world.stack.up(world.record);
    expect(world.emulator.nodes().map((each) => each.instanceId)).toEqual([instanceId]);
  }, 180_000);

  it("are another load balancer and targets of its own where a zone goes, and then the name", async () => {
    const { network } = args;
    args = { ...args, network: { zones: ["us-east-1a", "us-east-1b"] } };
    await world.stack.up(world.record);
    args = { ...args, network };
    const done: string[] = [];
    await world.stack.up({
      onEvent: ({ resOutputsEvent }: EngineEvent) => {
        done.push(...stepOf({ resourcePreEvent: resOutputsEvent } as EngineEvent));
      },
    });
    const place = (step: string) => done.indexOf(step);
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
  }, 120_000);

  it("are three machines more, and what knows of all, from one to three", async () => {
    const added = [2, 3].flatMap((index) => stepsOfMachine("create", index));
    expect(await resized({ machineCount: 3 })).toEqual([...added, ...ofCluster].sort());
    await world.stack.up(world.record);
    expect(voters()).toBe(3);
  }, 180_000);

  it("are a stop and a start of each machine, in turn, for another instance type", async () => {
    expect(await resized({ instanceType: "m6i.xlarge" })).toEqual(
      [
        ...[1, 2, 3].map((index) => `update Instance c-control-plane-${index}`),
        ...[2, 3].map((index) => `update MachineTurn c-control-plane-${index}-turn`),
        "update ClusterHealth c-health",
      ].sort(),
    );
    const watch = watchMachines(world);
    await world.stack.up(world.record);
    const { fewest, wereDown } = watch.stop();
    // Each of them was down once, and never more than one: etcd had its majority throughout.
    expect(fewest).toBe(2);
    expect(wereDown.size).toBe(3);
    expect(voters()).toBe(3);
  }, 240_000);

  it("are subnets and their associations alone for another zone", async () => {
    const zones = ["us-east-1a", "us-east-1b"];
    expect(await preview({ network: { zones } })).toEqual([
      "create RouteTableAssociation c-network-public-us-east-1b",
      "create Subnet c-network-public-us-east-1b",
      "update LoadBalancer c-api-lb",
    ]);
    args = { ...args, network: standard.network };
  }, 120_000);

  it("is one rule for a choice of the firewall", async () => {
    expect(await preview({ firewall: { monitoring: ["nodeExporter"] } })).toEqual(
      ["control-plane", "worker"]
        .flatMap((group) =>
          ["control-plane", "worker"].map(
            (peer) => `create SecurityGroupIngressRule c-firewall-${group}-tcp-9100-from-${peer}`,
          ),
        )
        .sort(),
    );
    const { firewall, ...without } = args;
    expect(firewall).toBeDefined();
    args = without;
  }, 120_000);

  it("are another machine in place of one that moves, and nothing of the others", async () => {
    const before = world.emulator.nodes().map(({ instanceId }) => instanceId);
    const network = { zones: ["us-east-1a", "us-east-1b"] };
    const controlPlane = { ...args.controlPlane, machines: { "2": { zone: "us-east-1b" } } };
    const steps = await preview({ network, controlPlane });
    expect(steps.filter((step) => /^(update|replace|delete) /.test(step))).toEqual([
      "replace ConfigurationApply c-control-plane-2",
      "replace Instance c-control-plane-2",
      "replace TargetGroupAttachment c-control-plane-2-api",
      "update ClientConfiguration c-client",
      "update ClusterHealth c-health",
      "update LoadBalancer c-api-lb",
      "update MachineTurn c-control-plane-3-turn",
      "update SecurityGroupIngressRule c-control-plane-2-to-api",
    ]);
    const watch = watchMachines(world);
    await world.stack.up(world.record);
    const { fewest } = watch.stop();
    // the new one has joined before the old one leaves
    expect(fewest).toBeGreaterThanOrEqual(2);
    const after = world.emulator.nodes().map(({ instanceId }) => instanceId);
    expect(after).toHaveLength(3);
    expect(after.filter((id) => before.includes(id))).toHaveLength(2);
    expect(voters()).toBe(3);
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }, 240_000);

  it.each([
    // AWS gives the address inside, and with it the name, to the next machine there: Talos itself
    // has it take the place of the one that had it before.
    { key: "2", place: "the same place", zone: "us-east-1b", out: undefined },
    {
      key: "2",
      place: "another zone",
      zone: "us-east-1a",
      out: /is gone: it has not answered for 30 s, so \S+ took its member/,
    },
    {
      key: "1",
      place: "another zone",
      zone: "us-east-1b",
      out: /is gone: it has not answered for 30 s, so \S+ took its member/,
    },
  ])(
    "take machine $key, which was lost, out of etcd for one in $place",
    async ({ key, zone, out }) => {
      const nodes = (await world.stack.outputs()).nodes?.value as ClusterNode[];
      const lost = nodes.find(({ name }) => name === `c-control-plane-${key}`);
      const other = nodes.find(({ name }) => name !== lost?.name);
      await terminateMachine(world, lost?.instanceId ?? "");
      await world.stack.refresh(world.record);
      const machines = { ...args.controlPlane?.machines, [key]: { zone } };
      args = { ...args, controlPlane: { ...args.controlPlane, machines } };
      const told: string[] = [];
      await world.stack.up({ onOutput: (text) => told.push(text) });
      expect(told.join("")).toMatch(out ?? /c-control-plane-2/);
      const credentials = await administrator(world.stack);
      const client = TalosClient.connect({ endpoint: other?.publicAddress ?? "", credentials });
      const members = await client.etcdMembers();
      client.close();
      expect(members.map(({ isLearner }) => isLearner)).toEqual([false, false, false]);
      const { changeSummary } = await world.stack.preview(world.record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    },
    180_000,
  );

  it("lead from three machines to one, whose etcd counts on nobody else", async () => {
    const removed = [2, 3].flatMap((index) => stepsOfMachine("delete", index));
    expect(await resized({ machineCount: 1, machines: {} })).toEqual(
      [...removed, ...ofCluster].sort(),
    );
    await world.stack.up(world.record);
    const nodes = world.emulator.nodes();
    expect(nodes).toHaveLength(1);
    // A majority of three would be two: it would be gone.
    await resized({ instanceType: "m6i.large" });
    await world.stack.up(world.record);
  }, 240_000);

  it("leave nothing behind", async () => {
    await world.stack.destroy(world.record);
    expect(world.emulator.nodes()).toEqual([]);
  }, 120_000);
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
