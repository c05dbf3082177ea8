import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
} from "@aws-sdk/client-auto-scaling";
import {
  CreateLaunchTemplateCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  EC2Client,
  RunInstancesCommand,
  StopInstancesCommand,
} from "@aws-sdk/client-ec2";
import { accountOfStack, type AwsAccount } from "../../../cli/machineRepair/awsAccount";
import { type InstanceFacts, readInstances } from "../../../cli/machineRepair/readInstances";
import { callUnhealthy, readScalingGroups } from "../../../cli/machineRepair/scalingGroups";
import { type Emulator, startEmulator } from "../../../emulator";
import { talosImages } from "../../../emulator/aws/amis";
import { eventually } from "../../emulator/support/eventually";

const GROUP = "batch-us-east-1a";
const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
const ImageId = talosImages().find(({ name }) => name === "talos-v1.12.1-us-east-1-amd64")?.ami_id;

/** A state with one machine, whose provider has keys of its own. */
const provider = "urn:pulumi:s::p::pulumi:providers:aws::own";
const resources = [
  { urn: provider, type: "pulumi:providers:aws", inputs: { accessKey: "k", secretKey: "s" } },
  {
    urn: "urn:pulumi:s::p::aws:ec2/instance:Instance::m",
    type: "aws:ec2/instance:Instance",
    provider: `${provider}::id`,
    outputs: { arn: "arn:aws:ec2:us-east-1:123456789012:instance/i-0123456789abcdef0" },
  },
];

