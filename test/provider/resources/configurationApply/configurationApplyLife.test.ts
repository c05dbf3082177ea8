import { startTcpProxy } from "../../../../emulator/tcpProxy";
import { protocol } from "../../../../provider/api/protocol";
import { fingerprintText, hashDocuments } from "../../../../provider/config/hash";
import type { Patch } from "../../../../provider/config/patches/patch";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import {
  CLUSTER_DELETION_VARIABLE,
  ON_DESTROY_VARIABLE,
  type OnDestroy,
} from "../../../../provider/engine/onDestroy";
import { deliverConfiguration } from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import type { ApplyMode } from "../../../../provider/lifecycle/delivery/delivery";
import { outlineMachineConfiguration } from "../../../../provider/render/renderMachineConfiguration";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../../emulator/talos/simulatedCluster";
import { createOsCa, issueCredentials } from "../../api/testPki";
import { deliveryOf, machineAt } from "../../lifecycle/deliveries";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { expectNoSecrets } from "../samples";

const id = "i-0123456789abcdef0";
const byHand = { machine: { sysctls: { "vm.swappiness": "1" } } };

let cluster: SimulatedCluster;

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});
afterEach(async () => {
  Reflect.deleteProperty(process.env, ON_DESTROY_VARIABLE);
  Reflect.deleteProperty(process.env, CLUSTER_DELETION_VARIABLE);
  await cluster.stop();
});

/** A machine that runs its configuration, with what is recorded of it. */
async function applied(
  options: { onDestroy?: OnDestroy; machineType?: "worker"; byUserData?: boolean } = {},
) {
  const { onDestroy, machineType = "controlplane", byUserData = false } = options;
  if (machineType === "worker") {
    // A worker's certificate comes from a control plane.
    await cluster.addConfigured(1);
  }
  const node = await cluster.add(byUserData ? cluster.config(machineType) : undefined);
  const inputs = await checked(await inputsOf(node, cluster.config(machineType), onDestroy));
  const { state } = await handler.create(inputs, silent);
  return { node, inputs, state };
}

async function inputsOf(
  { address }: SimulatedNode,
  machineConfiguration: string,
  onDestroy?: OnDestroy,
) {
  return {
    ...(await machineAt(cluster, address)),
    machineId: id,
    machineConfiguration,
    patches: [] as Patch[],
    mode: "auto" as ApplyMode,
    ...(onDestroy && { onDestroy }),
    timeoutSeconds: 600,
    configurationHash: "",
    redactedConfiguration: "" as unknown,
  };
}

async function checked(news: Awaited<ReturnType<typeof inputsOf>>) {
  const { inputs, failures } = await handler.check(undefined, news);
  expect(failures).toEqual([]);
  return inputs;
}

async function applyByHand({ address }: SimulatedNode, patch: Patch): Promise<string> {
  const text = cluster.config("controlplane", [patch]);
  await deliverConfiguration(deliveryOf(await machineAt(cluster, address), text));
  return text;
}

async function read(state: Awaited<ReturnType<typeof applied>>["state"]) {
  const progress = recordedProgress();
  const found = await handler.read?.(id, state, progress);
  if (found === undefined) {
    throw new Error("it reads nothing");
  }
  return { ...found, ...progress };
}

describe("a machine that gets another public address while it runs", () => {
  steppingIt(
    "is recognised there by the private address in its certificate, and no other machine is",
    async () => {
      const { node, inputs, state } = await applied();
      const other = await cluster.add(cluster.config("controlplane"));
      const elastic = node.address.replace(/\d+$/, "250");
      let target = other.address;
      const proxy = await startTcpProxy({
        host: elastic,
        port: 50_000,
        chooseTarget: () => ({ host: target, port: 50_000 }),
      });
      try {
        const patches = [{ machine: { certSANs: [elastic] } }];
        const moved = await checked({
          ...(await inputsOf(node, inputs.machineConfiguration)),
          node: elastic,
          endpoint: elastic,
          privateAddress: node.address,
          patches,
        });
        // Another machine of the same cluster has that address.
        const soon = { ...moved, timeoutSeconds: 10 };
        await expect(handler.update(id, state, soon, silent)).rejects.toThrow(/certificate/);
        target = node.address;
        const { configurationHash } = await handler.update(id, state, moved, silent);
        expect(configurationHash).toBe(moved.configurationHash);
        expect(node.node.machineConfiguration).toContain(elastic);
      } finally {
        await proxy.close();
      }
    },
  );
});

