import {
  type Activity,
  AutoScalingClient,
  DescribeScalingActivitiesCommand,
} from "@aws-sdk/client-auto-scaling";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { TalosCluster, type TalosClusterArgs } from "../../components";
import { summarize } from "../../preview";
import type { DescribedMachines } from "../../preview/describeMachines";
import { describeScalingGroups } from "../../preview/describeScalingGroups";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { readNodes } from "../../provider/kubernetes/node";
import { eventually } from "../emulator/support/eventually";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { lifeSteps } from "./support/lifeSteps";
import { plannedSteps, takenSteps } from "./support/plannedSteps";
import { readTree } from "./support/readTree";
import { formsOf, secretsIn } from "./support/secretForms";

/** A node as far as these tests look at it. */
interface Node {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly taints?: readonly Readonly<Record<string, string>>[] };
}

/** So long the emulated cloud may take to follow AWS, on a machine with other work. */
const FOLLOW_MS = 120_000;

/** One that is there, and isn't that of the cluster's release. */
const OLDER_IMAGE = "talos-v1.12.0-us-east-1-arm64";

const apps = {
  machineCount: 2,
  instanceType: "t3.small",
  labels: { "example.com/tier": "apps" },
  taints: { "example.com/dedicated": "apps:NoSchedule" },
};
const batch = {
  subnets: "private",
  instanceType: "t4g.small",
  labels: { "example.com/tier": "batch" },
  autoScaling: { minSize: 2, maxSize: 4, warmupSeconds: 0, drainSeconds: 30 },
} as const;
const standard: TalosClusterArgs = {
  environment: "pools",
  domain: "talos.example",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  network: { zones: ["us-east-1a", "us-east-1b"], nat: "single" },
  dns: { createZone: true },
  controlPlane: { machineCount: 1, instanceType: "t3.medium" },
  workerPools: { apps, batch },
  applySettledSeconds: 0,
};
const other = { "example.com/tier": "other" };

