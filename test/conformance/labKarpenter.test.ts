import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeVolumesCommand,
} from "@aws-sdk/client-ec2";
import { manifestOf } from "../../components/addOns/common/manifestOf";
import { interruptionQueueName } from "../../components/addOns/karpenter/karpenter";
import { planOwnManifests } from "../../components/addOns/planOwnManifests";
import { planKarpenter, planPassRole } from "../../components/permissions/planKarpenter";
import type { PolicyDocument } from "../../components/permissions/policyDocument";
import { UNREGISTERED_TAINT } from "../../components/workers/karpenter/karpenterKinds";
import { planNodeClass } from "../../components/workers/karpenter/planNodeClass";
import { planNodePool } from "../../components/workers/karpenter/planNodePool";
import { type Emulator, startEmulator } from "../../emulator";
import { ClusterObjects } from "../../provider/lifecycle/objects/clusterObjects";
import { isAllowed, REGION } from "../components/permissions/judgePolicy";
import { eventually } from "../emulator/support/eventually";
import { type Account, openAccount } from "../engine/support/account";
import { type CallRecorder, startCallRecorder } from "../engine/support/callRecorder";
import { objectsIn } from "./support/addOnVariants";
import { type PoolParts, preparePool } from "./support/karpenterAccount";
import { KarpenterController } from "./support/karpenterController";
import { permissionsOf } from "./support/karpenterPermissions";
import { describeWithKubernetesLab } from "./support/kubernetesLab";
import { type LabCluster, makeLabCluster } from "./support/labCluster";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";

/** Karpenter's own program, built as CONTRIBUTING.md says. */
const { KARPENTER_CONTROLLER: command = "" } = process.env;

const controlPlane = "10.7.0.2";
const POOL = "batch";
const NODE = "batch-1";
const ROLE = "workers";
const scope = {
  clusterName: "lab",
  region: REGION,
  kubernetesVersion: LAB.kubernetes.next,
  controlPlanes: 1,
  recordName: "k8s.lab.example.com",
};
const queueName = interruptionQueueName(scope.recordName);
const roleArn = `arn:aws:iam::123456789012:role/${ROLE}`;
const policy: PolicyDocument = {
  Version: "2012-10-17",
  Statement: [...planKarpenter(scope, queueName), planPassRole([roleArn])],
};

const NODE_CLASS = `/apis/karpenter.k8s.aws/v1/ec2nodeclasses/${POOL}`;
const NODE_POOL = `/apis/karpenter.sh/v1/nodepools/${POOL}`;
const NODE_CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";
const POD = "/api/v1/namespaces/default/pods/asks";

interface WithConditions {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly providerID?: string;
  };
}

interface NodeClaims {
  readonly items: readonly WithConditions[];
}

interface Node {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
}

/** Those that aren't true. */
const untrue = (found: WithConditions | undefined) =>
  found?.status?.conditions?.flatMap(({ type, status }) => (status === "True" ? [] : [type]));

