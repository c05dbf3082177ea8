import {
  AuthorizeSecurityGroupIngressCommand,
  CreateLaunchTemplateCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  DisassociateSubnetCidrBlockCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import {
  CreateHostedZoneCommand,
  GetHostedZoneCommand,
  Route53Client,
} from "@aws-sdk/client-route-53";
import {
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { REGION, startSubstituteWorld, type SubstituteWorld } from "../plugin/substituteWorld";

describe("networks, templates, zones and buckets of the emulated AWS", () => {
  let world: SubstituteWorld;
  let ec2: EC2Client;
  let vpcId: string;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    ec2 = new EC2Client(world.clientSettings);
    const { Vpc } = await ec2.send(
      new CreateVpcCommand({ CidrBlock: "10.0.0.0/16", AmazonProvidedIpv6CidrBlock: true }),
    );
    vpcId = Vpc?.VpcId ?? "";
  });

  afterAll(async () => {
    ec2.destroy();
    await world.close();
  });

  async function makeGroup(GroupName: string): Promise<string> {
    const { GroupId } = await ec2.send(
      new CreateSecurityGroupCommand({ GroupName, Description: GroupName, VpcId: vpcId }),
    );
    return GroupId ?? "";
  }

  it("keep the description of a rule whose source is a group", async () => {
    const [from, to] = [await makeGroup("from"), await makeGroup("to")];
    const { SecurityGroupRules } = await ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: to,
        IpPermissions: [
          {
            IpProtocol: "tcp",
            FromPort: 1,
            ToPort: 2,
            UserIdGroupPairs: [{ GroupId: from, Description: "from the others" }],
          },
        ],
      }),
    );
    const id = SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? "";
    const told = await ec2.send(
      new DescribeSecurityGroupRulesCommand({ SecurityGroupRuleIds: [id] }),
    );
    expect(told.SecurityGroupRules?.[0]).toMatchObject({
      Description: "from the others",
      ReferencedGroupInfo: { GroupId: from },
    });
  });

  it.each(["4", "47"])("accept a rule of the protocol %s, which has no ports", async (protocol) => {
    const GroupId = await makeGroup(`protocol-${protocol}`);
    const { SecurityGroupRules } = await ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId,
        IpPermissions: [{ IpProtocol: protocol, IpRanges: [{ CidrIp: "10.0.0.0/16" }] }],
      }),
    );
    const id = SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? "";
    const told = await ec2.send(
      new DescribeSecurityGroupRulesCommand({
        Filters: [{ Name: "security-group-rule-id", Values: [id] }],
      }),
    );
    expect(told.SecurityGroupRules).toMatchObject([
      { SecurityGroupRuleId: id, IpProtocol: protocol, FromPort: -1, ToPort: -1 },
    ]);
  });

  it("give no group a name that looks like an id", async () => {
    await expect(makeGroup("sg-main")).rejects.toThrow(/may not be in the format sg-/);
  });

  it("keep a launch template's own tags off the instances", async () => {
    const { LaunchTemplate } = await ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: "tagged",
        LaunchTemplateData: {
          TagSpecifications: [{ ResourceType: "instance", Tags: [{ Key: "a", Value: "1" }] }],
        },
        TagSpecifications: [{ ResourceType: "launch-template", Tags: [{ Key: "b", Value: "2" }] }],
      }),
    );
    expect(LaunchTemplate?.Tags).toEqual([{ Key: "b", Value: "2" }]);
    const { LaunchTemplateVersions } = await ec2.send(
      new DescribeLaunchTemplateVersionsCommand({
        LaunchTemplateId: LaunchTemplate?.LaunchTemplateId,
      }),
    );
    const data = LaunchTemplateVersions?.[0]?.LaunchTemplateData;
    expect(data?.TagSpecifications?.map(({ ResourceType }) => ResourceType)).toEqual(["instance"]);
  });

  it("show the state of a subnet's IPv6 range", async () => {
    const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [vpcId] }));
    const range = Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? "";
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId: vpcId,
        CidrBlock: "10.0.0.0/24",
        Ipv6CidrBlock: range.replace("/56", "/64"),
      }),
    );
    const associations = async () => {
      const { Subnets } = await ec2.send(
        new DescribeSubnetsCommand({ SubnetIds: [Subnet?.SubnetId ?? ""] }),
      );
      return Subnets?.[0]?.Ipv6CidrBlockAssociationSet ?? [];
    };
    const [association] = await associations();
    expect(association?.Ipv6CidrBlockState?.State).toBe("associated");
    const AssociationId = association?.AssociationId;
    await ec2.send(new DisassociateSubnetCidrBlockCommand({ AssociationId }));
    const live = (await associations()).filter(
      ({ Ipv6CidrBlockState: state }) => state?.State === "associated",
    );
    expect(live).toEqual([]);
  });

  it("make a zone private if it is created with a network", async () => {
    const route53 = new Route53Client(world.clientSettings);
    const { HostedZone } = await route53.send(
      new CreateHostedZoneCommand({
        Name: "inside.example",
        CallerReference: "1",
        VPC: { VPCId: vpcId, VPCRegion: REGION },
      }),
    );
    const told = await route53.send(new GetHostedZoneCommand({ Id: HostedZone?.Id }));
    expect(told.HostedZone?.Config?.PrivateZone).toBe(true);
    expect(told.VPCs).toEqual([{ VPCId: vpcId, VPCRegion: REGION }]);
    route53.destroy();
  });

  it("remember how many versions of an object a bucket keeps", async () => {
    const s3 = new S3Client({ ...world.clientSettings, forcePathStyle: true });
    const Bucket = "versions";
    await s3.send(new CreateBucketCommand({ Bucket }));
    const NoncurrentVersionExpiration = { NoncurrentDays: 3, NewerNoncurrentVersions: 5 };
    await s3.send(
      new PutBucketLifecycleConfigurationCommand({
        Bucket,
        LifecycleConfiguration: {
          Rules: [
            { ID: "old", Status: "Enabled", Filter: { Prefix: "" }, NoncurrentVersionExpiration },
            {
              ID: "all",
              Status: "Enabled",
              Filter: { Prefix: "a" },
              NoncurrentVersionExpiration: { NoncurrentDays: 4 },
            },
          ],
        },
      }),
    );
    const { Rules } = await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect(Rules?.map((rule) => rule.NoncurrentVersionExpiration)).toEqual([
      NoncurrentVersionExpiration,
      { NoncurrentDays: 4 },
    ]);
    s3.destroy();
  });
});
