import { request } from "node:https";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import { readStatus } from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import { withMachine } from "../../../../provider/lifecycle/machine";
import { issueCertificate } from "../../../../provider/pki/issueCertificate";
import { fromBase64, nodeKey } from "../../../../provider/pki/pem";
import type { RotationStage } from "../../../../provider/pki/rotation/rotation";
import { outlineMachineConfiguration } from "../../../../provider/render/renderMachineConfiguration";
import type { ApplyState } from "../../../../provider/resources/configurationApply/applyRecord";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { rotationGateHandler } from "../../../../provider/resources/rotationGate";
import { signServiceAccountToken } from "../../../emulator/support/signServiceAccountToken";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import {
  type Generations,
  rotatedMachine,
  twoGenerations,
} from "../../pki/rotation/rotatedMachines";
import { silent } from "../../progress";
import { steppingIt } from "../../steppingClock";

const id = "i-0123456789abcdef0";
const ISSUER = "https://api.example.com:6443";
const [V113, V114] = ["v1.13.9", "v1.14.1"];

let cluster: SimulatedCluster;
let node: SimulatedNode;
let generations: Generations;

beforeAll(async () => {
  generations = await twoGenerations();
});

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});

afterEach(() => cluster.stop());

/** The configuration in a stage of the rotations of all keys of API servers. */
function configuration(stage: RotationStage | undefined, talosVersion: string): ConfigDocument[] {
  const step = stage && ({ to: 2, stage } as const);
  const both = step && { serviceAccountKey: step, secretboxKey: step };
  const rotation = { ...both, ...(step && { aggregatorCa: step }) };
  const release = { talosVersion, kubernetesVersion: "1.35.0" };
  return rotatedMachine(generations, rotation, "firstControlPlane", release);
}

async function inputsOf(stage: RotationStage | undefined, talosVersion: string) {
  const machineConfiguration = encodeDocuments(configuration(stage, talosVersion));
  const { inputs, failures } = await handler.check(undefined, {
    ...(await machineAt(cluster, node.address)),
    machineId: id,
    machineConfiguration,
    patches: [],
    mode: "auto",
    timeoutSeconds: 3_600,
    upgradeTimeoutSeconds: 3_600,
    settledSeconds: 0,
    redactedConfiguration: "",
  });
  expect(failures).toEqual([]);
  return inputs;
}

/** A machine of a cluster that is up, with what is recorded of it. */
async function begin(talosVersion: string): Promise<ApplyState> {
  cluster.talosVersion = talosVersion;
  node = await cluster.add(encodeDocuments(configuration(undefined, talosVersion)));
  await cluster.bootstrap(node, 1);
  const inputs = await inputsOf(undefined, talosVersion);
  return (await handler.create({ ...inputs, takeover: "auto" }, silent)).state;
}

/** Identifies the machine's boot. */
const boot = async () =>
  withMachine(
    await machineAt(cluster, node.address),
    async (client) => (await readStatus(client, {})).boot,
  );

/** Brings a machine to a stage; what is recorded then, and whether it has rebooted. */
async function reach(state: ApplyState, stage: RotationStage | undefined, talosVersion: string) {
  const before = await boot();
  const after = await handler.update(id, state, await inputsOf(stage, talosVersion), silent);
  return { after, hasRebooted: (await boot()) !== before };
}

/** Asks the machine whether the stage `issue` may begin, as an update does before it changes one. */
async function openGate(): Promise<unknown> {
  const [before, rotation] = (["accept", "issue"] as const).map((stage) => ({
    secretboxKey: { to: 2, stage },
  }));
  const news = {
    ...(await machineAt(cluster, node.address)),
    timeoutSeconds: 60,
    rewriteTimeoutSeconds: 60,
    rotation: rotation ?? {},
    redactedConfiguration: outlineMachineConfiguration(configuration("issue", V114)),
  };
  return rotationGateHandler.update("rotation", { rotation: before ?? {} }, news, silent);
}

