import {
  DescribeInstancesCommand,
  DescribeVpcsCommand,
  DescribeVolumesCommand,
  type EC2Client,
  TerminateInstancesCommand,
} from "@aws-sdk/client-ec2";
import * as aws from "@pulumi/aws";
import type { Stack } from "@pulumi/pulumi/automation";
import { awsProgram, initialVariation, type Variation } from "./support/awsPluginProgram";
import { type AwsWorld, REGION, startAwsWorld } from "./support/awsWorld";
import { previewSteps, upSteps } from "./support/engineSteps";

describe("the substitute for the AWS plugin, by the real engine", () => {
  const variation: Variation = { ...initialVariation };
  let world: AwsWorld;
  let ec2: EC2Client;
  let stack: Stack;

  beforeAll(async () => {
    world = await startAwsWorld("aws-plugin", () => awsProgram(variation)());
    ({ ec2, stack } = world);
    await stack.setConfig("aws:defaultTags", { value: JSON.stringify({ tags: { owner: "us" } }) });
  });

  afterAll(() => world.close());

  const preview = () => previewSteps(stack);
  const up = () => upSteps(stack);

  it("previews resources that do not exist yet", async () => {
    const steps = await preview();
    expect(new Set(steps.map(({ op }) => op))).toEqual(new Set(["create"]));
    expect(steps).toHaveLength(22 + 1);
  });

  it("creates one resource of every kind", async () => {
    const { outputs } = await stack.up();
    const value = (name: string): unknown => outputs[name]?.value;
    expect(value("region")).toBe(REGION);
    expect(value("zoneName")).toBe("demo.test");
    expect(value("groupName")).toMatch(/^nodes-[0-9a-f]{7}$/);
    expect(value("publicIp")).toBe(`${world.instanceNetwork}.1`);
    expect(value("dnsName")).toMatch(/^api-[0-9a-f]{7}-.*\.amazonaws\.com$/);
    expect(value("tagsAll")).toMatchObject({ owner: "us", Name: "one" });
    const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [String(value("vpcId"))] }));
    expect(Vpcs?.[0]?.CidrBlock).toBe("10.7.0.0/16");
    const instance = await liveInstance();
    expect(instance?.InstanceId).toBe(value("instanceId"));
    expect(instance?.State?.Name).toBe("running");
    expect(instance?.MetadataOptions).toMatchObject({
      HttpTokens: "required",
      HttpPutResponseHopLimit: 2,
    });
    const { Volumes } = await ec2.send(
      new DescribeVolumesCommand({
        VolumeIds: [instance?.BlockDeviceMappings?.[0]?.Ebs?.VolumeId ?? ""],
      }),
    );
    expect(Volumes?.[0]).toMatchObject({ Size: 50, VolumeType: "gp3", Encrypted: true });
  });

  it("finds no change the second time", async () => {
    expect(await up()).toEqual([]);
  });

  it("finds no drift if there is none", async () => {
    const { summary } = await stack.refresh();
    expect(Object.keys(summary.resourceChanges ?? {})).toEqual(["same"]);
  });

  it("changes in place what AWS can change in place, and previews exactly that", async () => {
    Object.assign(variation, {
      dnsHostnames: false,
      port: 7443,
      instanceType: "m6i.xlarge",
      hopLimit: 3,
      volumeSize: 60,
      secondGroup: true,
      maxSessionDuration: 7200,
      policyAction: "ec2:DescribeVpcs",
      deregistrationDelay: 30,
      healthInterval: 20,
      crossZone: false,
      comment: "second",
      ttl: 30,
    });
    const planned = await preview();
    expect(planned.every(({ op }) => op === "update")).toBe(true);
    expect(Object.fromEntries(planned.map((step) => [step.resource, step.paths]))).toEqual({
      "Vpc net": ["enableDnsHostnames"],
      "SecurityGroupIngressRule api": ["description", "fromPort", "toPort"],
      "Instance node": [
        "instanceType",
        "metadataOptions.httpPutResponseHopLimit",
        "publicDns",
        "publicIp",
        "rootBlockDevice.volumeSize",
        "vpcSecurityGroupIds",
      ],
      "Role node": ["maxSessionDuration"],
      "RolePolicy node": ["policy"],
      "LoadBalancer api": ["enableCrossZoneLoadBalancing"],
      "TargetGroup api": ["deregistrationDelay", "healthCheck.interval"],
      "Listener api": ["port"],
      "Zone dns": ["comment"],
      "Record text": ["ttl"],
    });
    const before = await liveInstance();
    await up();
    const after = await liveInstance();
    expect(after?.InstanceId).toBe(before?.InstanceId);
    expect(after?.InstanceType).toBe("m6i.xlarge");
    expect(after?.SecurityGroups).toHaveLength(2);
    expect(after?.MetadataOptions?.HttpPutResponseHopLimit).toBe(3);
    const { summary } = await stack.refresh();
    expect(Object.keys(summary.resourceChanges ?? {})).toEqual(["same"]);
    expect(await preview()).toEqual([]);
  });

  it("changes tags of all resources, and nothing else", async () => {
    variation.label = "two";
    const steps = await up();
    expect(steps.length).toBeGreaterThanOrEqual(12);
    expect(steps.every(({ op }) => op === "update")).toBe(true);
    const live = await liveInstance();
    expect(live?.Tags).toContainEqual({ Key: "Name", Value: "two" });
    expect(live?.Tags).toContainEqual({ Key: "owner", Value: "us" });
  });

  it("keeps secret user data secret and applies it to the stopped instance", async () => {
    variation.userData = Buffer.from("machine: {}\n").toString("base64");
    expect((await up()).map(({ op, resource }) => [op, resource])).toEqual([
      ["update", "Instance node"],
    ]);
    const outputs = await stack.outputs();
    expect(outputs.userData).toEqual({ value: variation.userData, secret: true });
    expect((await liveInstance())?.State?.Name).toBe("running");
    expect(await preview()).toEqual([]);
  });

  it("replaces an instance for another image, and only its dependents", async () => {
    variation.imageVersion = "v1.12.1";
    const steps = await preview();
    const replaced = steps.filter(({ op }) => op === "replace");
    expect(replaced.map(({ resource, replaceKeys }) => [resource, replaceKeys])).toEqual([
      ["Instance node", ["ami"]],
      ["TargetGroupAttachment node", ["targetId"]],
    ]);
    const before = (await liveInstance())?.InstanceId ?? "";
    await up();
    expect((await liveInstance())?.InstanceId).not.toBe(before);
    const { Reservations } = await ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [before] }),
    );
    expect(Reservations?.[0]?.Instances?.[0]?.State?.Name).toBe("terminated");
  });

  it("detects deleted resources and creates them again", async () => {
    const InstanceIds = [(await liveInstance())?.InstanceId ?? ""];
    await ec2.send(new TerminateInstancesCommand({ InstanceIds }));
    const { summary } = await stack.refresh();
    expect(summary.resourceChanges).toMatchObject({ delete: 2 });
    expect((await up()).filter(({ op }) => op === "create").map((step) => step.resource)).toEqual([
      "Instance node",
      "TargetGroupAttachment node",
    ]);
  });

  it("honours ignoreChanges and replaceOnChanges", async () => {
    const third = (description: string, cidrBlock: string) => {
      variation.extra = ({ vpc, group }) => {
        new aws.ec2.Subnet("third", { vpcId: vpc.id, cidrBlock }, { ignoreChanges: ["cidrBlock"] });
        new aws.vpc.SecurityGroupIngressRule(
          "third",
          {
            securityGroupId: group.id,
            ipProtocol: "udp",
            fromPort: 1,
            toPort: 2,
            cidrIpv4: "203.0.113.9/32",
            description,
          },
          { replaceOnChanges: ["description"] },
        );
      };
    };
    third("one", "10.7.3.0/24");
    await up();
    third("two", "10.7.4.0/24");
    const steps = await preview();
    expect(steps.filter(({ op }) => op === "replace").map(({ resource }) => resource)).toEqual([
      "SecurityGroupIngressRule third",
    ]);
    expect(steps.some(({ resource }) => resource === "Subnet third")).toBe(false);
  });

  it("imports existing resources, without a change afterwards", async () => {
    const [vpcId = ""] = await vpcIds();
    variation.extra = () => {
      new aws.ec2.Vpc(
        "adopted",
        {
          cidrBlock: "10.7.0.0/16",
          enableDnsHostnames: false,
          tags: { Name: "two", "kubernetes.io/cluster/demo": "owned" },
        },
        { import: vpcId, retainOnDelete: true },
      );
    };
    expect((await up()).map(({ op, resource }) => [op, resource])).toEqual([
      ["import", "Vpc adopted"],
    ]);
    expect(await preview()).toEqual([]);
    variation.extra = undefined;
  });

  it.each<[string, NonNullable<Variation["only"]>, string]>([
    [
      "a property",
      () =>
        new aws.ec2.Subnet("odd", {
          vpcId: "vpc-1",
          cidrBlock: "10.7.9.0/24",
          outpostArn: "arn:x",
        }),
      'does not know the property "outpostArn" of aws:ec2/subnet:Subnet',
    ],
    [
      "a type",
      () => new aws.ec2.KeyPair("odd", { publicKey: "x" }),
      'does not know the resource type "aws:ec2/keyPair:KeyPair"',
    ],
  ])("rejects unknown %s by name", async (_, only, complaint) => {
    variation.only = only;
    const output: string[] = [];
    const onOutput = (text: string) => output.push(text);
    await expect(stack.preview({ onOutput, onError: onOutput })).rejects.toThrow();
    expect(output.join("")).toContain(complaint);
    variation.only = undefined;
  });

  it("replaces a whole network in an order AWS allows", async () => {
    variation.vpcCidr = "10.8.0.0/16";
    const steps = await up();
    expect(steps.some(({ op, resource }) => op === "replace" && resource === "Vpc net")).toBe(true);
    expect(await preview()).toEqual([]);
  });

  it("destroys everything", async () => {
    await stack.destroy();
    expect(await vpcIds()).toEqual([]);
    const state: { deployment: { resources?: unknown[] } } = await stack.exportStack();
    expect(state.deployment.resources ?? []).toEqual([]);
  });

  /** The one instance of this world that isn't gone. */
  async function liveInstance() {
    const { Reservations = [] } = await ec2.send(
      new DescribeInstancesCommand({
        Filters: [{ Name: "instance-state-name", Values: ["pending", "running", "stopped"] }],
      }),
    );
    const [instance, ...others] = Reservations.flatMap(({ Instances = [] }) => Instances);
    expect(others).toEqual([]);
    return instance;
  }

  async function vpcIds(): Promise<string[]> {
    const { Vpcs = [] } = await ec2.send(new DescribeVpcsCommand({}));
    return Vpcs.flatMap(({ VpcId = "", IsDefault }) => (IsDefault === true ? [] : [VpcId]));
  }
});