describe("what AWS says of machines", () => {
  let emulator: Emulator;
  let ec2: EC2Client;
  let groups: AutoScalingClient;
  let aws: AwsAccount;
  let subnetId: string;
  let instanceId: string;
  const nobody = () => Promise.reject(new Error("the state is not exported again"));
  const read = async (): Promise<InstanceFacts | undefined> =>
    (await readInstances(aws, [instanceId, "i-0000000000000000a"]))[0];
  const idsInGroup = async () => {
    const { AutoScalingGroups = [] } = await groups.send(new DescribeAutoScalingGroupsCommand({}));
    return (AutoScalingGroups[0]?.Instances ?? []).map(({ InstanceId = "" }) => InstanceId);
  };

  beforeAll(async () => {
    emulator = await startEmulator({ timings: { bootMs: 0, rebootMs: 0, joinMs: 0 } });
    vi.stubEnv("AWS_ENDPOINT_URL", emulator.url);
    const settings = { region: "us-east-1", endpoint: emulator.url, credentials };
    ec2 = new EC2Client(settings);
    groups = new AutoScalingClient(settings);
    const stack = { name: "s", exportStack: nobody };
    aws = await accountOfStack(stack, resources, new AbortController().signal);
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.0.0.0/16" }));
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId: Vpc?.VpcId ?? "",
        CidrBlock: "10.0.0.0/24",
        AvailabilityZone: "us-east-1a",
      }),
    );
    subnetId = Subnet?.SubnetId ?? "";
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ImageId,
        InstanceType: "t3.small",
        MinCount: 1,
        MaxCount: 1,
        SubnetId: subnetId,
      }),
    );
    instanceId = Instances?.[0]?.InstanceId ?? "";
    await eventually(() => expect(emulator.nodes()).toHaveLength(1));
  });

  afterAll(async () => {
    ec2.destroy();
    groups.destroy();
    await emulator.stop();
    vi.unstubAllEnvs();
    expect(emulator.violations()).toEqual([]);
  });

  it("is nothing of a machine that passes, and nothing of one that AWS doesn't have", async () => {
    expect(await readInstances(aws, [])).toEqual([]);
    const found = await eventually(() => readInstances(aws, [instanceId, "i-0000000000000000a"]));
    expect(found).toEqual([
      {
        instanceId,
        state: "running",
        zone: "us-east-1a",
        impairments: [],
        privateAddress: expect.stringMatching(/^10\.0\.0\./) as string,
        launchedAt: expect.any(Date) as Date,
        scheduledEnd: undefined,
      },
    ]);
  });

  it.each(["instance", "system", "volumes"])("is which check fails, since when: %s", async (of) => {
    const fault = await emulator.faults.inject({
      kind: "failedCheck",
      machine: instanceId,
      parameters: { check: of, sinceMs: 60_000 },
    });
    await eventually(async () => {
      const [found, ...more] = (await read())?.impairments ?? [];
      expect([found?.of, more]).toEqual([of, []]);
      expect(Date.now() - (found?.since?.getTime() ?? 0)).toBeGreaterThanOrEqual(59_000);
    });
    await fault.lift();
    await eventually(async () => expect((await read())?.impairments).toEqual([]));
  });

  it.each([
    ["retirement", "instance-retirement"],
    ["stop", "instance-stop"],
  ])("is that its end is scheduled: %s", async (check, code) => {
    const fault = await emulator.faults.inject({
      kind: "failedCheck",
      machine: instanceId,
      parameters: { check },
    });
    await eventually(async () => expect((await read())?.scheduledEnd?.code).toBe(code));
    await fault.lift();
    await eventually(async () => expect((await read())?.scheduledEnd).toBeUndefined());
  });

  it("refuses a check that EC2 doesn't have", async () => {
    const request = {
      kind: "failedCheck" as const,
      machine: instanceId,
      parameters: { check: "disk" },
    };
    await expect(emulator.faults.inject(request)).rejects.toThrow(
      'check is "disk", and must be one of instance, system, volumes, retirement, stop',
    );
  });

  it("is the state of a machine that somebody has stopped", async () => {
    await ec2.send(new StopInstancesCommand({ InstanceIds: [instanceId] }));
    await eventually(async () => expect((await read())?.state).toBe("stopped"));
  });

  it("is what a group has, and what of it is suspended", async () => {
    await ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: "batch",
        LaunchTemplateData: { ImageId, InstanceType: "t3.small" },
      }),
    );
    await groups.send(
      new CreateAutoScalingGroupCommand({
        AutoScalingGroupName: GROUP,
        MinSize: 2,
        MaxSize: 2,
        VPCZoneIdentifier: subnetId,
        LaunchTemplate: { LaunchTemplateName: "batch", Version: "1" },
        HealthCheckType: "EBS",
      }),
    );
    const processes = { AutoScalingGroupName: GROUP, ScalingProcesses: ["Terminate"] };
    await groups.send(new SuspendProcessesCommand(processes));
    const [found, ...more] = await readScalingGroups(aws, [GROUP, "none-such"]);
    expect(more).toEqual([]);
    const ids = await idsInGroup();
    expect(found).toEqual({
      name: GROUP,
      suspended: ["Terminate"],
      isRefreshing: false,
      missing: 0,
      machines: ids.map((instanceId) => ({
        instanceId,
        zone: "us-east-1a",
        lifecycleState: "InService",
        isHealthyToGroup: true,
      })),
    });
    await groups.send(new ResumeProcessesCommand(processes));
  });

  it("has a group replace a machine that is called unhealthy, and no other", async () => {
    const [first = "", second = ""] = await idsInGroup();
    await callUnhealthy(aws, first);
    await eventually(async () => {
      const now = await idsInGroup();
      expect(now).toHaveLength(2);
      expect(now).toContain(second);
      expect(now).not.toContain(first);
    });
  });

  it.each(["instance", "system", "volumes"])(
    "has a group replace a machine by itself that fails a check: %s",
    async (check) => {
      await eventually(() => expect(emulator.nodes()).toHaveLength(2));
      const [first = ""] = await idsInGroup();
      await emulator.faults.inject({
        kind: "failedCheck",
        machine: first,
        parameters: { check },
      });
      await eventually(async () => {
        const now = await idsInGroup();
        expect(now).toHaveLength(2);
        expect(now).not.toContain(first);
      });
    },
  );

  it("names the permission that is missing", async () => {
    const question = aws.ask("ec2", { Action: "DescribeNothing", Version: "2016-11-15" });
    await expect(question).rejects.toThrow(
      /^AWS refuses a question about machines: .*It needs the permission ec2:DescribeNothing$/,
    );
  });

  it("can't be asked where the state has no machine", async () => {
    const opened = accountOfStack(
      { name: "s", exportStack: nobody },
      [],
      new AbortController().signal,
    );
    await expect(opened).rejects.toThrow('the state of "s" has no machine of EC2');
  });
});
