import {
  DeleteLoadBalancerCommand,
  DescribeLoadBalancersCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { TalosClient } from "../../provider/api/talosClient";
import { eventually } from "../emulator/support/eventually";
import { openAccount } from "./support/account";
import { administrator } from "./support/administrator";
import { createsBegun } from "./support/createsBegun";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { putForeignTable } from "./support/foreignTable";
import { END_MS, killedWhile } from "./support/killedWhile";
import { lifeSteps } from "./support/lifeSteps";
import { labelOf, storedResources } from "./support/storedResources";
import { stopMachine, terminateMachine } from "./support/terminateMachine";

// One cluster's life: each run goes on where the one before it was killed.
describe("an engine that is killed", () => {
  const step = lifeSteps();
  let world: EngineWorld;

  beforeAll(async () => {
    world = await startEngineWorld({ ordinaryEngine: true });
  });

  afterAll(() => world.close());

  const isRunning = ({ stage }: { readonly stage: string }) => stage === "running";
  const up = (options: object) => world.stack.up({ ...world.record, ...options });
  const calls = () => world.emulator.nodes().reduce((sum, node) => sum + node.bootstrapCalls, 0);
  const recorded = async () => (await storedResources(world.stack)).map(labelOf);

  step("after the first machine got its configuration, before that is recorded", async () => {
    const { record, stack, emulator, stateDir } = world;
    // A create in AWS that is cut off as well is what killedCreates.test.ts is about.
    const awaited = new Set<string>();
    const onEvent = ({ resourcePreEvent }: EngineEvent) => {
      if (resourcePreEvent?.metadata.type.startsWith("aws:") === true) {
        awaited.add(resourcePreEvent.metadata.urn);
      }
    };
    await stack.preview({ ...record, onEvent });
    expect(awaited.size).toBeGreaterThan(0);
    const configured = new Set<string>();
    const isMoment = ({ resOutputsEvent }: EngineEvent) => {
      awaited.delete(resOutputsEvent?.metadata.urn ?? "");
      for (const { instanceId: machine, machineConfiguration } of emulator.nodes()) {
        if (machineConfiguration !== undefined && !configured.has(machine)) {
          // It starts with that now, and nobody reaches it to see so: the moment can't pass.
          configured.add(machine);
          void emulator.faults.inject({ kind: "refuse", machine });
        }
      }
      return configured.size > 0 && awaited.size === 0 && createsBegun(stateDir).length === 0;
    };
    await killedWhile(up, isMoment, world);
    await emulator.faults.liftAll();
    const labels = await recorded();
    expect(labels.filter((label) => label.startsWith("ConfigurationApply"))).toEqual([]);
    expect(labels).toContain("FirstContact local-control-plane-1");
    expect(calls()).toBe(0);
  });

  step("then, with another server at its address: the next run sends that nothing", async () => {
    const { emulator } = world;
    const machine = emulator.nodes().find((node) => node.machineConfiguration !== undefined);
    const fault = await emulator.faults.inject({
      kind: "imposter",
      machine: machine?.instanceId ?? "",
      parameters: { inMaintenance: true },
    });
    await expect(up({})).rejects.toThrow(
      /its certificate has the fingerprint .* EC2's console output .* shows that the machine has taken .* already: another server .*Nothing was sent/,
    );
    expect(fault.observed.connections).toBeGreaterThan(0);
    expect(fault.observed.receivedBytes).toBe(0);
    await fault.lift();
  });

  step("then after the bootstrap call, before etcd is healthy", async () => {
    await killedWhile(up, () => calls() > 0, world);
    const labels = await recorded();
    expect(labels).toContain("ConfigurationApply local-control-plane-1");
    expect(labels).not.toContain("MachineBootstrap local-bootstrap");
  });

  step("then between the bootstrap and the kubeconfig", async () => {
    // No machine hands one out for now: the moment can't pass.
    const parameters = { method: "Kubeconfig", times: 1_000_000 };
    const faults = await Promise.all(
      world.emulator
        .nodes()
        .map(({ instanceId: machine }) =>
          world.emulator.faults.inject({ kind: "resetMidCall", machine, parameters }),
        ),
    );
    // What is asked for after the bootstrap begins when that is recorded, not when it is done.
    const isMoment = ({ resourcePreEvent }: EngineEvent) =>
      resourcePreEvent?.metadata.urn.includes("ClusterKubeconfig") === true;
    await killedWhile(up, isMoment, world);
    await Promise.all(faults.map((fault) => fault.lift()));
    const labels = await recorded();
    expect(labels).toContain("MachineBootstrap local-bootstrap");
    expect(labels).not.toContain("ClusterKubeconfig local-kubeconfig");
  });

  step("each time: the next run continues, and all converge with one bootstrap", async () => {
    await up({});
    expect(world.emulator.nodes().map(({ stage }) => stage)).toEqual([
      "running",
      "running",
      "running",
    ]);
    expect(calls()).toBe(1);
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("while the previous machine is still in etcd: the next run makes it leave", async () => {
    const { stack, emulator } = world;
    const [, second] = emulator.nodes();
    const instance = (await storedResources(stack)).find(
      ({ id, type }) => id === second?.instanceId && type === "aws:ec2/instance:Instance",
    );
    expect(instance).toBeDefined();
    const replaceSecond = (options: object) => up({ ...options, replace: [instance?.urn ?? ""] });
    await killedWhile(replaceSecond, () => emulator.nodes().filter(isRunning).length === 4, world);
    const isThere = () => emulator.nodes().some((node) => node.instanceId === second?.instanceId);
    expect(isThere()).toBe(true);
    await up({});
    await eventually(() => {
      expect(emulator.nodes().filter(isRunning)).toHaveLength(3);
      expect(isThere()).toBe(false);
    }, END_MS);
    const [first] = emulator.nodes();
    const client = TalosClient.connect({
      endpoint: first?.address ?? "",
      credentials: await administrator(stack),
    });
    const members = await client.etcdMembers();
    client.close();
    expect(members.map(({ isLearner }) => isLearner)).toEqual([false, false, false]);
  });

  step("in a destroy of a half dead cluster: the next one ends, and leaves nothing", async () => {
    const { stack, emulator, record } = world;
    // Nobody is left to give etcd a majority, and what leads to the cluster is gone too.
    const [, second, third] = emulator.nodes();
    await stopMachine(world, second?.instanceId ?? "");
    await terminateMachine(world, third?.instanceId ?? "");
    const account = openAccount(emulator);
    const { LoadBalancers = [] } = await account.loadBalancing.send(
      new DescribeLoadBalancersCommand({}),
    );
    for (const { LoadBalancerArn } of LoadBalancers) {
      await account.loadBalancing.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
    }
    account.close();
    await eventually(() => expect(emulator.nodes()).toHaveLength(1), END_MS);
    const takeTableOut = await putForeignTable(emulator);
    const destroy = (options: object) => stack.destroy({ ...record, ...options });
    await killedWhile(destroy, () => emulator.nodes().length < 1, world);
    await takeTableOut();
    expect(await recorded()).not.toEqual([]);
    const told: string[] = [];
    await stack.destroy({ ...record, onOutput: (text) => told.push(text) });
    expect(told.join("")).not.toMatch(/leave etcd/);
    await eventually(() => expect(emulator.nodes()).toEqual([]), END_MS);
    expect(await recorded()).toEqual([]);
  });
});
