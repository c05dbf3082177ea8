import { request } from "node:https";
import { gzipSync } from "node:zlib";
import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  SetDesiredCapacityCommand,
} from "@aws-sdk/client-auto-scaling";
import {
  CreateLaunchTemplateCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  EC2Client,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import { startEmulator, type Emulator } from "../../emulator";
import { talosImages } from "../../emulator/aws/amis";
import { protocol } from "../../provider/api/protocol";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineConfigInput } from "../../provider/config/machineConfigInput";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { issueCertificate } from "../../provider/pki/issueCertificate";
import { fromBase64, nodeKey } from "../../provider/pki/pem";
import type { CertificateAndKey, SecretsBundle } from "../../provider/pki/secretsBundle";
import { sharedSecrets } from "../provider/pki/sharedSecrets";
import { eventually } from "./support/eventually";
import { RpcClient } from "./talos/rpcClient";

const GROUP = { AutoScalingGroupName: "workers" };
const imageOf = (architecture: string) =>
  talosImages().find(({ name }) => name === `talos-v1.12.1-us-east-1-${architecture}`)?.ami_id;

interface KubernetesNode {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly providerID: string; readonly taints?: readonly unknown[] };
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo: { readonly architecture: string };
  };
}

describe("machines of an auto scaling group", () => {
  let emulator: Emulator;
  let ec2: EC2Client;
  let autoScaling: AutoScalingClient;
  let secrets: SecretsBundle;
  let admin: CertificateAndKey;
  let api: string;
  let vpcId: string | undefined;

  beforeAll(async () => {
    emulator = await startEmulator({ timings: { bootMs: 10, rebootMs: 10, joinMs: 10 } });
    const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
    const settings = { region: emulator.region, endpoint: emulator.url, credentials };
    ec2 = new EC2Client(settings);
    autoScaling = new AutoScalingClient(settings);
    secrets = await sharedSecrets();
    admin = await certificateOf(secrets.certs.k8s, ["system:masters"], "p256");
    ({ VpcId: vpcId } =
      (await ec2.send(new CreateVpcCommand({ CidrBlock: "10.6.0.0/16" }))).Vpc ?? {});
  });

  afterAll(async () => {
    ec2.destroy();
    autoScaling.destroy();
    await emulator.stop();
  });

  const config = (options: Pick<MachineConfigInput, "machineType"> & Partial<MachineConfigInput>) =>
    encodeDocuments(
      generateMachineConfig({
        clusterName: "demo",
        endpoint: "https://k8s.demo.test:6443",
        secretsBundle: secrets,
        versionContract: "v1.12",
        kubernetesVersion: "1.35.0",
        installDisk: "/dev/nvme0n1",
        installerImage: "factory.talos.dev/aws-installer/0:v1.12.1",
        ...options,
      }),
    );

  async function subnet(zone: string, cidrBlock: string): Promise<string> {
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId: vpcId,
        CidrBlock: cidrBlock,
        AvailabilityZone: `us-east-1${zone}`,
      }),
    );
    return Subnet?.SubnetId ?? "";
  }

  const kubernetesNodes = (): Promise<KubernetesNode[]> =>
    new Promise((resolve, reject) => {
      const call = request(
        {
          host: api,
          port: 6443,
          path: "/api/v1/nodes",
          ca: fromBase64(secrets.certs.k8s.crt),
          cert: fromBase64(admin.crt),
          key: nodeKey(admin.key),
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            const list = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
              items: KubernetesNode[];
            };
            resolve(list.items);
          });
        },
      );
      call.on("error", reject);
      call.end();
    });

  /** Nodes of the group's machines that are Ready. */
  const readyWorkers = async () =>
    (await kubernetesNodes()).filter(
      ({ metadata, status }) =>
        metadata.labels.pool === "batch" &&
        status.conditions.some((each) => each.type === "Ready" && each.status === "True"),
    );

  const instanceIds = async () => {
    const { AutoScalingGroups } = await autoScaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: ["workers"] }),
    );
    return (AutoScalingGroups?.[0]?.Instances ?? []).map(({ InstanceId }) => InstanceId ?? "");
  };

  it("wait for the cluster, then join it", async () => {
    const subnets = [await subnet("a", "10.6.1.0/24"), await subnet("b", "10.6.2.0/24")];
    const worker = config({
      machineType: "worker",
      nodeLabels: { pool: "batch" },
      nodeTaints: { dedicated: "batch:NoSchedule" },
    });
    const { LaunchTemplate } = await ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: "workers",
        LaunchTemplateData: {
          ImageId: imageOf("arm64"),
          InstanceType: "m7g.large",
          UserData: gzipSync(worker).toString("base64"),
          NetworkInterfaces: [{ DeviceIndex: 0, AssociatePublicIpAddress: false }],
        },
      }),
    );
    await autoScaling.send(
      new CreateAutoScalingGroupCommand({
        ...GROUP,
        MinSize: 1,
        MaxSize: 5,
        DesiredCapacity: 2,
        VPCZoneIdentifier: subnets.join(),
        LaunchTemplate: { LaunchTemplateId: LaunchTemplate?.LaunchTemplateId, Version: "$Latest" },
      }),
    );
    // No control plane can give them their certificates yet.
    await eventually(() =>
      expect(emulator.nodes().map(({ stage }) => stage)).toEqual(["booting", "booting"]),
    );

    await ec2.send(
      new RunInstancesCommand({
        ImageId: imageOf("amd64"),
        InstanceType: "m6i.large",
        MinCount: 1,
        MaxCount: 1,
        UserData: Buffer.from(config({ machineType: "controlplane" })).toString("base64"),
        NetworkInterfaces: [
          { DeviceIndex: 0, SubnetId: subnets[0], AssociatePublicIpAddress: true },
        ],
      }),
    );
    api = await eventually(() => {
      const found = emulator.nodes().find(({ stage }) => stage === "running");
      expect(found).toBeDefined();
      return found?.address ?? "";
    });
    const client = RpcClient.secure(
      api,
      secrets.certs.os.crt,
      await certificateOf(secrets.certs.os, ["os:admin"], "ed25519"),
    );
    await client.unary(protocol.machine.MachineService.service.Bootstrap, {});
    client.close();

    const nodes = await eventually(async () => {
      const ready = await readyWorkers();
      expect(ready).toHaveLength(2);
      return ready;
    });
    expect(
      nodes.map(({ metadata }) => metadata.labels["topology.kubernetes.io/zone"]).sort(),
    ).toEqual(["us-east-1a", "us-east-1b"]);
    const [node] = nodes;
    expect(node?.metadata.labels).toMatchObject({ "kubernetes.io/arch": "arm64", pool: "batch" });
    expect(node?.spec.taints).toEqual([{ key: "dedicated", value: "batch", effect: "NoSchedule" }]);
    expect(node?.status.nodeInfo.architecture).toBe("arm64");
    expect(node?.status.addresses.map(({ type }) => type)).toEqual(["InternalIP", "Hostname"]);
    const ids = await instanceIds();
    expect(ids).toContain(node?.spec.providerID.split("/").pop());
  });

  it("are replaced by new ones, which join too", async () => {
    const [first = ""] = await instanceIds();
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [first] }));
    await eventually(async () => {
      const joined = (await readyWorkers()).map(({ spec }) => spec.providerID.split("/").pop());
      expect(joined).toEqual(expect.arrayContaining(await instanceIds()));
      expect(await instanceIds()).not.toContain(first);
    });
  });

  it("increase with the group's capacity", async () => {
    await autoScaling.send(new SetDesiredCapacityCommand({ ...GROUP, DesiredCapacity: 4 }));
    await eventually(async () => {
      const ids = await instanceIds();
      const joined = (await readyWorkers()).map(({ spec }) => spec.providerID.split("/").pop());
      expect(ids).toHaveLength(4);
      expect(joined).toEqual(expect.arrayContaining(ids));
    });
  });

  it("find the control plane without discovery", async () => {
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ImageId: imageOf("amd64"),
        InstanceType: "m6i.large",
        MinCount: 1,
        MaxCount: 1,
        UserData: Buffer.from(config({ machineType: "worker", discovery: false })).toString(
          "base64",
        ),
      }),
    );
    const id = Instances?.[0]?.InstanceId ?? "";
    await eventually(async () => {
      const ids = (await kubernetesNodes()).map(({ spec }) => spec.providerID.split("/").pop());
      expect(ids).toContain(id);
    });
  });
});

function certificateOf(
  ca: CertificateAndKey,
  organizations: readonly string[],
  keyType: "ed25519" | "p256",
): Promise<CertificateAndKey> {
  return issueCertificate(ca, {
    commonName: "admin",
    organizations,
    usages: ["clientAuth"],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keyType,
  });
}
