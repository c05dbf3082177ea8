import {
  AutoScalingClient,
  CreateAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
  PutLifecycleHookCommand,
} from "@aws-sdk/client-auto-scaling";
import {
  CreateLaunchTemplateCommand,
  CreateSubnetCommand,
  CreateVolumeCommand,
  CreateVpcCommand,
  CreateVpcEndpointCommand,
  DescribeImagesCommand,
  DescribeVolumesCommand,
  DescribeVolumesModificationsCommand,
  EC2Client,
  ModifyVolumeCommand,
  RegisterImageCommand,
} from "@aws-sdk/client-ec2";
import {
  CreateLoadBalancerCommand,
  DescribeLoadBalancerAttributesCommand,
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import { CreateBucketCommand, GetBucketTaggingCommand, S3Client } from "@aws-sdk/client-s3";
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  RequestServiceQuotaIncreaseCommand,
  ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import { REGION, startSubstituteWorld, type SubstituteWorld } from "../plugin/substituteWorld";

/** What the provider 6.58 asks for, where moto answers less than AWS. */
describe("what the real AWS plugin asks the emulated cloud for", () => {
  let world: SubstituteWorld;
  const clients: { destroy(): void }[] = [];

  function client<T extends { destroy(): void }>(
    Client: new (settings: SubstituteWorld["clientSettings"]) => T,
  ): T {
    const made = new Client(world.clientSettings);
    clients.push(made);
    return made;
  }

  beforeAll(async () => {
    world = await startSubstituteWorld();
  });

  afterAll(async () => {
    clients.forEach((each) => each.destroy());
    await world.close();
  });

  it("default quotas, which it asks for before the account's own", async () => {
    const quotas = client(ServiceQuotasClient);
    const quota = { ServiceCode: "ec2", QuotaCode: "L-1216C47A" };
    await expect(quotas.send(new GetAWSDefaultServiceQuotaCommand(quota))).rejects.toMatchObject({
      name: "NoSuchResourceException",
      $metadata: expect.objectContaining({ httpStatusCode: 400, attempts: 1 }) as unknown,
    });
    await quotas.send(new RequestServiceQuotaIncreaseCommand({ ...quota, DesiredValue: 64 }));
    const told = await quotas.send(new GetAWSDefaultServiceQuotaCommand(quota));
    expect(told.Quota).toMatchObject({ ...quota, Value: 64 });
    expect((await quotas.send(new GetServiceQuotaCommand(quota))).Quota?.Value).toBe(64);
  });

  it("a bucket made with its tags, also outside of us-east-1", async () => {
    const tags = [{ Key: "Name", Value: "state" }];
    for (const region of [REGION, "eu-central-1"] as const) {
      const s3 = new S3Client({ ...world.clientSettings, region, forcePathStyle: true });
      clients.push(s3);
      const Bucket = `tagged-${region}`;
      await s3.send(
        new CreateBucketCommand({
          Bucket,
          CreateBucketConfiguration: {
            Tags: tags,
            ...(region === "eu-central-1" && { LocationConstraint: region }),
          },
        }),
      );
      expect((await s3.send(new GetBucketTaggingCommand({ Bucket }))).TagSet).toEqual(tags);
      const scope = `x/20260101/${region}/s3/aws4_request`;
      const answer = await fetch(
        `${world.clientSettings.endpoint}/v20180820/tags/${encodeURIComponent(`arn:aws:s3:::${Bucket}`)}`,
        {
          headers: {
            authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
            "x-amz-account-id": "123456789012",
          },
        },
      );
      expect(await answer.text()).toContain("<Key>Name</Key><Value>state</Value>");
    }
  });

  it("a registered image's kind of network", async () => {
    const ec2 = client(EC2Client);
    const registered = await Promise.all(
      ["simple", undefined].map((SriovNetSupport, index) =>
        ec2.send(new RegisterImageCommand({ Name: `own-${index}`, SriovNetSupport })),
      ),
    );
    const { Images } = await ec2.send(
      new DescribeImagesCommand({ ImageIds: registered.map(({ ImageId }) => ImageId ?? "") }),
    );
    expect(Images?.map(({ Name, SriovNetSupport }) => [Name, SriovNetSupport]).sort()).toEqual([
      ["own-0", "simple"],
      ["own-1", undefined],
    ]);
  });

  it("a lifecycle hook that notifies no one, and a group's default reservations", async () => {
    const scaling = client(AutoScalingClient);
    const AutoScalingGroupName = "pool";
    const LaunchTemplateName = "pool";
    await client(EC2Client).send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName,
        LaunchTemplateData: { InstanceType: "m6i.large" },
      }),
    );
    await scaling.send(
      new CreateAutoScalingGroupCommand({
        AutoScalingGroupName,
        LaunchTemplate: { LaunchTemplateName },
        AvailabilityZones: [`${REGION}a`],
        MinSize: 0,
        MaxSize: 0,
      }),
    );
    await scaling.send(
      new PutLifecycleHookCommand({
        AutoScalingGroupName,
        LifecycleHookName: "drain",
        LifecycleTransition: "autoscaling:EC2_INSTANCE_TERMINATING",
      }),
    );
    const { LifecycleHooks } = await scaling.send(
      new DescribeLifecycleHooksCommand({ AutoScalingGroupName }),
    );
    expect(LifecycleHooks?.[0]).not.toHaveProperty("RoleARN");
    expect(LifecycleHooks?.[0]).not.toHaveProperty("NotificationTargetARN");
    const { AutoScalingGroups } = await scaling.send(
      new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [AutoScalingGroupName] }),
    );
    expect(AutoScalingGroups?.[0]?.CapacityReservationSpecification).toEqual({
      CapacityReservationPreference: "default",
    });
  });

  it("the last change of a volume, with what it leaves alone", async () => {
    const ec2 = client(EC2Client);
    const { VolumeId = "" } = await ec2.send(
      new CreateVolumeCommand({ AvailabilityZone: `${REGION}a`, Size: 10, VolumeType: "gp3" }),
    );
    await ec2.send(new ModifyVolumeCommand({ VolumeId, Size: 12 }));
    await ec2.send(new ModifyVolumeCommand({ VolumeId, Iops: 4000, Throughput: 250 }));
    const { VolumesModifications } = await ec2.send(
      new DescribeVolumesModificationsCommand({ VolumeIds: [VolumeId] }),
    );
    expect(VolumesModifications).toEqual([
      expect.objectContaining({
        ModificationState: "completed",
        OriginalSize: 12,
        TargetSize: 12,
        TargetVolumeType: "gp3",
        TargetIops: 4000,
        TargetThroughput: 250,
      }),
    ]);
    const { Volumes } = await ec2.send(new DescribeVolumesCommand({ VolumeIds: [VolumeId] }));
    expect(Volumes?.[0]).toMatchObject({ Size: 12, Iops: 4000, Throughput: 250 });
  });

  it("a classic load balancer's check and attributes", async () => {
    const balancing = client(ElasticLoadBalancingClient);
    const LoadBalancerName = "classic";
    await balancing.send(
      new CreateLoadBalancerCommand({
        LoadBalancerName,
        AvailabilityZones: [`${REGION}a`],
        Listeners: [{ Protocol: "TCP", LoadBalancerPort: 80, InstancePort: 30080 }],
      }),
    );
    const { LoadBalancerDescriptions } = await balancing.send(
      new DescribeLoadBalancersCommand({ LoadBalancerNames: [LoadBalancerName] }),
    );
    expect(LoadBalancerDescriptions?.[0]?.HealthCheck).toEqual({
      Target: "TCP:30080",
      Interval: 30,
      Timeout: 5,
      HealthyThreshold: 10,
      UnhealthyThreshold: 2,
    });
    const { LoadBalancerAttributes } = await balancing.send(
      new DescribeLoadBalancerAttributesCommand({ LoadBalancerName }),
    );
    expect(LoadBalancerAttributes).toMatchObject({
      CrossZoneLoadBalancing: { Enabled: false },
      ConnectionDraining: { Enabled: false },
      ConnectionSettings: { IdleTimeout: 60 },
      AccessLog: { Enabled: false },
    });
  });

  it("the kind of names of a VPC endpoint", async () => {
    const ec2 = client(EC2Client);
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.0.0.0/16" }));
    const VpcId = Vpc?.VpcId ?? "";
    const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock: "10.0.0.0/24" }));
    const endpoint = async (VpcEndpointType: "Gateway" | "Interface", service: string) => {
      const made = await ec2.send(
        new CreateVpcEndpointCommand({
          VpcId,
          VpcEndpointType,
          ServiceName: `com.amazonaws.${REGION}.${service}`,
          ...(VpcEndpointType === "Interface" && {
            SubnetIds: [Subnet?.SubnetId ?? ""],
            PrivateDnsEnabled: false,
          }),
        }),
      );
      return made.VpcEndpoint;
    };
    expect(await endpoint("Gateway", "s3")).toMatchObject({
      IpAddressType: "ipv4",
      DnsOptions: { DnsRecordIpType: "service-defined" },
    });
    expect(await endpoint("Interface", "sts")).toMatchObject({
      IpAddressType: "ipv4",
      DnsOptions: { DnsRecordIpType: "ipv4" },
    });
  });
});
