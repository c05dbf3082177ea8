import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import {
  AllocateAddressCommand,
  AssociateAddressCommand,
  AttachVolumeCommand,
  CreateSubnetCommand,
  CreateVolumeCommand,
  CreateVpcCommand,
  DetachVolumeCommand,
  EC2Client,
  GetConsoleOutputCommand,
  ModifyInstanceAttributeCommand,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteListenerCommand,
  DescribeTargetHealthCommand,
  ElasticLoadBalancingV2Client,
  RegisterTargetsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  Route53Client,
  type ResourceRecordSet,
} from "@aws-sdk/client-route-53";
import { startEmulator, type Emulator } from "../../emulator";
import { talosImages } from "../../emulator/aws/amis";
import { decodeUserData } from "../../emulator/instances";
import { protocol } from "../../provider/api/protocol";
import { maintenanceOutput } from "../../provider/console/maintenanceOutput";
import { fingerprintAt } from "../provider/api/fingerprintAt";
import { eventually } from "./support/eventually";
import { fetchText } from "./support/tcp";
import { RpcClient } from "./talos/rpcClient";

const timings = { bootMs: 0, rebootMs: 0, joinMs: 0 };
const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
const image = talosImages().find(({ name }) => name === "talos-v1.12.1-us-east-1-arm64");

/** A program that stops and starts the instance of its second argument at the URL of its first. */
const STOP_AND_START = `
const [url, id] = process.argv.slice(1);
const scope = "AWS4-HMAC-SHA256 Credential=emulator/20300101/us-east-1/ec2/aws4_request";
const send = (Action) => fetch(url, {
  method: "POST",
  headers: { authorization: scope },
  body: new URLSearchParams({ Action, Version: "2016-11-15", "InstanceId.1": id }),
});
send("StopInstances").then(() => send("StartInstances"));
`;

