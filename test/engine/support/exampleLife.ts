import {
  DescribeInstancesCommand,
  DescribeRouteTablesCommand,
  DescribeVolumesCommand,
  DescribeVpcEndpointsCommand,
  EC2Client,
  type Volume,
} from "@aws-sdk/client-ec2";
import {
  DescribeListenerAttributesCommand,
  DescribeListenersCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { GetBucketLifecycleConfigurationCommand, S3Client } from "@aws-sdk/client-s3";
import type { EngineEvent, OutputMap } from "@pulumi/pulumi/automation";
import { parse } from "yaml";
import { planPermissions } from "../../../cli/permissions/planPermissions";
import { readResources } from "../../../cli/stackResource";
import type { PolicyDocument } from "../../../components/permissions/policyDocument";
import type { Emulator } from "../../../emulator";
import { readEvents } from "../../../preview/readEvents";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { certificateExpiry } from "../../../provider/pki/certificateExpiry";
import { type CallRecorder, startCallRecorder } from "./callRecorder";
import { type EngineWorld, startEngineWorld } from "./engineWorld";
import { allowProcessors, makeAccount } from "./exampleAccount";
import { exampleProgram } from "./exampleProgram";
import { assertGpuQuotas, assertGpus, gpuSettings } from "./gpuExample";
import { machineSettings } from "./machineSettings";
import { refusedCalls } from "./refusedCalls";

const inAccount = ({ url: endpoint }: Pick<Emulator, "url">) => ({
  region: "eu-central-1",
  endpoint,
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
});

/** What the networks of the account lead to, and where its machines are. */
async function waysOut(emulator: Emulator) {
  const ec2 = new EC2Client(inAccount(emulator));
  const [{ VpcEndpoints = [] }, { RouteTables = [] }, { Reservations = [] }] = await Promise.all([
    ec2.send(new DescribeVpcEndpointsCommand({})),
    ec2.send(new DescribeRouteTablesCommand({})),
    ec2.send(new DescribeInstancesCommand({})),
  ]);
  ec2.destroy();
  const vpcIds = new Set(VpcEndpoints.map(({ VpcId }) => VpcId));
  return {
    endpoints: VpcEndpoints.map(
      ({ ServiceName = "" }) => ServiceName.split(".").pop() ?? "",
    ).sort(),
    toEverywhere: RouteTables.filter(({ VpcId }) => vpcIds.has(VpcId)).flatMap(({ Routes = [] }) =>
      Routes.filter(({ DestinationCidrBlock: to }) => to === "0.0.0.0/0"),
    ),
    ranges: Reservations.flatMap(({ Instances = [] }) =>
      Instances.map(({ PrivateIpAddress = "" }) =>
        PrivateIpAddress.split(".").slice(0, 2).join("."),
      ),
    ).sort(),
  };
}

/** How many security groups each machine of the account has. */
async function groupSizes(emulator: Emulator): Promise<number[]> {
  const ec2 = new EC2Client(inAccount(emulator));
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
  ec2.destroy();
  return Reservations.flatMap(({ Instances = [] }) =>
    Instances.map(({ SecurityGroups = [] }) => SecurityGroups.length),
  ).sort();
}

/** The volumes of the account. */
async function volumes(emulator: Emulator): Promise<Volume[]> {
  const ec2 = new EC2Client(inAccount(emulator));
  const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({}));
  ec2.destroy();
  return Volumes;
}

/** How long the listeners of the account keep quiet connections, in seconds. */
async function idleTimeouts({ url }: Pick<Emulator, "url">): Promise<(string | undefined)[]> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const balancing = new ElasticLoadBalancingV2Client({
    region: "eu-central-1",
    endpoint: url,
    credentials,
  });
  const { LoadBalancers = [] } = await balancing.send(new DescribeLoadBalancersCommand({}));
  const [{ LoadBalancerArn } = {}] = LoadBalancers;
  const { Listeners = [] } = await balancing.send(
    new DescribeListenersCommand({ LoadBalancerArn }),
  );
  const told = await Promise.all(
    Listeners.map(({ ListenerArn }) =>
      balancing.send(new DescribeListenerAttributesCommand({ ListenerArn })),
    ),
  );
  balancing.destroy();
  return told.map(
    ({ Attributes }) => Attributes?.find(({ Key }) => Key === "tcp.idle_timeout.seconds")?.Value,
  );
}

