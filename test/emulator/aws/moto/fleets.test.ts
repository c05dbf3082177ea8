import {
  CreateFleetCommand,
  CreateLaunchTemplateCommand,
  CreateSecurityGroupCommand,
  type DefaultTargetCapacityType,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import {
  CreateInstanceProfileCommand,
  IAMClient,
  ListInstanceProfilesCommand,
} from "@aws-sdk/client-iam";
import { talosImages } from "../../../../emulator/aws/amis";
import { REGION, startSubstituteWorld, type SubstituteWorld } from "../plugin/substituteWorld";

const ImageId = talosImages().find(({ name }) => name === `talos-v1.12.1-${REGION}-amd64`)?.ami_id;
const userData = "version: v1alpha1\n";

// What Karpenter asks AWS, and no other does.
describe("fleets, profiles and queues of the emulated AWS", () => {
  let world: SubstituteWorld;
  let ec2: EC2Client;
  let iam: IAMClient;
  let subnetId: string;
  let groupId: string;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    ec2 = new EC2Client(world.clientSettings);
    iam = new IAMClient(world.clientSettings);
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    subnetId = Subnets[0]?.SubnetId ?? "";
    const VpcId = Subnets[0]?.VpcId;
    const group = { GroupName: "workers", Description: "workers", VpcId };
    const { GroupId = "" } = await ec2.send(new CreateSecurityGroupCommand(group));
    groupId = GroupId;
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: "workers" }));
    await ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: "karpenter.k8s.aws/1",
        LaunchTemplateData: {
          ImageId,
          UserData: Buffer.from(userData).toString("base64"),
          IamInstanceProfile: { Name: "workers" },
          MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 1 },
          NetworkInterfaces: [
            { DeviceIndex: 0, AssociatePublicIpAddress: true, Groups: [groupId] },
          ],
          BlockDeviceMappings: [
            { DeviceName: "/dev/xvda", Ebs: { VolumeSize: 40, VolumeType: "gp3" } },
          ],
        },
      }),
    );
  });

  afterAll(async () => {
    ec2.destroy();
    iam.destroy();
    await world.close();
  });

  const launch = async (kind: DefaultTargetCapacityType) => {
    const Tags = [{ Key: "karpenter.sh/nodepool", Value: kind }];
    const { Instances: made = [] } = await ec2.send(
      new CreateFleetCommand({
        Type: "instant",
        LaunchTemplateConfigs: [
          {
            LaunchTemplateSpecification: {
              LaunchTemplateName: "karpenter.k8s.aws/1",
              Version: "$Latest",
            },
            Overrides: [{ InstanceType: "m6i.large", SubnetId: subnetId }],
          },
        ],
        TargetCapacitySpecification: { DefaultTargetCapacityType: kind, TotalTargetCapacity: 1 },
        TagSpecifications: [
          { ResourceType: "instance", Tags },
          { ResourceType: "volume", Tags },
        ],
      }),
    );
    expect(made).toMatchObject([
      { Lifecycle: kind, LaunchTemplateAndOverrides: { Overrides: { SubnetId: subnetId } } },
    ]);
    const InstanceIds = made[0]?.InstanceIds ?? [];
    const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds }));
    return Reservations?.[0]?.Instances?.[0];
  };

  it.each(["on-demand", "spot"] as const)(
    "launch an %s machine with all that its launch template says",
    async (kind) => {
      const machine = await launch(kind);
      const { InstanceId = "" } = machine ?? {};
      expect(machine).toMatchObject({
        ImageId,
        InstanceType: "m6i.large",
        SubnetId: subnetId,
        SecurityGroups: [{ GroupId: groupId }],
        IamInstanceProfile: { Arn: "arn:aws:iam::123456789012:instance-profile/workers" },
        MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 1 },
      });
      expect(machine?.InstanceLifecycle).toBe(kind === "spot" ? "spot" : undefined);
      expect(machine?.PublicIpAddress).toMatch(/^127\./);
      const tag = { Key: "karpenter.sh/nodepool", Value: kind };
      expect(machine?.Tags).toContainEqual(tag);
      const { UserData } = await ec2.send(
        new DescribeInstanceAttributeCommand({ InstanceId, Attribute: "userData" }),
      );
      expect(Buffer.from(UserData?.Value ?? "", "base64").toString()).toBe(userData);
      const Filters = [{ Name: "attachment.instance-id", Values: [InstanceId] }];
      const { Volumes } = await ec2.send(new DescribeVolumesCommand({ Filters }));
      expect(Volumes).toMatchObject([{ Size: 40, VolumeType: "gp3" }]);
      expect(Volumes?.[0]?.Tags).toContainEqual(tag);
    },
  );

  it("list the instance profiles of a path alone", async () => {
    await iam.send(
      new CreateInstanceProfileCommand({ InstanceProfileName: "own", Path: "/karpenter/prod/" }),
    );
    const listed = async (PathPrefix: string) => {
      const command = new ListInstanceProfilesCommand({ PathPrefix });
      const { InstanceProfiles = [] } = await iam.send(command);
      return InstanceProfiles.map(({ InstanceProfileName }) => InstanceProfileName);
    };
    expect(await listed("/karpenter/prod/")).toEqual(["own"]);
    expect(await listed("/")).toEqual(["workers", "own"]);
  });

  it("answer other calls while one waits for messages", async () => {
    const { endpoint } = world.clientSettings;
    const ask = async (action: string, body: object) => {
      const scope = `emulator/20260101/${REGION}/sqs/aws4_request`;
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: {
          "content-type": "application/x-amz-json-1.0",
          "x-amz-target": `AmazonSQS.${action}`,
          authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
        },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { readonly QueueUrl?: string };
    };
    const { QueueUrl } = await ask("CreateQueue", { QueueName: "interruptions" });
    const polled = ask("ReceiveMessage", { QueueUrl, WaitTimeSeconds: 20 });
    const begun = Date.now();
    await ec2.send(new DescribeSubnetsCommand({}));
    expect(await polled).not.toHaveProperty("Messages");
    expect(Date.now() - begun).toBeLessThan(15_000);
  });
});