describe("startEmulator", () => {
  let emulator: Emulator;
  let ec2: EC2Client;
  let balancing: ElasticLoadBalancingV2Client;
  let route53: Route53Client;
  let subnetId: string;
  let vpcId: string;
  let nodes: string[];
  const lines: string[] = [];

  beforeAll(async () => {
    emulator = await startEmulator({ timings, onLog: (line) => lines.push(line) });
    const settings = { region: emulator.region, endpoint: emulator.url, credentials };
    ec2 = new EC2Client(settings);
    balancing = new ElasticLoadBalancingV2Client(settings);
    route53 = new Route53Client(settings);
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.5.0.0/16" }));
    vpcId = Vpc?.VpcId ?? "";
    const { Subnet } = await ec2.send(
      // AWS chooses a zone itself, and not every zone has every type.
      new CreateSubnetCommand({
        VpcId: vpcId,
        CidrBlock: "10.5.1.0/24",
        AvailabilityZone: `${emulator.region}a`,
      }),
    );
    subnetId = Subnet?.SubnetId ?? "";
  });

  afterAll(async () => {
    ec2.destroy();
    balancing.destroy();
    route53.destroy();
    await emulator.stop();
    await expect(fetch(emulator.url)).rejects.toThrow();
  });

  async function run(count: number, more: { publicAddress?: boolean; userData?: string } = {}) {
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ImageId: image?.ami_id,
        MinCount: count,
        MaxCount: count,
        InstanceType: "m6g.large",
        UserData: more.userData,
        NetworkInterfaces: [
          {
            DeviceIndex: 0,
            SubnetId: subnetId,
            AssociatePublicIpAddress: more.publicAddress ?? true,
          },
        ],
      }),
    );
    return (Instances ?? []).map(({ InstanceId }) => InstanceId ?? "");
  }

  const nodeOf = (id: string) => emulator.nodes().find(({ instanceId }) => instanceId === id);

  it("gives SDKs and tools their settings", () => {
    expect(emulator.environment).toMatchObject({
      AWS_ENDPOINT_URL: emulator.url,
      AWS_REGION: "us-east-1",
    });
  });

  it("starts a Talos machine for every instance of a Talos image", async () => {
    nodes = await run(2);
    await eventually(() =>
      expect(nodes.every((id) => nodeOf(id)?.stage === "maintenance")).toBe(true),
    );
    const [first = ""] = nodes;
    const node = nodeOf(first);
    expect(node).toMatchObject({ bootstrapCalls: 0, machineConfiguration: undefined });
    expect(node?.address).toMatch(/^127\.\d+\.1\.\d+$/);
    expect(node?.privateAddress).toMatch(/^10\.5\.1\.\d+$/);
    expect(node?.hostname).toBe(
      `ip-${(node?.privateAddress ?? "").replaceAll(".", "-")}.ec2.internal`,
    );
  });

  it("ignores instances of other images", async () => {
    const before = emulator.nodes().length;
    await ec2.send(
      new RunInstancesCommand({
        ImageId: "ami-12345678",
        MinCount: 1,
        MaxCount: 1,
        SubnetId: subnetId,
      }),
    );
    await emulator.resolve("settle.test");
    expect(emulator.nodes()).toHaveLength(before);
  });

  it("gives an instance without a public address an internal one", async () => {
    const [id = ""] = await run(1, { publicAddress: false });
    await eventually(() => expect(nodeOf(id)?.stage).toBe("maintenance"));
    expect(nodeOf(id)?.address).toMatch(/^127\.\d+\.65\.\d+$/);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await eventually(() => expect(nodeOf(id)).toBeUndefined());
  });

  it("forwards an Elastic IP address to the machine", async () => {
    const [id = ""] = nodes;
    const { PublicIp } = await ec2.send(new AllocateAddressCommand({ Domain: "vpc" }));
    await ec2.send(new AssociateAddressCommand({ InstanceId: id, PublicIp }));
    await eventually(async () => {
      // A TLS server answers plain text with an alert or a reset, a closed port refuses.
      await expect(
        fetchText(PublicIp ?? "", 50000, "hello").catch((error: unknown) => String(error)),
      ).resolves.not.toContain("ECONNREFUSED");
    });
  });

  it("shows a machine its attached volumes", async () => {
    const [id = ""] = nodes;
    const { VolumeId = "" } = await ec2.send(
      new CreateVolumeCommand({ AvailabilityZone: nodeOf(id)?.zone, Size: 20 }),
    );
    const disks = async () => {
      const client = RpcClient.insecure(nodeOf(id)?.address ?? "");
      const { messages } = await client.unary(protocol.storage.StorageService.service.Disks, {});
      client.close();
      return messages[0]?.disks.map(({ deviceName, size, serial, systemDisk }) => [
        deviceName,
        size,
        serial,
        systemDisk,
      ]);
    };
    const root = ["/dev/nvme0n1", `${8 * 1024 ** 3}`, "", true];
    expect(await disks()).toEqual([root]);
    const request = { InstanceId: id, VolumeId };
    await ec2.send(new AttachVolumeCommand({ ...request, Device: "/dev/sdf" }));
    await eventually(async () =>
      expect(await disks()).toEqual([
        root,
        ["/dev/nvme1n1", `${20 * 1024 ** 3}`, VolumeId.replace("-", ""), false],
      ]),
    );
    await ec2.send(new DetachVolumeCommand(request));
    await eventually(async () => expect(await disks()).toEqual([root]));
  });

  it("shows a machine's console as EC2 does", async () => {
    const [id = ""] = nodes;
    const ask = async (InstanceId: string, Latest?: boolean) => {
      const { Output = "" } = await ec2.send(new GetConsoleOutputCommand({ InstanceId, Latest }));
      return Buffer.from(Output, "base64").toString();
    };
    const fingerprint = await fingerprintAt(nodeOf(id)?.address ?? "");
    const [fresh = ""] = await run(1);
    expect(await ask(fresh)).toBe("");
    await eventually(async () => expect(await ask(fresh, true)).toContain("Linux version"));
    await eventually(async () => expect(await ask(id)).toContain(fingerprint));
    expect(maintenanceOutput(await ask(id, true)).fingerprints).toContain(fingerprint);
    // A hypervisor before Nitro has no live one.
    await ec2.send(new StopInstancesCommand({ InstanceIds: [fresh] }));
    await ec2.send(
      new ModifyInstanceAttributeCommand({
        InstanceId: fresh,
        InstanceType: { Value: "m4.large" },
      }),
    );
    await expect(ask(fresh, true)).rejects.toMatchObject({ name: "UnsupportedOperation" });
    await eventually(async () => expect(await ask(fresh)).toContain("Linux version"));
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [fresh] }));
    await expect(ask("i-0123456789abcdef0")).rejects.toMatchObject({
      name: "InvalidInstanceID.NotFound",
    });
  });

  it("stops a machine with its instance, and starts it again", async () => {
    const [, id = ""] = nodes;
    await ec2.send(new StopInstancesCommand({ InstanceIds: [id] }));
    await eventually(() => expect(nodeOf(id)).toBeUndefined());
    await ec2.send(new StartInstancesCommand({ InstanceIds: [id] }));
    await eventually(() => expect(nodeOf(id)?.stage).toBe("maintenance"));
  });

  it("does the same if the instance starts again at once", async () => {
    const [, id = ""] = nodes;
    const timesOff = () =>
      lines.filter((line) => line.startsWith(id) && line.includes("is switched off"));
    const before = timesOff().length;
    // Nothing happens in this process meanwhile, and the emulated cloud's machines are in it.
    execFileSync(process.execPath, ["-e", STOP_AND_START, emulator.url, id]);
    await eventually(() => {
      expect(timesOff()).toHaveLength(before + 1);
      expect(nodeOf(id)?.stage).toBe("maintenance");
    });
  });

  describe("load balancers", () => {
    let dnsName: string;
    let balancerArn: string;
    let listenerArn: string;
    let groupArn: string;
    const port = 8443;

    /** Stands for a machine's API: says who it is. */
    async function serve(id: string) {
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        socket.on("error", () => undefined);
        socket.end(id);
        socket.resume();
      });
      server.listen(port, nodeOf(id)?.address);
      await once(server, "listening");
      return server;
    }

    const ask = async () => fetchText((await emulator.resolve(dnsName))[0] ?? "", port, "");
    const healthOf = async (id: string) => {
      const { TargetHealthDescriptions } = await balancing.send(
        new DescribeTargetHealthCommand({ TargetGroupArn: groupArn }),
      );
      return TargetHealthDescriptions?.find(({ Target }) => Target?.Id === id)?.TargetHealth?.State;
    };

    beforeAll(async () => {
      const { LoadBalancers } = await balancing.send(
        new CreateLoadBalancerCommand({ Name: "api", Type: "network", Subnets: [subnetId] }),
      );
      dnsName = LoadBalancers?.[0]?.DNSName ?? "";
      balancerArn = LoadBalancers?.[0]?.LoadBalancerArn ?? "";
      const { TargetGroups } = await balancing.send(
        new CreateTargetGroupCommand({
          Name: "api",
          Port: port,
          Protocol: "TCP",
          VpcId: vpcId,
          HealthCheckIntervalSeconds: 10,
          HealthCheckTimeoutSeconds: 5,
          HealthyThresholdCount: 2,
          UnhealthyThresholdCount: 2,
        }),
      );
      groupArn = TargetGroups?.[0]?.TargetGroupArn ?? "";
      await balancing.send(
        new RegisterTargetsCommand({
          TargetGroupArn: groupArn,
          Targets: nodes.map((Id) => ({ Id, Port: port })),
        }),
      );
      const { Listeners } = await balancing.send(
        new CreateListenerCommand({
          LoadBalancerArn: balancerArn,
          Port: port,
          Protocol: "TCP",
          DefaultActions: [{ Type: "forward", TargetGroupArn: groupArn }],
        }),
      );
      listenerArn = Listeners?.[0]?.ListenerArn ?? "";
    });

    it("listens on its own address, and uses healthy targets in turn", async () => {
      const [first = "", second = ""] = nodes;
      const servers = [await serve(first), await serve(second)];
      try {
        expect((await emulator.resolve(dnsName))[0]).toMatch(/^127\.\d+\.200\.\d+$/);
        await eventually(async () => {
          expect(await healthOf(first)).toBe("healthy");
          expect(await healthOf(second)).toBe("healthy");
        });
        const answers = [await ask(), await ask(), await ask(), await ask()];
        expect([...answers].sort()).toEqual([first, first, second, second].sort());

        servers[0]?.close();
        await eventually(async () => expect(await healthOf(first)).toBe("unhealthy"));
        expect([await ask(), await ask(), await ask()]).toEqual([second, second, second]);

        await ec2.send(new TerminateInstancesCommand({ InstanceIds: [first] }));
        await eventually(() => expect(nodeOf(first)).toBeUndefined());
        expect(await ask()).toBe(second);
      } finally {
        servers.forEach((server) => server.close());
      }
    });

    it("answers DNS from hosted zones: addresses, aliases and other names", async () => {
      const { HostedZone } = await route53.send(
        new CreateHostedZoneCommand({ Name: "demo.test", CallerReference: "one" }),
      );
      const records: ResourceRecordSet[] = [
        {
          Name: "api.demo.test",
          Type: "A",
          AliasTarget: { DNSName: dnsName, HostedZoneId: "Z1", EvaluateTargetHealth: true },
        },
        {
          Name: "kube.demo.test",
          Type: "CNAME",
          TTL: 60,
          ResourceRecords: [{ Value: "api.demo.test." }],
        },
        {
          Name: "two.demo.test",
          Type: "A",
          TTL: 60,
          ResourceRecords: [{ Value: "192.0.2.1" }, { Value: "192.0.2.2" }],
        },
        {
          Name: "loop.demo.test",
          Type: "CNAME",
          TTL: 60,
          ResourceRecords: [{ Value: "loop.demo.test" }],
        },
      ];
      await route53.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId: HostedZone?.Id,
          ChangeBatch: {
            Changes: records.map((record) => ({ Action: "CREATE", ResourceRecordSet: record })),
          },
        }),
      );
      const [balancer] = await emulator.resolve(dnsName);
      expect(await emulator.resolve("api.demo.test")).toEqual([balancer]);
      expect(await emulator.resolve("KUBE.demo.test.")).toEqual([balancer]);
      expect(await emulator.resolve("two.demo.test")).toEqual(["192.0.2.1", "192.0.2.2"]);
      expect(await emulator.resolve("loop.demo.test")).toEqual([]);
      expect(await emulator.resolve("missing.demo.test")).toEqual([]);
      expect(await emulator.resolve("example.org")).toEqual([]);
      expect(await emulator.resolve("192.0.2.9")).toEqual(["192.0.2.9"]);
      const [node] = emulator.nodes();
      expect(await emulator.resolve(node?.hostname ?? "")).toEqual([node?.privateAddress]);
    });

    it("stops listening when the listener is deleted", async () => {
      const [address = ""] = await emulator.resolve(dnsName);
      await balancing.send(new DeleteListenerCommand({ ListenerArn: listenerArn }));
      await eventually(() => expect(fetchText(address, port, "")).rejects.toThrow("ECONNREFUSED"));
    });
  });

  it("runs beside another emulator, with machines on the same ports", async () => {
    const other = await startEmulator({ timings, region: "us-west-2" });
    try {
      const client = new EC2Client({ region: other.region, endpoint: other.url, credentials });
      const west = talosImages().find(({ name }) => name === "talos-v1.12.1-us-west-2-amd64");
      await client.send(
        new RunInstancesCommand({ ImageId: west?.ami_id, MinCount: 1, MaxCount: 1 }),
      );
      client.destroy();
      await eventually(() =>
        expect(other.nodes().map(({ stage }) => stage)).toEqual(["maintenance"]),
      );
      const sliceOf = (address: string | undefined) => address?.split(".").slice(0, 2).join(".");
      expect(sliceOf(other.nodes()[0]?.address)).not.toBe(sliceOf(emulator.nodes()[0]?.address));
      expect(other.url).not.toBe(emulator.url);
    } finally {
      await other.stop();
    }
  });
});

describe("decodeUserData", () => {
  const encode = (data: Buffer | string) => Buffer.from(data).toString("base64");

  it("reads it as Talos does: decompressed, and blank is none", () => {
    expect(decodeUserData(encode("version: v1alpha1\n"))).toBe("version: v1alpha1\n");
    expect(decodeUserData(encode(gzipSync("version: v1alpha1\n")))).toBe("version: v1alpha1\n");
    expect(decodeUserData(encode(" \n"))).toBeUndefined();
    expect(decodeUserData(undefined)).toBeUndefined();
  });
});