describe("read of ConfigurationApply", () => {
  steppingIt("finds no drift without a change", async () => {
    const { state } = await applied();
    const { state: found, inputs, warnings } = await read(state);
    expect(found).toBe(state);
    expect(inputs).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  steppingIt("finds changes by hand, which the next update reverts", async () => {
    const { node, inputs, state } = await applied();
    const text = await applyByHand(node, byHand);
    const { state: found, inputs: foundInputs } = await read(state);
    expect(found.configurationHash).toBe(hashDocuments(decodeDocuments(text)));
    expect(found).toEqual({
      ...state,
      configurationHash: found.configurationHash,
      configurationFingerprint: fingerprintText(text),
      wellness: "unconfirmed",
      // The engine prints what a refresh changes from here.
      redactedConfiguration: foundInputs?.redactedConfiguration,
    });
    expect(foundInputs).toEqual({
      machineId: id,
      node: node.address,
      endpoint: node.address,
      redactedConfiguration: outlineMachineConfiguration(decodeDocuments(text)),
      talosSystem: { version: "v1.12.1" },
    });
    expect(foundInputs).toMatchObject({ redactedConfiguration: byHand });
    expectNoSecrets(foundInputs, cluster.secrets);

    expect(handler.diff(id, found, inputs)).toEqual({ changes: true, replaces: [] });
    const updated = await handler.update(id, found, inputs, silent);
    expect(updated).toEqual(state);
    expect(node.node.machineConfiguration).toBe(inputs.machineConfiguration);
    expect((await read(updated)).state).toBe(updated);
  });

  steppingIt("lets the next update take back what a machine keeps from its birth", async () => {
    const { node, inputs, state } = await applied();
    await applyByHand(node, { cluster: { network: { podSubnets: ["10.200.0.0/16"] } } });
    const { inputs: found } = await read(state);
    expect(found?.bornOtherwise).toEqual({ "cluster.network.podSubnets": "10.244.0.0/16" });
    const { failures, warnings } = await handler.check(found, inputs);
    expect(failures).toEqual([]);
    expect(warnings).toEqual([]);
  });

  steppingIt("has the next update look after a changed machine that needs no change", async () => {
    const { node, state } = await applied();
    const wanted = await checked(await inputsOf(node, await applyByHand(node, byHand)));
    const { state: found } = await read(state);
    const { configurationHash } = wanted;
    expect(found).toMatchObject({ configurationHash, wellness: "unconfirmed" });
    expect(handler.diff(id, found, wanted)).toEqual({ changes: true, replaces: [] });
    const settled = await handler.update(id, found, wanted, silent);
    expect(handler.diff(id, settled, wanted)).toEqual({ changes: false, replaces: [] });
  });

  steppingIt(
    "finds them on a restarted machine, which shows only its running configuration",
    async () => {
      const { node, inputs, state } = await applied();
      await applyByHand(node, byHand);
      const client = await cluster.client(node);
      await client.unary(protocol.machine.MachineService.service.Reboot, {});
      await eventually(() => node.node.stage !== "running");
      await eventually(() => node.node.stage === "running");
      const { state: found, inputs: foundInputs, warnings } = await read(state);
      expect(warnings).toEqual([]);
      expect(foundInputs?.redactedConfiguration).toMatchObject(byHand);
      expect(await handler.update(id, found, inputs, silent)).toEqual(state);
      expect(node.node.machineConfiguration).toBe(inputs.machineConfiguration);
    },
  );

  steppingIt("ignores a trial configuration, also on a restarted machine", async () => {
    const { node, inputs, state } = await applied();
    const client = await cluster.client(node);
    const { Reboot, ApplyConfiguration } = protocol.machine.MachineService.service;
    const data = Buffer.from(cluster.config("controlplane", [byHand]));
    const tryOut = () => client.unary(ApplyConfiguration, { data, mode: "TRY" });
    await tryOut();
    expect(await read(state)).toMatchObject({ state, warnings: [] });
    await client.unary(Reboot, {});
    await eventually(() => node.node.stage !== "running");
    await eventually(() => node.node.stage === "running");
    await eventually(async () => (await tryOut()).messages.length === 1);
    const { state: found, warnings } = await read(state);
    expect(found).toBe(state);
    expect(warnings).toEqual([
      expect.stringContaining(`${node.address} tries out a configuration`),
    ]);

    const text = cluster.config("controlplane", [byHand]);
    const news = await checked(await inputsOf(node, text));
    await handler.update(id, state, news, silent);
    expect(
      (await read({ ...state, configurationHash: news.configurationHash ?? "" })).warnings,
    ).toEqual([]);
    expect(inputs.machineConfiguration).not.toBe(text);
  });

  steppingIt("keeps the recorded state of a machine that doesn't answer, and warns", async () => {
    const { node, state } = await applied();
    await node.node.stop();
    const { state: found, warnings } = await read(state);
    expect(found).toBe(state);
    expect(warnings).toEqual([
      expect.stringContaining(
        `machine ${node.address} could not be checked, so its recorded state is kept: `,
      ),
    ]);
  });

  steppingIt(
    "keeps it, and sends nothing, if a machine in maintenance mode answers instead",
    async () => {
      const { state } = await applied();
      const imposter = await cluster.add();
      const { address } = imposter;
      const { state: found, warnings } = await read({ ...state, node: address, endpoint: address });
      expect(found.configurationHash).toBe(state.configurationHash);
      expect(warnings[0]).toMatch(/maintenance mode/);
      expect(imposter.node.machineConfiguration).toBeUndefined();
    },
  );

  steppingIt("keeps it if the credentials are of another cluster", async () => {
    const { state } = await applied();
    const credentials = await issueCredentials(await createOsCa());
    const { state: found, warnings } = await read({ ...state, credentials });
    expect(found.configurationHash).toBe(state.configurationHash);
    expect(warnings).toHaveLength(1);
    expectNoSecrets(warnings, cluster.secrets);
  });

  steppingIt("keeps the state that an older release recorded without credentials", async () => {
    const { state } = await applied();
    const { credentials: _, ...old } = state;
    const { state: found, warnings } = await read(old as typeof state);
    expect(found).toEqual(old);
    expect(warnings[0]).toContain("older release");
  });
});

describe("delete of ConfigurationApply", () => {
  steppingIt("does not contact the machine by default", async (stepping) => {
    const { node, state } = await applied();
    await node.node.stop();
    const before = stepping.skippedMs;
    await handler.delete?.(node.instanceId, state, silent);
    // Who asks a machine that is off pauses before the next attempt.
    expect(stepping.skippedMs).toBe(before);
  });

  steppingIt("resets a machine, and is done when it is in maintenance mode", async () => {
    const onDestroy = { reset: true, reboot: true, systemLabelsToWipe: ["STATE", "EPHEMERAL"] };
    const { node, state } = await applied({ onDestroy, machineType: "worker" });
    const progress = recordedProgress();
    await handler.delete?.(node.instanceId, state, progress);
    await eventually(() => node.node.stage === "maintenance");
    expect(node.node.machineConfiguration).toBeUndefined();
    // Once more: there is nothing left to wipe.
    await handler.delete?.(node.instanceId, state, progress);
  });

  steppingIt("resets no other instance that has got the address", async () => {
    const { node, state } = await applied({ onDestroy: { reset: true }, machineType: "worker" });
    const progress = recordedProgress();
    await handler.delete?.(id, state, progress);
    expect(progress.warnings).toEqual([
      `another instance than ${id} has the address ${node.address}, so it is not reset`,
    ]);
    expect(node.node.machineConfiguration).toBe(cluster.config("worker"));
  });

  steppingIt("reports that user data has configured a machine again, and what to do", async () => {
    const onDestroy = { reset: true, reboot: true, systemLabelsToWipe: ["STATE", "EPHEMERAL"] };
    const { node, state } = await applied({ onDestroy, machineType: "worker", byUserData: true });
    await expect(handler.delete?.(node.instanceId, state, silent)).rejects.toThrow(
      /was not reset: it was wiped, but has a configuration again: the instance's user data .* Terminate the instance instead/,
    );
    expect(node.node.machineConfiguration).toBe(cluster.config("worker"));
  });

  steppingIt("is done when a machine that keeps its configuration has started again", async () => {
    const onDestroy = { reset: true, reboot: true, systemLabelsToWipe: ["EPHEMERAL"] };
    const { node, state } = await applied({ onDestroy, machineType: "worker" });
    const ups = () => cluster.lines.filter((line) => line.endsWith(" is up")).length;
    const before = ups();
    await handler.delete?.(node.instanceId, state, silent);
    expect(ups()).toBe(before + 1);
    expect(node.node.stage).not.toBe("maintenance");
  });

  steppingIt("shuts it down on request", async () => {
    const { node, state } = await applied({ onDestroy: { reset: true }, machineType: "worker" });
    await handler.delete?.(node.instanceId, state, silent);
    expect(node.node.stage).toBe("stopped");
  });

  steppingIt("prefers the environment to the recorded choice", async () => {
    const { node, state } = await applied({ onDestroy: { reset: true }, machineType: "worker" });
    process.env[ON_DESTROY_VARIABLE] = "none";
    await handler.delete?.(node.instanceId, state, silent);
    expect(node.node.stage).toBe("running");
    process.env[ON_DESTROY_VARIABLE] =
      '{"reset": true, "reboot": true, "systemLabelsToWipe": ["STATE", "EPHEMERAL"]}';
    await handler.delete?.(node.instanceId, { ...state, onDestroy: {} }, silent);
    await eventually(() => node.node.stage === "maintenance");
  });

  steppingIt("says what to do if the machine can't be reached", async () => {
    const { node, state } = await applied({ onDestroy: { reset: true } });
    await node.node.stop();
    const end = handler.delete?.(node.instanceId, { ...state, timeoutSeconds: 10 }, silent);
    await expect(end).rejects.toThrow(
      /was not reset: gave up waiting .* run "talos-aws destroy <stack>".* TALOS_AWS_ON_DESTROY=none/,
    );
  });

  steppingIt("leaves no etcd if the whole cluster is destroyed", async () => {
    const { node, state } = await applied({ onDestroy: { leaveEtcd: true } });
    await node.node.stop();
    process.env[CLUSTER_DELETION_VARIABLE] = "yes";
    const progress = recordedProgress();
    await handler.delete?.(id, { ...state, timeoutSeconds: 10 }, progress);
    expect([progress.lines, progress.warnings]).toEqual([[], []]);
  });

  steppingIt("skips a dead machine if the whole cluster is destroyed, with a warning", async () => {
    const { node, state } = await applied({ onDestroy: { reset: true } });
    await node.node.stop();
    process.env[CLUSTER_DELETION_VARIABLE] = "yes";
    const progress = recordedProgress();
    await handler.delete?.(node.instanceId, state, progress);
    expect(progress.warnings).toEqual([
      `machine ${node.address} has not answered for 30 s: it is not changed, and its disk keeps its data`,
    ]);
  });

  steppingIt("is changed without contacting the machine", async () => {
    const { node, inputs, state } = await applied();
    await node.node.stop();
    const onDestroy = { reset: true, graceful: false };
    const news = { ...inputs, onDestroy };
    expect(handler.diff(id, state, news)).toEqual({ changes: true, replaces: [] });
    expect(await handler.update(id, state, news, silent)).toEqual({ ...state, onDestroy });
  });
});

describe("the mode of ConfigurationApply", () => {
  steppingIt("stages a configuration for the next reboot", async () => {
    const { node, inputs, state } = await applied();
    const text = cluster.config("controlplane", [byHand]);
    const news = await checked({ ...(await inputsOf(node, text)), mode: "staged" });
    const staged = await handler.update(id, state, news, silent);
    expect(node.node.machineConfiguration).toBe(inputs.machineConfiguration);
    expect((await read(staged)).state).toBe(staged);
  });

  steppingIt("rejects a change that needs a reboot if reboots are forbidden", async () => {
    const { node, state } = await applied();
    const text = cluster.config("controlplane", [{ machine: { env: { GREETING: "hello" } } }]);
    const news = await checked({ ...(await inputsOf(node, text)), mode: "noReboot" });
    await expect(handler.update(id, state, news, silent)).rejects.toThrow(
      /machine\.env\.GREETING takes effect only when it reboots/,
    );
  });

  steppingIt("is rejected at once if it is unknown", async () => {
    const news = await inputsOf(await cluster.add(), cluster.config("worker"));
    const { failures } = await handler.check(undefined, { ...news, mode: "now" as ApplyMode });
    expect(failures).toEqual([
      { property: "mode", reason: `"now" is none of auto, noReboot, reboot, staged` },
    ]);
  });
});