/** What is particular to an example. */
interface Example {
  /** Zones that its machines are in, in the order of their keys. */
  readonly zones: readonly string[];
  /** Its stack's settings, which the account may have to be prepared for. */
  readonly settings?: (
    world: EngineWorld,
    account: Readonly<Record<string, string>>,
  ) => Promise<Readonly<Record<string, string>>>;
  /** What is asserted before it is up. */
  readonly first?: (world: EngineWorld) => Promise<void>;
  /** What is asserted of it while it is up. */
  readonly whileUp?: (world: EngineWorld, outputs: OutputMap) => Promise<void> | void;
  /** What has to be done before it can be destroyed. */
  readonly beforeDestroy?: (world: EngineWorld) => Promise<void>;
}

const three = ["eu-central-1a", "eu-central-1b", "eu-central-1c"];

const examples = {
  quickstart: {
    zones: three,
    whileUp: (_world, outputs) => {
      expect(outputs.endpoint?.value).toBe("https://k8s.demo.example.com:6443");
      expect(outputs.talosconfig?.secret).toBe(true);
    },
  },
  minimal: {
    zones: three.slice(0, 1),
    whileUp: ({ emulator }) => {
      const [node] = emulator.nodes();
      expect(machineSettings(node)("cluster.allowSchedulingOnControlPlanes")).toBe(true);
    },
  },
  production: {
    zones: three,
    whileUp: async ({ emulator }, outputs) => {
      const s3 = new S3Client({
        region: "eu-central-1",
        endpoint: emulator.url,
        forcePathStyle: true,
        credentials: { accessKeyId: "test", secretAccessKey: "test" },
      });
      const { Rules } = await s3.send(
        new GetBucketLifecycleConfigurationCommand({ Bucket: "production-example-com-etcd" }),
      );
      s3.destroy();
      expect(await idleTimeouts(emulator)).toEqual(["3600"]);
      const [key, ...others] = new Set((await volumes(emulator)).map(({ KmsKeyId }) => KmsKeyId));
      expect(key).toMatch(/^arn:aws:kms:eu-central-1:\d{12}:key\//);
      expect(others).toEqual([]);
      const forEtcd = { Size: 40, Iops: 6_000, Throughput: 250, Encrypted: true };
      expect((await volumes(emulator)).filter(({ Size }) => Size === 40)).toMatchObject(
        Array(3).fill(forEtcd),
      );
      expect(JSON.stringify(outputs.roles?.value)).toMatch(/"arn:aws:iam::\d{12}:role\/talos\//);
      expect(Rules?.[0]?.Expiration?.Days).toBe(14);
      const configuration = emulator.nodes()[0]?.machineConfiguration;
      expect(configuration).toContain('rotate-server-certificates: "true"');
      expect(configuration).toMatch(/metrics-server\/releases\/download\/v[\d.]+\/components.yaml/);
      expect(configuration).toMatch(/schedule: "@hourly"[^]*value: production-example-com-etcd/);
      expect(configuration).toMatch(/[rR]oles:\n *- os:etcd:backup\n/);
      expect(configuration).toContain(
        "--prop=log_group_name=/talos/k8s.production.example.com/audit",
      );
      const { users } = parse(String(outputs.kubeconfig?.value)) as {
        readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
      };
      const [{ user } = { user: {} }] = users;
      const ends = certificateExpiry(user["client-certificate-data"] ?? "");
      expect(ends.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000);
      expect(configuration).toMatch(
        /kind: KubeAuthenticationConfig[^]*tokens\.sts\.global\.api\.aws/,
      );
      expect(configuration).toContain("name: access:deployers:edit");
      expect(outputs.accessKubeconfig?.secret).toBe(false);
      expect(String(outputs.accessKubeconfig?.value)).toContain("command: talos-aws");
      expect(outputs.deployKubeconfig?.secret).toBe(true);
      expect(parse(String(outputs.deployKubeconfig?.value))).toMatchObject({
        "current-context": "ci@prod",
      });
    },
    beforeDestroy: async ({ stack, record, emulator }) => {
      await expect(stack.destroy(record)).rejects.toThrow(/protected/);
      expect(emulator.nodes()).toHaveLength(3);
      await stack.setConfig("protected", { value: "false" });
      await stack.up(record);
    },
  },
  gitops: {
    zones: ["eu-central-1a", "eu-central-1a"],
    whileUp: async ({ emulator }, outputs) => {
      const api = new KubernetesApi(String(outputs.kubeconfig?.value));
      const [server] = emulator.nodes();
      const options = { address: server?.address ?? "", port: 6443, timeoutMs: 10_000 };
      const find = async (path: string) => JSON.parse(await api.get(path, options)) as unknown;
      const inFlux = (group: string, kind: string) =>
        find(`/apis/${group}.toolkit.fluxcd.io/v1/namespaces/flux-system/${kind}/cluster`);
      expect(await inFlux("source", "gitrepositories")).toMatchObject({
        spec: { url: "https://github.com/example/fleet", ref: { branch: "main" }, interval: "5m" },
      });
      expect(await inFlux("kustomize", "kustomizations")).toMatchObject({
        spec: { path: "./clusters/fleet", prune: true, deletionPolicy: "Orphan" },
      });
      await find("/apis/apps/v1/namespaces/kube-system/daemonsets/node-problem-detector");
    },
  },
  gpu: {
    zones: ["eu-central-1a", "eu-central-1a", "eu-central-1a"],
    settings: gpuSettings,
    first: assertGpuQuotas,
    whileUp: assertGpus,
  },
  "adopt-vpc": {
    zones: three.slice(0, 1),
    settings: (_world, account) => Promise.resolve(account),
    whileUp: async ({ stack }, outputs) => {
      expect(outputs.vpcId?.value).toBe((await stack.getConfig("vpcId")).value);
      const { resources = [] } = (await stack.exportStack()).deployment as {
        resources?: { type: string }[];
      };
      const made = new Set(resources.map(({ type }) => type));
      for (const type of ["aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet", "aws:iam/role:Role"]) {
        expect(made).not.toContain(type);
      }
    },
  },
  private: {
    zones: three,
    whileUp: ({ emulator }, outputs) => {
      const [node] = emulator.nodes();
      expect(machineSettings(node)("cluster.proxy.disabled")).toBe(true);
      expect(machineSettings(node)("cluster.network.cni.name")).toBe("none");
      expect(node?.machineConfiguration).toContain("quay.io/cilium/cilium:v1.");
      const nodes = outputs.nodes?.value as { publicAddress: string }[];
      expect(nodes.map(({ publicAddress }) => publicAddress)).toEqual(["", "", ""]);
      expect(Object.keys(outputs.natAddresses?.value as object)).toEqual(three);
    },
  },
  "no-internet": {
    zones: [...three, ...three.slice(0, 2)],
    first: async ({ stack, emulator, record }) => {
      await allowProcessors(emulator, "L-1216C47A", 5);
      await expect(stack.preview(record)).rejects.toThrow(
        /10 virtual processors of on-demand machines, and AWS allows 5: .*L-1216C47A/,
      );
      // An update without a preview ends too, before a machine is made, also of an inline program.
      await expect(stack.up(record)).rejects.toThrow(/and AWS allows 5: .*L-1216C47A/);
      expect(emulator.nodes()).toEqual([]);
      await allowProcessors(emulator, "L-1216C47A", 10);
    },
    whileUp: async ({ emulator }) => {
      expect(await waysOut(emulator)).toEqual({
        endpoints: ["ec2", "elasticloadbalancing", "s3", "sts"],
        toEverywhere: [],
        ranges: ["10.20", "10.20", "10.20", "100.64", "100.64"],
      });
      for (const node of emulator.nodes()) {
        expect(node.machineConfiguration).toMatch(
          /kind: RegistryMirrorConfig\nname: '\*'\nendpoints:\n *- url: https:\/\/mirror.corp.example.com/,
        );
        expect(machineSettings(node)("machine.time.servers")).toEqual(["169.254.169.123"]);
        expect(machineSettings(node)("cluster.discovery.enabled")).not.toBe(true);
      }
    },
  },
  "components-only": {
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1a", "eu-central-1a"],
    whileUp: async ({ emulator }, outputs) => {
      const balancing = new ElasticLoadBalancingV2Client(inAccount(emulator));
      const { TargetGroups = [] } = await balancing.send(new DescribeTargetGroupsCommand({}));
      const web = TargetGroups.find(({ Port }) => Port === 30_443);
      const { TargetHealthDescriptions = [] } = await balancing.send(
        new DescribeTargetHealthCommand({ TargetGroupArn: web?.TargetGroupArn }),
      );
      balancing.destroy();
      expect(outputs.ingressName?.value).toMatch(/\.elb\./);
      expect(await groupSizes(emulator)).toEqual([1, 1, 1, 2]);
      expect(TargetHealthDescriptions.map(({ Target }) => Target?.Id)).toEqual(
        emulator
          .nodes()
          .filter(({ machineConfiguration = "" }) => machineConfiguration.includes("type: worker"))
          .map(({ instanceId }) => instanceId),
      );
    },
  },
} satisfies Readonly<Record<string, Example>>;

/** An example whose whole life is known here. */
export type LivedExample = keyof typeof examples;

const NOTHING: PolicyDocument = { Version: "2012-10-17", Statement: [] };

/** An example from its first preview to its destroy, with the policies that it needs. */
export function describeExample(name: LivedExample): void {
  describe(`examples/${name}`, () => {
    const example: Example = examples[name];

    let world: EngineWorld;
    let recorder: CallRecorder;
    /** What the preview of an empty stack says that running it needs, and what its state says. */
    const policies: Record<string, PolicyDocument> = {};

    beforeAll(async () => {
      recorder = await startCallRecorder();
      world = await startEngineWorld({
        stack: name,
        program: () => exampleProgram(name, world.stateDir)(),
        settings: "config: { aws:region: eu-central-1 }",
        environment: recorder.environment,
        prepare: ({ url }) => {
          recorder.forwardTo(url);
          return Promise.resolve();
        },
        // Private machines are behind a name, which a resolver of the cloud knows.
        usesCloudNames: ["private", "no-internet"].includes(name),
      });
      const account = await makeAccount(world.emulator);
      const settings = Object.entries((await example.settings?.(world, account)) ?? {});
      await world.stack.setAllConfig(
        Object.fromEntries(settings.map(([key, value]) => [key, { value }] as const)),
      );
    });

    afterAll(async () => {
      await world.close();
      recorder.close();
    });

    it("previews, creates a working cluster, and needs no change afterwards", async () => {
      await example.first?.(world);
      const events: EngineEvent[] = [];
      const { changeSummary } = await world.stack.preview({
        ...world.record,
        onEvent: (event) => events.push(event),
      });
      // An update that was refused may have made a part.
      expect(Object.keys(changeSummary).filter((each) => each !== "same")).toEqual(["create"]);
      const previewed = readEvents(events).map(({ type, newInputs: inputs }) => ({
        type,
        inputs,
        outputs: {},
      }));
      policies.previewed = planPermissions(previewed).document;
      const { outputs } = await world.stack.up(world.record);
      const nodes = world.emulator.nodes();
      expect(nodes.map(({ stage }) => stage)).toEqual(example.zones.map(() => "running"));
      expect(nodes.map(({ zone }) => zone).sort()).toEqual([...example.zones].sort());
      expect(outputs.kubeconfig?.secret).toBe(true);
      const api = new KubernetesApi(String(outputs.kubeconfig?.value));
      // The name is in a zone that no resolver of this machine asks: the machine is dialled.
      const server = nodes.find(({ machineConfiguration = "" }) =>
        machineConfiguration.includes("type: controlplane"),
      );
      const options = { address: server?.address ?? "", port: 6443, timeoutMs: 10_000 };
      const list = JSON.parse(await api.get("/api/v1/nodes", options)) as { items: unknown[] };
      expect(list.items).toHaveLength(nodes.length);
      await example.whileUp?.(world, outputs);
      const again = await world.stack.preview(world.record);
      expect(Object.keys(again.changeSummary)).toEqual(["same"]);
      const { document, unknownTypes } = planPermissions(
        readResources(await world.stack.exportStack()),
      );
      expect(unknownTypes).toEqual([]);
      policies.recorded = document;
    });

    it("is destroyed and leaves no machine", async () => {
      await example.beforeDestroy?.(world);
      await world.stack.destroy(world.record);
      expect(world.emulator.nodes()).toEqual([]);
    });

    it("makes only AWS calls that the printed policies allow", () => {
      const calls = recorder.calls();
      expect(calls.map(({ action }) => action)).toContain("TerminateInstances");
      expect(refusedCalls(policies.previewed ?? NOTHING, calls)).toEqual([]);
      expect(refusedCalls(policies.recorded ?? NOTHING, calls)).toEqual([]);
      // The judge refuses.
      expect(refusedCalls(NOTHING, calls)).toContainEqual(
        expect.stringMatching(/^ec2:RunInstances /),
      );
    });
  });
}
