import { generatedMark } from "../../../../provider/config/secrets/redact";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import { readStatus } from "../../../../provider/lifecycle/delivery/deliverConfiguration";
import { withMachine } from "../../../../provider/lifecycle/machine";
import type { RotationStage } from "../../../../provider/pki/rotation/rotation";
import type { ApplyInputs } from "../../../../provider/resources/configurationApply/applyRecord";
import { configurationApplyHandler as handler } from "../../../../provider/resources/configurationApply/configurationApplyHandler";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { machineAt } from "../../lifecycle/deliveries";
import {
  type Generations,
  rotatedMachine,
  twoGenerations,
} from "../../pki/rotation/rotatedMachines";
import { silent } from "../../progress";
import { steppingIt } from "../../steppingClock";

const id = "i-0123456789abcdef0";
const release = { talosVersion: "v1.12.1", kubernetesVersion: "1.35.0" };

let cluster: SimulatedCluster;
let first: SimulatedNode;
let generations: Generations;

beforeAll(async () => {
  generations = await twoGenerations();
});

beforeEach(async () => {
  cluster = await SimulatedCluster.create();
});

afterEach(() => cluster.stop());

function configuration(stage: RotationStage | undefined): string {
  const rotation = stage && { discoveryIdentity: { to: 2, stage } };
  return encodeDocuments(rotatedMachine(generations, rotation ?? {}, "firstControlPlane", release));
}

/** What the machine of a stage may change, as `TalosCluster` says. */
const accepted = (stage: RotationStage) => {
  const { cluster: identity } = stage === "accept" ? generations.first : generations.next;
  return { "cluster.id": identity.id, "cluster.secret": generatedMark(identity.secret) };
};

async function check(
  olds: ApplyInputs | undefined,
  stage: RotationStage | undefined,
  more: Partial<ApplyInputs> = {},
) {
  return handler.check(olds, {
    ...(await machineAt(cluster, first.address)),
    machineId: id,
    machineConfiguration: configuration(stage),
    patches: [],
    mode: "auto",
    timeoutSeconds: 3_600,
    upgradeTimeoutSeconds: 3_600,
    settledSeconds: 0,
    redactedConfiguration: "",
    ...more,
  });
}

/** Two control plane machines that find each other, and what is recorded of the first. */
async function begin() {
  first = await cluster.add(configuration(undefined));
  await cluster.bootstrap(first, 1);
  await cluster.add(configuration(undefined));
  const { inputs, failures } = await check(undefined, undefined);
  expect(failures).toEqual([]);
  const { state } = await handler.create({ ...inputs, takeover: "auto" }, silent);
  return { inputs, state };
}

const namesSeenBy = async () =>
  withMachine(await machineAt(cluster, first.address), async (client) => ({
    boot: (await readStatus(client, {})).boot,
    count: cluster.world.peersOf(generations.first.cluster).length,
  }));

describe("a machine that gets another discovery identity", () => {
  steppingIt("follows without a reboot, keeps etcd, and can go back", async () => {
    const { inputs, state } = await begin();
    const before = await namesSeenBy();
    expect(before.count).toBe(2);
    const issued = await check(inputs, "issue", { acceptedChanges: accepted("issue") });
    // What it means is told of the rotation, and of the machine, not once more of each setting.
    expect([issued.failures, issued.warnings ?? []]).toEqual([[], []]);
    const after = await handler.update(id, state, issued.inputs, silent);
    expect((await namesSeenBy()).boot).toBe(before.boot);
    expect(cluster.world.peersOf(generations.next.cluster)).toHaveLength(1);
    const former = await check(issued.inputs, "accept", { acceptedChanges: accepted("accept") });
    expect(former.failures).toEqual([]);
    await handler.update(id, after, former.inputs, silent);
    expect(cluster.world.peersOf(generations.next.cluster)).toHaveLength(1);
    expect((await namesSeenBy()).boot).toBe(before.boot);
  });

  steppingIt("gets it in its rotation only, and not with KubeSpan", async () => {
    const { inputs } = await begin();
    const { failures } = await check(inputs, "issue");
    expect(failures.map(({ property }) => property)).toEqual(["cluster.id", "cluster.secret"]);
    expect(failures[0]?.reason).toContain("rotation.discoveryIdentity");
    const patches = [{ machine: { network: { kubespan: { enabled: true } } } }];
    const spanning = await check(inputs, "issue", {
      patches,
      acceptedChanges: accepted("issue"),
    });
    expect(spanning.failures.map(({ property }) => property)).toEqual(["rotation"]);
    expect(spanning.failures[0]?.reason).toContain("Turn KubeSpan off in an update of its own");
  });
});
