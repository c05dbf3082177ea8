import { planPermissions } from "../../cli/permissions/planPermissions";
import { readResources } from "../../cli/stackResource";
import type { PolicyDocument } from "../../components/permissions/policyDocument";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { eventually } from "../emulator/support/eventually";
import { type CallRecorder, startCallRecorder } from "../engine/support/callRecorder";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import {
  DISK_BUCKET,
  LOG_BUCKET,
  makeAccount,
  makeDisk,
  makeLogBucket,
  requestCertificate,
} from "../engine/support/exampleAccount";
import { exampleProgram } from "../engine/support/exampleProgram";
import { plannedSteps, takenSteps } from "../engine/support/plannedSteps";
import { refusedCalls } from "../engine/support/refusedCalls";
import { WORKER_EXAMPLES } from "../engine/support/workerExamples";

interface Node {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

describe.each(Object.entries(WORKER_EXAMPLES))("examples/%s", (name, pools) => {
  let world: EngineWorld;
  let recorder: CallRecorder;
  let policy: PolicyDocument;

  beforeAll(async () => {
    recorder = await startCallRecorder();
    let zoneId = "";
    world = await startEngineWorld({
      stack: name,
      program: () => exampleProgram(name, world.stateDir)(),
      settings: "config: { aws:region: eu-central-1 }",
      environment: recorder.environment,
      prepare: async (emulator) => {
        recorder.forwardTo(emulator.url);
        ({ zoneId = "" } = await makeAccount(emulator));
        await makeDisk(emulator);
        await makeLogBucket(emulator);
      },
    });
    await world.stack.setConfig("diskBucket", { value: DISK_BUCKET });
    const certificateArn = await requestCertificate(world.emulator);
    await world.stack.setConfig("certificateArn", { value: certificateArn });
    await world.stack.setConfig("zoneId", { value: zoneId });
    await world.stack.setConfig("logBucket", { value: LOG_BUCKET });
  });

  afterAll(async () => {
    await world.close();
    recorder.close();
  });

  it("creates its machines, and needs no change afterwards", async () => {
    const { outputs } = await world.stack.up(world.record);
    const count = pools.reduce((sum, [, , size]) => sum + size, 0);
    const named = outputs.nodes?.value as { instanceId: string; pool?: string }[];
    await eventually(async () => {
      const machines = new Map(
        world.emulator.nodes().map(({ hostname, instanceId }) => {
          const node = named.find((each) => each.instanceId === instanceId);
          const pool = node === undefined ? "unnamed" : (node.pool ?? "control-plane");
          return [hostname.split(".")[0], pool];
        }),
      );
      const kinds = (await nodesOf(world, String(outputs.kubeconfig?.value))).map(
        ({ metadata }) =>
          `${machines.get(metadata.name.split(".")[0]) ?? "nobody"} ${metadata.labels["kubernetes.io/arch"] ?? ""}`,
      );
      expect(kinds.sort()).toEqual(
        pools.flatMap(([pool, architecture, size]) =>
          Array<string>(size).fill(`${pool} ${architecture}`),
        ),
      );
    });
    expect(world.emulator.nodes()).toHaveLength(count);
    expect(Object.keys((outputs.ingress?.value ?? {}) as object)).toEqual(
      name === "autoscaling" ? ["system"] : [],
    );
    expect(Object.keys((outputs.imageIds?.value ?? {}) as object).sort()).toEqual(
      name === "arm64-mixed" ? ["eu-central-1", "eu-west-1"] : [],
    );
    if (name === "arm64-mixed") {
      await replaceWorker(world);
    }
    expect(await plannedSteps(world.stack, world.record)).toEqual([]);
    const plan = planPermissions(readResources(await world.stack.exportStack()));
    expect(plan.unknownTypes).toEqual([]);
    policy = plan.document;
  });

  it("is destroyed and leaves no machine", async () => {
    await world.stack.destroy(world.record);
    expect(world.emulator.nodes()).toEqual([]);
  });

  it("makes only AWS calls that the printed policy allows", () => {
    expect(refusedCalls(policy, recorder.calls())).toEqual([]);
  });
});

/** Replaces the worker with a data volume by a word, and no other machine. */
async function replaceWorker({ stack, record, emulator }: EngineWorld): Promise<void> {
  const volumes = () =>
    emulator
      .nodes()
      .filter(({ machineConfiguration }) => machineConfiguration?.includes("UserVolumeConfig"))
      .map(({ instanceId }) => instanceId);
  const before = volumes();
  expect(before).toHaveLength(1);
  await stack.setConfig("replacement", { value: "broken disk" });
  const { steps } = await takenSteps(stack, record);
  const replaced = steps.filter((step) => step.startsWith("create-replacement"));
  expect(replaced).toEqual([
    "create-replacement ConfigurationApply demo-legacy-1",
    "create-replacement Instance demo-legacy-1",
  ]);
  const after = volumes();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
}

async function nodesOf(world: EngineWorld, kubeconfig: string): Promise<Node[]> {
  const [address = ""] = await world.emulator.resolve("k8s.demo.example.com");
  const body = await new KubernetesApi(kubeconfig).get("/api/v1/nodes", {
    address,
    timeoutMs: 10_000,
  });
  return (JSON.parse(body) as { readonly items: Node[] }).items;
}