// One pool's life: each test goes on where the one before it ended.
describe.skipIf(command === "")("where Karpenter's own controller is", () => {
  describeWithKubernetesLab("a pool of Karpenter", (lab) => {
    let cluster: LabCluster;
    let found: ClusterObjects;
    let emulator: Emulator;
    let account: Account;
    let recorder: CallRecorder;
    let controller: KarpenterController | undefined;
    let configuration: string;
    let parts: PoolParts;
    const objects = new ServedResource("KubernetesObjects");
    const [own] = planOwnManifests(scope, { karpenter: {} });
    const ownManifest = { name: "karpenter", contents: own?.contents ?? "" };

    /** The pool's objects. */
    const poolManifest = (machineConfiguration: string) => {
      const nodeClass = planNodeClass({
        name: POOL,
        machineConfiguration,
        ...parts,
        publicAddresses: true,
        settings: { rootVolumeSizeGib: 40, rootVolume: { type: "gp3", iops: 4_000 } },
        dataVolumes: { data: { sizeGib: 100 } },
        tags: { Name: "lab-batch", "example.com/team": "data" },
      });
      const nodePool = planNodePool({
        name: POOL,
        karpenter: { limits: { vcpus: 16 } },
        labels: { "example.com/tier": "batch" },
        taints: { "example.com/tier": "batch:NoSchedule" },
      });
      return { name: POOL, contents: manifestOf([nodeClass, nodePool]) };
    };
    /** What a run does with these manifests. */
    const up = (manifests: readonly object[]) =>
      objects.up({
        nodes: [controlPlane],
        credentials: cluster.credentials,
        timeoutSeconds: 300,
        inventory: "karpenter",
        deleteContainers: false,
        // The image of its Deployment isn't in the lab.
        awaitRollouts: false,
        awaitDeletions: true,
        manifests,
      });
    const apply = (path: string, body: object) =>
      found.send({
        method: "PATCH",
        path: `${path}?fieldManager=test&fieldValidation=Strict`,
        contentType: "application/apply-patch+yaml",
        body,
      });
    const machines = async () => {
      const { Reservations = [] } = await account.ec2.send(new DescribeInstancesCommand({}));
      return Reservations.flatMap(({ Instances = [] }) => Instances);
    };
    const token = async () => {
      const body = await found.send({
        method: "POST",
        path: "/api/v1/namespaces/kube-system/serviceaccounts/karpenter/token",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      });
      return (JSON.parse(body ?? "{}") as { status: { token: string } }).status.token;
    };

    beforeAll(async () => {
      vi.spyOn(process.stdout, "write").mockReturnValue(true);
      emulator = await startEmulator({ region: REGION });
      account = openAccount(emulator);
      recorder = await startCallRecorder();
      recorder.forwardTo(emulator.url);
      cluster = await makeLabCluster(lab, controlPlane);
      await lab.up(["cp1:2"]);
      await new ServedResource("ConfigurationApply").up(
        cluster.inputs("controlplane", controlPlane),
      );
      const { credentials } = cluster;
      const reach = { node: controlPlane, endpoint: controlPlane, credentials };
      await new ServedResource("MachineBootstrap").up({ ...reach, timeoutSeconds: 600, peers: [] });
      found = new ClusterObjects({
        controlPlanes: [reach],
        deadline: Date.now() + 1_200_000,
        progress: { report: () => undefined, warn: () => undefined },
      });
      await eventually(async () => {
        const accounts = "/api/v1/namespaces/default/serviceaccounts/default";
        expect(await found.read(accounts)).toBeDefined();
      }, 300_000);
    });
    afterAll(async () => {
      vi.restoreAllMocks();
      await controller?.stop();
      account.close();
      recorder.close();
      await emulator.stop();
      await lab.down();
    });

    it("is ready, by what the controller finds in AWS", async () => {
      const given = cluster.inputs("worker", controlPlane) as { machineConfiguration: string };
      configuration = given.machineConfiguration;
      parts = await preparePool(account, emulator, {
        role: ROLE,
        queue: queueName,
        image: `talos-${LAB.talos}-*-amd64`,
      });
      expect(await up([ownManifest, poolManifest(configuration)])).toBe("created");
      const deployment = objectsIn([ownManifest])
        .map(({ object }) => object)
        .find(({ kind }) => kind === "Deployment") as unknown as {
        spec: { template: { spec: { containers: { args: string[] }[] } } };
      };
      controller = await KarpenterController.start({
        command,
        args: deployment.spec.template.spec.containers[0]?.args ?? [],
        server: `https://${controlPlane}:6443`,
        certificateAuthority: cluster.secretsBundle.certs.k8s.crt,
        token: await token(),
        environment: {
          AWS_ENDPOINT_URL: recorder.environment.AWS_ENDPOINT_URL_EC2 ?? "",
          AWS_REGION: REGION,
          AWS_ACCESS_KEY_ID: "karpenter",
          AWS_SECRET_ACCESS_KEY: "karpenter",
        },
      });
      await eventually(async () => {
        expect(untrue(await found.read(NODE_CLASS))).toEqual([]);
        // Whether machines register is known only once one has.
        expect(untrue(await found.read(NODE_POOL))).toEqual(["NodeRegistrationHealthy"]);
      }, 180_000);
      const ready = await found.read<{ readonly status: object }>(NODE_CLASS);
      expect(ready?.status).toMatchObject({
        amis: parts.imageIds.map((id) => ({ id })),
        securityGroups: parts.securityGroupIds.map((id) => ({ id })),
        subnets: expect.arrayContaining(
          parts.subnetIds.map((id) => expect.objectContaining({ id }) as unknown),
        ) as unknown,
        instanceProfile: parts.instanceProfileName,
      });
    });

    it("launches a machine for a pod, as the pool says", async () => {
      await apply(POD, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "asks", namespace: "default" },
        spec: {
          nodeSelector: { "example.com/tier": "batch" },
          tolerations: [{ key: "example.com/tier", operator: "Exists" }],
          containers: [
            {
              name: "a",
              image: "docker.io/library/busybox:1",
              resources: { requests: { cpu: "1" } },
            },
          ],
        },
      });
      const machine = await eventually(async () => {
        const [first, ...others] = await machines();
        expect(first).toBeDefined();
        expect(others).toEqual([]);
        return first;
      });
      const { InstanceId = "", ...launched } = machine ?? {};
      expect(launched).toMatchObject({
        IamInstanceProfile: { Arn: `arn:aws:iam::123456789012:instance-profile/${ROLE}-profile` },
        MetadataOptions: {
          HttpEndpoint: "enabled",
          HttpTokens: "required",
          HttpPutResponseHopLimit: 1,
        },
        PublicIpAddress: expect.any(String) as unknown,
      });
      const tags = Object.fromEntries(
        (launched.Tags ?? []).map(({ Key = "", Value = "" }) => [Key, Value] as const),
      );
      expect(tags).toMatchObject({
        Name: "lab-batch",
        "example.com/team": "data",
        "kubernetes.io/cluster/lab": "owned",
        "karpenter.sh/nodepool": POOL,
      });
      const { UserData } = await account.ec2.send(
        new DescribeInstanceAttributeCommand({ InstanceId, Attribute: "userData" }),
      );
      expect(Buffer.from(UserData?.Value ?? "", "base64").toString()).toBe(configuration);
      const Filters = [{ Name: "attachment.instance-id", Values: [InstanceId] }];
      const { Volumes = [] } = await account.ec2.send(new DescribeVolumesCommand({ Filters }));
      expect(
        Volumes.map(({ Attachments, Size, Iops, VolumeType, Encrypted }) => ({
          device: Attachments?.[0]?.Device,
          Size,
          VolumeType,
          Encrypted,
          ...(Size === 40 && { Iops }),
        })),
      ).toEqual([
        { device: "/dev/xvda", Size: 40, VolumeType: "gp3", Encrypted: true, Iops: 4_000 },
        { device: "/dev/sdg", Size: 100, VolumeType: "gp3", Encrypted: true },
      ]);
    });

    it("takes the machine's node, and gives it the pool's labels and taints", async () => {
      // EC2 has the machine before Karpenter writes down which one it is.
      const providerID = await eventually(async () => {
        const claims = await found.read<NodeClaims>(NODE_CLAIMS);
        expect(claims?.items[0]?.status?.providerID).toMatch(/^aws:/);
        return claims?.items[0]?.status?.providerID;
      });
      const resources = { cpu: "2", memory: "4Gi", pods: "110", "ephemeral-storage": "40Gi" };
      const node = { apiVersion: "v1", kind: "Node", metadata: { name: NODE } };
      // What the machine's kubelet would say, which is no part of this.
      await apply(`/api/v1/nodes/${NODE}`, {
        ...node,
        spec: {
          providerID,
          taints: Object.entries(UNREGISTERED_TAINT).map(([key, effect]) => ({ key, effect })),
        },
      });
      await apply(`/api/v1/nodes/${NODE}/status`, {
        ...node,
        status: {
          capacity: resources,
          allocatable: resources,
          conditions: [{ type: "Ready", status: "True", reason: "KubeletReady" }],
        },
      });
      await eventually(async () => {
        const joined = await found.read<Node>(`/api/v1/nodes/${NODE}`);
        expect(joined?.metadata.labels).toMatchObject({
          "example.com/tier": "batch",
          "karpenter.sh/nodepool": POOL,
          "karpenter.sh/registered": "true",
          "karpenter.sh/initialized": "true",
        });
        const taints = joined?.spec.taints ?? [];
        expect(taints).toContainEqual(
          expect.objectContaining({ key: "example.com/tier", effect: "NoSchedule" }),
        );
        expect(taints.map(({ key }) => key)).not.toContain(Object.keys(UNREGISTERED_TAINT)[0]);
        expect(untrue(await found.read(NODE_POOL))).toEqual([]);
        const [first] = await machines();
        expect(first?.Tags?.map(({ Key }) => Key)).toContain("karpenter.sh/nodeclaim");
      });
    });

    it("replaces the machine when the configuration of machines changes", async () => {
      expect(await up([ownManifest, poolManifest(`${configuration}# changed\n`)])).toBe("updated");
      await eventually(async () => {
        const claims = await found.read<NodeClaims>(NODE_CLAIMS);
        const conditions = claims?.items.flatMap(({ status }) => status?.conditions ?? []);
        expect(conditions).toContainEqual(
          expect.objectContaining({ type: "Drifted", status: "True" }),
        );
        // The new machine comes first.
        expect((await machines()).map(({ State }) => State?.Name)).toEqual(["running", "running"]);
      });
    });

    it("ends its machines when it leaves the list, and keeps nothing in AWS", async () => {
      // No kubelet would end the pod.
      await found.send({ method: "DELETE", path: `${POD}?gracePeriodSeconds=0` });
      expect(await up([ownManifest])).toBe("updated");
      expect(await found.read(NODE_CLASS)).toBeUndefined();
      expect(await found.read(NODE_POOL)).toBeUndefined();
      expect((await machines()).map(({ State }) => State?.Name)).toEqual([
        "terminated",
        "terminated",
      ]);
      const { LaunchTemplates } = await account.ec2.send(new DescribeLaunchTemplatesCommand({}));
      expect(LaunchTemplates).toEqual([]);
    });

    it("needs nothing that its role and its service account may not do", async () => {
      const calls = recorder.calls();
      const asked = calls.flatMap((call) => permissionsOf(call, calls, roleArn));
      const judged = await Promise.all(
        asked.map(async (call) => ((await isAllowed(policy, call)) ? [] : [call])),
      );
      expect(judged.flat()).toEqual([]);
      expect([...new Set(calls.map(({ action }) => action))]).toEqual(
        expect.arrayContaining([
          "CreateFleet",
          "CreateLaunchTemplate",
          "CreateTags",
          "DeleteLaunchTemplate",
          "GetInstanceProfile",
          "ReceiveMessage",
          "RunInstances",
          "TerminateInstances",
        ]),
      );
      expect(controller?.log).toContain("launched nodeclaim");
      expect(controller?.log).not.toMatch(/forbidden|Unauthorized/i);
      expect(emulator.violations()).toEqual([]);
    });
  });
});
