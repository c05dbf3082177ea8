import { builtIn } from "../../../emulator/talos/kubernetes/objectStore";
import { TalosClient } from "../../../provider/api/talosClient";
import { UNKNOWN } from "../../../provider/base/unknown";
import { isMapping } from "../../../provider/config/machineConfig";
import { applyPatches } from "../../../provider/config/patches/patch";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/yaml/encode";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { listNodes } from "../../../provider/lifecycle/kubernetes/kubernetesNode";
import { generateAuthority } from "../../../provider/pki/rotation/generateAuthority";
import type { Rotation, RotationStage } from "../../../provider/pki/rotation/rotation";
import { outlineMachineConfiguration } from "../../../provider/render/renderMachineConfiguration";
import { rotationGateHandler as handler } from "../../../provider/resources/rotationGate";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";

describe("the gate before a stage of a rotation", () => {
  let cluster: SimulatedCluster;
  let first: SimulatedNode;
  let worker: SimulatedNode;

  beforeEach(async () => {
    cluster = await SimulatedCluster.create({ joinMs: 20, restartMs: 50 });
    const nodes = await cluster.addConfigured(1, 1);
    [first, worker] = nodes as [SimulatedNode, SimulatedNode];
    await cluster.bootstrap(first, 1);
  });
  afterEach(() => cluster.stop());

  const limits = { timeoutSeconds: 60, rewriteTimeoutSeconds: 60 };
  const accept = { talosCa: { to: 2, stage: "accept" } } as const;
  const issue = { talosCa: { to: 2, stage: "issue" } } as const;

  /** The control plane's configuration once another CA issues, and what that is. */
  async function target() {
    const next = await generateAuthority("talosCa");
    const documents = decodeDocuments(cluster.config("controlplane"));
    const machine = documents.map((each) => each.machine).find(isMapping);
    const ca = isMapping(machine?.ca) ? machine.ca : {};
    const patched = applyPatches(documents, [
      { machine: { ca: { crt: next.crt, key: next.key }, acceptedCAs: [{ crt: ca.crt ?? "" }] } },
    ]);
    return { next, redactedConfiguration: outlineMachineConfiguration(patched) };
  }

  /** Has a node accept another CA. */
  async function accepts(node: SimulatedNode, role: "controlplane" | "worker", crt: string) {
    const documents = decodeDocuments(cluster.config(role));
    const text = encodeDocuments(
      applyPatches(documents, [{ machine: { acceptedCAs: [{ crt }] } }]),
    );
    const client = TalosClient.connect(await machineAt(cluster, node.address));
    await client.applyConfiguration({ data: text, mode: "NO_REBOOT" });
    client.close();
  }

  steppingIt("contacts no machine when a rotation begins", async () => {
    const machine = { ...(await machineAt(cluster, "127.0.0.9")), ...limits };
    const news = { ...machine, rotation: accept, redactedConfiguration: "" };
    const { id, state } = await handler.create(news, silent);
    expect(handler.diff(id, state, news)).toEqual({ changes: false });
    expect(handler.diff(id, state, { ...news, rotation: issue })).toEqual({ changes: true });
  });

  steppingIt("refuses a stage in an update that replaces the machine that it asks", async () => {
    const machine = { ...(await machineAt(cluster, "127.0.0.9")), ...limits };
    const news = (rotation: Rotation, machineId: string) => ({
      ...machine,
      machineId,
      rotation,
      redactedConfiguration: "",
    });
    const olds = (await handler.check(undefined, news(accept, "i-1"))).inputs;
    const refusal = /replaces the control plane machine .* set the rotation back/;
    const { failures } = await handler.check(olds, news(issue, UNKNOWN));
    expect(failures.map(({ property, reason }) => `${property}: ${reason}`).join()).toMatch(
      refusal,
    );
    expect((await handler.check(olds, news(accept, UNKNOWN))).failures).toEqual([]);
    expect((await handler.check(undefined, news(accept, UNKNOWN))).failures).toEqual([]);
    const { id, state } = await handler.create(news(accept, "i-1"), silent);
    const update = (next: ReturnType<typeof news>) => handler.update(id, state, next, silent);
    await expect(update(news(issue, "i-2"))).rejects.toThrow(refusal);
    expect(handler.diff(id, state, news(accept, "i-2"))).toEqual({ changes: true });
    expect(await update(news(accept, "i-2"))).toEqual({ machineId: "i-2", rotation: accept });
    // States of older releases name no machine.
    expect(handler.diff(id, { rotation: accept }, news(accept, "i-2"))).toEqual({ changes: false });
  });

  steppingIt(
    "opens when every machine has the stage before, and names those that don't",
    async () => {
      const { next, redactedConfiguration } = await target();
      const machine = { ...(await machineAt(cluster, first.address)), ...limits };
      const news = { ...machine, rotation: issue, redactedConfiguration };
      const go = () => handler.update("rotation", { rotation: accept }, news, silent);
      await accepts(first, "controlplane", next.crt);
      const failure: unknown = await go().catch((error: unknown) => error);
      expect(String(failure)).toContain(
        `no machine was changed: machine ${worker.privateAddress}: the machine would issue with another Talos CA, but doesn't accept the new one yet`,
      );
      expect(String(failure)).not.toContain(`machine ${first.privateAddress}:`);
      await accepts(worker, "worker", next.crt);
      expect(await go()).toEqual({ rotation: issue });
    },
  );

  it("has every Secret written again before a secretbox key goes, and only then", async () => {
    const { encrypted, objects } = await cluster.kubernetes();
    // The Secret with the bootstrap token is one of Talos' own manifests, which come a moment later.
    await eventually(() => objects.list(builtIn("secrets")).length > 0);
    const wrote = vi.spyOn(encrypted, "wrote");
    const machine = await machineAt(cluster, first.address);
    const go = async (before: Rotation, rotation: Rotation) => {
      wrote.mockClear();
      const news = { ...machine, ...limits, rotation, redactedConfiguration: "" };
      expect(await handler.update("rotation", { rotation: before }, news, silent)).toEqual({
        rotation,
      });
      return wrote.mock.calls.length > 0;
    };
    const at = (stage: RotationStage, to = 2): Rotation => ({ secretboxKey: { to, stage } });
    expect(await go({}, at("accept"))).toBe(false);
    expect(await go(at("accept"), at("issue"))).toBe(false);
    expect(await go(at("issue"), at("drop"))).toBe(true);
    expect(await go(at("accept"), {})).toBe(true);
    expect(await go(at("drop"), at("accept", 3))).toBe(false);
    expect(await go(accept, issue)).toBe(false);
  });

  it("drops no service account key while pods may hold tokens of it", async () => {
    const machine = await machineAt(cluster, first.address);
    const signal = AbortSignal.timeout(60_000);
    const kubernetes = await KubernetesAccess.open([machine], signal);
    const token = { serviceAccountToken: { path: "token", expirationSeconds: 3_607 } };
    const body = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web", namespace: "default" },
      spec: {
        containers: [{ name: "web", image: "nginx" }],
        volumes: [{ name: "access", projected: { sources: [token] } }],
      },
    };
    await kubernetes.send(
      { method: "POST", path: "/api/v1/namespaces/default/pods", body },
      signal,
    );
    const news = { ...machine, ...limits, redactedConfiguration: "" };
    const at = (stage: RotationStage): Rotation => ({ serviceAccountKey: { to: 2, stage } });
    const go = (stage: RotationStage, more: object = {}, said = recordedProgress()) =>
      handler
        .update(
          "rotation",
          { rotation: at("issue") },
          { ...news, ...more, rotation: at(stage) },
          said,
        )
        .then(() => said.warnings);
    // The pod is younger than the key that signs.
    expect(await go("drop")).toEqual([]);
    // Ages are in whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const client = TalosClient.connect(machine);
    const flag = { cluster: { apiServer: { extraArgs: { v: "1" } } } };
    await client.applyConfiguration({
      data: cluster.config("controlplane", [flag]),
      mode: "NO_REBOOT",
    });
    client.close();
    await eventually(async () => {
      await expect(go("drop")).rejects.toThrow(
        /^no machine was changed: default\/web may hold tokens of the old service account key.* renewed them by 20\S+Z: run the command again then, or restart these pods/,
      );
      return true;
    });
    expect(await go("accept")).toEqual([]);
    expect(await go("drop", { whenTokensAreOld: "proceed" })).toEqual([
      expect.stringContaining("default/web may hold tokens"),
    ]);
  });

  steppingIt("warns about a silent machine, unless only discovery remembers it", async () => {
    const { next, redactedConfiguration } = await target();
    await accepts(first, "controlplane", next.crt);
    await cluster.faults.inject({ kind: "powerLoss", machine: worker.address });
    const machine = { ...(await machineAt(cluster, first.address)), ...limits };
    const news = { ...machine, rotation: issue, redactedConfiguration };
    const warningsOf = async () => {
      const said = recordedProgress();
      expect(await handler.update("rotation", { rotation: accept }, news, said)).toEqual({
        rotation: issue,
      });
      return said.warnings;
    };
    expect((await warningsOf()).join()).toContain(
      `machine ${worker.privateAddress} doesn't answer`,
    );
    const signal = AbortSignal.timeout(60_000);
    const kubernetes = await KubernetesAccess.open([machine], signal);
    const [node] = (await listNodes(kubernetes, signal)).filter(({ addresses }) =>
      addresses.includes(worker.privateAddress),
    );
    const path = `/api/v1/nodes/${node?.name ?? ""}`;
    await kubernetes.send({ method: "DELETE", path }, signal);
    expect(await warningsOf()).toEqual([]);
  });

  /** Has Kubernetes say that Karpenter launched the worker. */
  async function launchWorkerByKarpenter() {
    const machine = await machineAt(cluster, first.address);
    const signal = AbortSignal.timeout(60_000);
    const access = await KubernetesAccess.open([machine], signal);
    const find = async () =>
      (await listNodes(access, signal)).find(({ addresses }) =>
        addresses.includes(worker.privateAddress),
      )?.name;
    await eventually(async () => (await find()) !== undefined);
    await access.send(
      {
        method: "PATCH",
        path: `/api/v1/nodes/${(await find()) ?? ""}`,
        body: { metadata: { labels: { "karpenter.sh/nodepool": "spot" } } },
        contentType: "application/merge-patch+json",
      },
      signal,
    );
  }

  steppingIt("waits for machines that Karpenter has yet to replace, and says so", async () => {
    await launchWorkerByKarpenter();
    const { next, redactedConfiguration } = await target();
    const machine = { ...(await machineAt(cluster, first.address)), ...limits };
    const news = { ...machine, rotation: issue, redactedConfiguration };
    const go = () => handler.update("rotation", { rotation: accept }, news, silent);
    await accepts(first, "controlplane", next.crt);
    await expect(go()).rejects.toThrow(
      /doesn't accept the new one yet.* Karpenter launched it for the NodePool "spot" and has not replaced it yet.* "kubectl get nodeclaims"/,
    );
    await accepts(worker, "worker", next.crt);
    expect(await go()).toEqual({ rotation: issue });
  });

  steppingIt("refuses to drop a trustd token that a worker still has", async () => {
    await launchWorkerByKarpenter();
    const documents = decodeDocuments(cluster.config("controlplane"));
    const other = [{ machine: { token: "aaaaaa.0123456789abcdef" } }];
    const at = (stage: RotationStage): Rotation => ({ trustdToken: { to: 2, stage } });
    const machine = { ...(await machineAt(cluster, first.address)), ...limits };
    const go = (stage: RotationStage, patches: typeof other) => {
      const redactedConfiguration = outlineMachineConfiguration(applyPatches(documents, patches));
      const news = { ...machine, rotation: at(stage), redactedConfiguration };
      return handler.update("rotation", { rotation: at("accept") }, news, silent);
    };
    expect(await go("issue", other)).toEqual({ rotation: at("issue") });
    await expect(go("drop", other)).rejects.toThrow(
      new RegExp(
        `^no machine was changed: machine ${worker.privateAddress}: the machine has the trustd token that control planes would refuse.*rotation\\.trustdToken.*NodePool "spot"`,
      ),
    );
    // The worker has the token of the stage, and so does the target.
    expect(await go("drop", [])).toEqual({ rotation: at("drop") });
  });

  steppingIt("asks a machine that discovery doesn't name", async () => {
    const { next, redactedConfiguration } = await target();
    await accepts(first, "controlplane", next.crt);
    await accepts(worker, "worker", next.crt);
    const undiscovered = { cluster: { discovery: { enabled: false } } };
    const hidden = await cluster.add(cluster.config("worker", [undiscovered]));
    const machine = { ...(await machineAt(cluster, first.address)), ...limits };
    const signal = AbortSignal.timeout(60_000);
    await eventually(async () => {
      const nodes = await listNodes(await KubernetesAccess.open([machine], signal), signal);
      return nodes.some(({ addresses }) => addresses.includes(hidden.privateAddress));
    });
    const news = { ...machine, rotation: issue, redactedConfiguration };
    await expect(handler.update("rotation", { rotation: accept }, news, silent)).rejects.toThrow(
      `machine ${hidden.privateAddress}: `,
    );
  });
});