// One cluster's life: each test goes on where the one before it ended.
describe("a cluster with worker pools, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let args = standard;
  let changes: readonly string[] = [];
  const pools = (change: NonNullable<TalosClusterArgs["workerPools"]>) => {
    args = { ...args, workerPools: { ...args.workerPools, ...change } };
  };
  /** What the preview before says of auto scaling groups. */
  let groups: readonly DescribedMachines[] = [];
  const planned = async () => {
    const events: EngineEvent[] = [];
    const steps = await plannedSteps(world.stack, {
      ...world.record,
      onEvent: (event) => {
        world.record.onEvent(event);
        events.push(event);
      },
    });
    groups = describeScalingGroups(summarize({ stack: "pools", events }).scalingGroups);
    return steps;
  };
  const taken = () => takenSteps(world.stack, world.record);
  const machinesAre = (count: number) =>
    eventually(() => expect(world.emulator.nodes()).toHaveLength(count), FOLLOW_MS);

  beforeAll(async () => {
    world = await startEngineWorld({
      stack: "pools",
      settings: "config: { aws:region: us-east-1 }",
      program: () => {
        const { endpoint, kubeconfig, nodes, autoScalingGroupNames } = new TalosCluster("c", args);
        return Promise.resolve({ endpoint, kubeconfig, nodes, autoScalingGroupNames });
      },
    });
  });

  afterAll(() => world.close());

  step("has workers of both architectures that join with their labels and taints", async () => {
    const { outputs } = await world.stack.up(world.record);
    const nodes = await nodesOf(world, String(outputs.kubeconfig?.value));
    const seen = nodes.map(({ metadata: { labels }, spec: { taints } }) => [
      labels["example.com/tier"] ?? "control plane",
      labels["kubernetes.io/arch"],
      taints?.[0]?.key ?? "",
    ]);
    expect(seen.sort()).toEqual([
      ["apps", "amd64", "example.com/dedicated"],
      ["apps", "amd64", "example.com/dedicated"],
      ["batch", "arm64", ""],
      ["batch", "arm64", ""],
      ["control plane", "amd64", "node-role.kubernetes.io/control-plane"],
    ]);
    const named = outputs.nodes?.value as { name: string; pool?: string }[];
    expect(named.map(({ name, pool }) => [name, pool])).toEqual([
      ["c-control-plane-1", undefined],
      ["c-apps-1", "apps"],
      ["c-apps-2", "apps"],
    ]);
    const groups = outputs.autoScalingGroupNames?.value as Record<string, object>;
    expect(Object.keys(groups.batch ?? {})).toEqual(["us-east-1a", "us-east-1b"]);
  });

  step("shows no join secrets in the output or the state", () => {
    const texts = [...readTree(world.stateDir).map(({ text }) => text), world.transcript()];
    expect(texts.length).toBeGreaterThan(5);
    const configurations = world.emulator.nodes().map((node) => node.machineConfiguration ?? "");
    const secrets = configurations
      .flatMap(secretsIn)
      // The keys of taints aren't what the word means here.
      .filter(({ value }) => !value.startsWith("example.com/"));
    expect(secrets.length).toBeGreaterThan(20);
    // Of user data, from its middle: it begins as every configuration does.
    const userData = configurations.map((text) => {
      const encoded = Buffer.from(text).toString("base64");
      return encoded.slice(encoded.length / 2, encoded.length / 2 + 100);
    });
    const forms = [...secrets.flatMap(({ value }) => formsOf(value)), ...userData];
    expect(forms.filter((form) => texts.some((text) => text.includes(form)))).toEqual([]);
  });

  step("creates exactly one more machine", async () => {
    pools({ apps: { ...apps, machineCount: 3 } });
    // Nor was anything left to change before.
    expect((await taken()).steps).toEqual([
      "create ConfigurationApply c-apps-3",
      "create Instance c-apps-3",
      "create SecurityGroupIngressRule c-apps-3-to-api",
      "update ClusterHealth c-health",
    ]);
    await machinesAre(6);
  });

  step(
    "gives running machines another label, and future machines of groups another tag",
    async () => {
      pools({
        apps: { ...apps, machineCount: 3, labels: other },
        batch: { ...batch, tags: { team: "shop" } },
      });
      expect(await planned()).toEqual([
        // It looks again whenever the configuration of a machine changes.
        "update ClusterHealth c-health",
        "update ConfigurationApply c-apps-1",
        "update ConfigurationApply c-apps-2",
        "update ConfigurationApply c-apps-3",
        // By their group, with the template as it is.
        "update Group c-batch-us-east-1a",
        "update Group c-batch-us-east-1b",
        "update MachineConfiguration c-apps",
      ]);
    },
  );

  step("replaces machines of groups for another label", async () => {
    pools({ batch: { ...batch, labels: other } });
    await planned();
    const names = ["c-batch-us-east-1a", "c-batch-us-east-1b"];
    expect(groups).toEqual([
      {
        names,
        what: "replace their machines a few at a time, for machine.nodeLabels",
        lines: [
          '- machine.nodeLabels.example.com/tier: "batch"',
          '+ machine.nodeLabels.example.com/tier: "other"',
        ],
      },
    ]);
    const before = world.emulator.nodes().map(({ instanceId }) => instanceId);
    const { steps, result } = await taken();
    expect(steps).toEqual([
      "update ClusterHealth c-health",
      "update ConfigurationApply c-apps-1",
      "update ConfigurationApply c-apps-2",
      "update ConfigurationApply c-apps-3",
      "update Group c-batch-us-east-1a",
      "update Group c-batch-us-east-1b",
      "update LaunchTemplate c-batch",
      "update MachineConfiguration c-apps",
      "update MachineConfiguration c-batch",
    ]);
    const { outputs, stdout } = result;
    await machinesAre(6);
    // It is done when all of them are new and Ready, one zone after the other.
    const live = world.emulator.nodes();
    const hosts = live.map(({ hostname }) => hostname.split(".")[0]);
    const nodes = await nodesOf(world, String(outputs.kubeconfig?.value));
    const tiers = nodes
      .filter(({ metadata: { name } }) => hosts.includes(name))
      .map(({ metadata: { labels } }) => labels["example.com/tier"] ?? "control plane");
    expect(tiers.sort()).toEqual(["control plane", ...Array<string>(5).fill("other")]);
    // Four have names, and stay; AWS has made the others anew.
    expect(live.filter(({ instanceId }) => before.includes(instanceId))).toHaveLength(4);
    const updated = [...stdout.matchAll(/Group c-batch-us-east-1([ab]) updated/g)];
    expect(updated.map(([, zone]) => zone)).toEqual(["a", "b"]);
    expect(stdout.indexOf("Group c-batch-us-east-1b updating")).toBeGreaterThan(
      stdout.indexOf("Group c-batch-us-east-1a updated"),
    );
    expect(await planned()).toEqual([]);
  });

  step("moves a machine to its given zone, replaces one by a word, and no other", async () => {
    const kept = { ...apps, machineCount: 3, labels: other };
    pools({
      apps: {
        ...kept,
        machines: { "1": { zone: "us-east-1b" }, "3": { replacement: "broken disk" } },
      },
      batch: { ...batch, labels: other, imageName: OLDER_IMAGE },
    });
    changes = await planned();
    expect(groups[0]?.what).toMatch(/^replace their machines .* for imageId ami-\w+ → ami-\w+$/);
    expect(changes.filter((each) => each.startsWith("replace"))).toEqual([
      "replace ConfigurationApply c-apps-1",
      "replace ConfigurationApply c-apps-3",
      "replace Instance c-apps-1",
      "replace Instance c-apps-3",
    ]);
    expect(changes.filter((each) => /c-apps-2|control-plane/.test(each))).toEqual([]);
    // An inline program must not wait for an image that isn't there.
    pools({ apps: kept, batch: { ...batch, labels: other, imageName: "talos-of-nobody" } });
    await expect(planned()).rejects.toThrow(/talos-of-nobody/);
    pools({ apps: kept, batch: { ...batch, labels: other } });
  });

  step("uses another image for future machines by changing only templates and groups", () => {
    expect(changes.filter((each) => each.includes("c-batch"))).toEqual([
      "update Group c-batch-us-east-1a",
      "update Group c-batch-us-east-1b",
      "update LaunchTemplate c-batch",
    ]);
  });

  step("deletes only the resources of a removed pool", async () => {
    const { apps: kept } = args.workerPools ?? {};
    args = { ...args, ...(kept && { workerPools: { apps: kept } }) };
    await planned();
    expect(groups[0]?.what).toBe("keep their machines for 30 s to be drained, then end them");
    const before = (await endsIn(world)).length;
    expect((await taken()).steps).toEqual([
      "delete AutoScalingWorkerPool c-batch",
      "delete Group c-batch-us-east-1a",
      "delete Group c-batch-us-east-1b",
      "delete LaunchTemplate c-batch",
      "delete LifecycleHook c-batch-us-east-1a-drain",
      "delete LifecycleHook c-batch-us-east-1b-drain",
      "delete MachineConfiguration c-batch",
      "delete MachineImage c-batch-image",
      "update ClusterHealth c-health",
    ]);
    await machinesAre(4);
    // The hook goes with its group, so it still held the machines for their drain.
    const ends = await endsIn(world);
    expect(ends).toHaveLength(before + 2);
    for (const { StartTime, EndTime } of ends) {
      expect(Number(EndTime)).toBeGreaterThan(Number(StartTime));
    }
  });

  step("forgets the nodes of a removed pool in the next update", async () => {
    const { kubeconfig } = await world.stack.outputs();
    const ready = async () => {
      const nodes = await readNodes(() => nodesBody(world, String(kubeconfig?.value)));
      return nodes.map(({ isReady }) => isReady).sort();
    };
    const all = [true, true, true, true];
    await eventually(async () => expect(await ready()).toEqual([false, false, ...all]), FOLLOW_MS);
    const { stdout } = await world.stack.up(world.record);
    expect(stdout).toMatch(
      /deletes the node \S+ from Kubernetes: AWS has no machine with its address/,
    );
    expect(await ready()).toEqual(all);
    expect(await planned()).toEqual([]);
  });

  step("leaves nothing behind", async () => {
    await world.stack.destroy(world.record);
    await machinesAre(0);
  });
});

/** How auto scaling groups, also deleted ones, have ended machines. */
async function endsIn({ emulator }: EngineWorld): Promise<Activity[]> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const settings = { region: "us-east-1", endpoint: emulator.url, credentials };
  const scaling = new AutoScalingClient(settings);
  const { Activities = [] } = await scaling.send(
    new DescribeScalingActivitiesCommand({ IncludeDeletedGroups: true }),
  );
  scaling.destroy();
  return Activities.filter(({ Description }) => Description?.startsWith("Terminating"));
}

async function nodesOf(world: EngineWorld, kubeconfig: string): Promise<Node[]> {
  return (JSON.parse(await nodesBody(world, kubeconfig)) as { readonly items: Node[] }).items;
}

async function nodesBody(world: EngineWorld, kubeconfig: string): Promise<string> {
  const api = new KubernetesApi(kubeconfig);
  const [address = ""] = await world.emulator.resolve("k8s.pools.talos.example");
  return api.get("/api/v1/nodes", { address, timeoutMs: 10_000 });
}