/** How the API server answers a request for Secrets; undefined while it is away. */
function ask(options: object, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<number | undefined>((resolve) => {
    const asked = {
      host: node.address,
      port: 6443,
      path: "/api/v1/secrets",
      headers,
      agent: false as const,
      rejectUnauthorized: false,
      ...options,
    };
    request(asked, (response) => resolve(response.resume().statusCode))
      .on("error", () => resolve(undefined))
      .end();
  });
}

/** The answers for the tokens of both keys, and for requests that both aggregators pass on. */
async function answers() {
  const { first, next } = generations;
  const tokens = [first, next].map(({ certs }) =>
    ask(
      {},
      { authorization: `Bearer ${signServiceAccountToken(certs.k8sserviceaccount.key, ISSUER)}` },
    ),
  );
  const passedOn = [first, next].map(async ({ certs }) => {
    const { crt, key } = await issueCertificate(certs.k8saggregator, {
      commonName: "front-proxy-client",
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      keyType: "p256",
    });
    const named = { "x-remote-user": "someone", "x-remote-group": "system:masters" };
    return ask({ cert: fromBase64(crt), key: nodeKey(key) }, named);
  });
  return { tokens: await Promise.all(tokens), aggregated: await Promise.all(passedOn) };
}

/** The account may do nothing, and whom the aggregator names reads all Secrets. */
const [KNOWN, UNKNOWN, READS] = [403, 401, 200];

async function expectAnswers(tokens: number[], aggregated: number[]): Promise<void> {
  let last: unknown;
  await eventually(async () => {
    last = await answers();
    return JSON.stringify(last) === JSON.stringify({ tokens, aggregated });
  }, 20_000).catch(() => expect(last).toEqual({ tokens, aggregated }));
}

describe("a machine whose API server gets other keys", () => {
  steppingIt("of Talos v1.14 follows each stage without a reboot", async () => {
    let state = await begin(V114);
    await expectAnswers([KNOWN, UNKNOWN], [READS, UNKNOWN]);
    await expect(openGate()).rejects.toThrow(
      /no machine was changed: .* another aggregator CA, but doesn't accept the new one yet.* another service account key, but doesn't.* encrypt Secrets with another key, but doesn't/,
    );
    for (const [stage, tokens, aggregated] of [
      ["accept", [KNOWN, KNOWN], [READS, READS]],
      ["issue", [KNOWN, KNOWN], [READS, READS]],
    ] as const) {
      const { after, hasRebooted } = await reach(state, stage, V114);
      expect([stage, hasRebooted]).toEqual([stage, false]);
      await expectAnswers([...tokens], [...aggregated]);
      await openGate();
      state = after;
    }
    expect(node.node.machineConfiguration).not.toContain("files:");
    const { hasRebooted } = await reach(state, "drop", V114);
    expect(hasRebooted).toBe(false);
    expect(node.node.machineConfiguration).not.toMatch(/kind: Kube/);
    // Its Secrets were not written again here, so it can't read them any more.
    await expectAnswers([UNKNOWN, KNOWN], [UNKNOWN, 500]);
  });

  steppingIt("is upgraded from v1.13 in the middle, and goes on", async () => {
    const begun = await reach(await begin(V113), "accept", V113);
    expect(begun.hasRebooted).toBe(true);
    await expectAnswers([KNOWN, KNOWN], [READS, READS]);
    const upgraded = await reach(begun.after, "accept", V114);
    expect(upgraded.after.talosSystem?.version).toBe(V114);
    expect(node.node.machineConfiguration).not.toContain("files:");
    await expectAnswers([KNOWN, KNOWN], [READS, READS]);
    const issuing = await reach(upgraded.after, "issue", V114);
    expect(issuing.hasRebooted).toBe(false);
    await expectAnswers([KNOWN, KNOWN], [READS, READS]);
  });

  steppingIt("can't go back to v1.13 before the end", async () => {
    const { after } = await reach(await begin(V114), "accept", V114);
    const news = await inputsOf("accept", V113);
    await expect(handler.update(id, after, news, silent)).rejects.toThrow(
      /doesn't get its new Talos: the data of etcd are of etcd 3\.7/,
    );
    const { failures } = await handler.check(await inputsOf("accept", V114), news);
    expect(failures.map(({ property }) => property)).toContain("talosVersion");
  });
});
