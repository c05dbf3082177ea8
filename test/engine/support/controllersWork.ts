import {
  AttachVolumeCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateSnapshotCommand,
  CreateVolumeCommand,
  DescribeInstancesCommand,
  type EC2Client,
  type ResourceType,
  RunInstancesCommand,
} from "@aws-sdk/client-ec2";
import {
  CreateLoadBalancerCommand as CreateClassicCommand,
  type ElasticLoadBalancingClient,
} from "@aws-sdk/client-elastic-load-balancing";
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  type ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";

/** By which controllers make things. */
export interface ControllersAccount {
  readonly ec2: EC2Client;
  readonly classicBalancing: ElasticLoadBalancingClient;
  readonly loadBalancing: ElasticLoadBalancingV2Client;
}

/** The cluster that controllers work for, and where. */
export interface ControllersPlace {
  readonly cluster: string;
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  /** The machines' security group. */
  readonly machineGroupId: string;
}

/** Where a cluster's machines are, by its tag. */
export async function placeOf(
  { ec2 }: Pick<ControllersAccount, "ec2">,
  cluster: string,
): Promise<ControllersPlace & { readonly machineIds: readonly string[] }> {
  const Filters = [
    { Name: `tag:kubernetes.io/cluster/${cluster}`, Values: ["owned"] },
    { Name: "instance-state-name", Values: ["running"] },
  ];
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
  const machines = Reservations.flatMap(({ Instances = [] }) => Instances);
  const [first] = machines;
  return {
    cluster,
    vpcId: first?.VpcId ?? "",
    subnetIds: [first?.SubnetId ?? ""],
    machineGroupId: first?.SecurityGroups?.[0]?.GroupId ?? "",
    machineIds: machines.map(({ InstanceId = "" }) => InstanceId),
  };
}

const tagList = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

const specifications = (ResourceType: ResourceType, tags: Readonly<Record<string, string>>) => [
  { ResourceType, Tags: tagList(tags) },
];

/**
 * Makes what the AWS cloud controller makes for a service without annotations: a classic load balancer, its
 * group, and a rule for that in the machines' group.
 */
export async function makeClassicService(
  { ec2, classicBalancing }: ControllersAccount,
  { cluster, vpcId, subnetIds, machineGroupId }: ControllersPlace,
  name: string,
): Promise<{ readonly groupId: string }> {
  const tags = { [`kubernetes.io/cluster/${cluster}`]: "owned" };
  const { GroupId = "" } = await ec2.send(
    new CreateSecurityGroupCommand({
      GroupName: `k8s-elb-${name}`,
      Description: `Security group for Kubernetes ELB ${name} (default/web)`,
      VpcId: vpcId,
      TagSpecifications: specifications("security-group", tags),
    }),
  );
  await ec2.send(
    new AuthorizeSecurityGroupIngressCommand({
      GroupId: machineGroupId,
      IpPermissions: [{ IpProtocol: "-1", UserIdGroupPairs: [{ GroupId }] }],
    }),
  );
  await classicBalancing.send(
    new CreateClassicCommand({
      LoadBalancerName: name,
      Listeners: [{ Protocol: "TCP", LoadBalancerPort: 80, InstancePort: 30080 }],
      Subnets: [...subnetIds],
      SecurityGroups: [GroupId],
      Tags: tagList({ ...tags, "kubernetes.io/service-name": "default/web" }),
    }),
  );
  return { groupId: GroupId };
}

/** Makes what the AWS load balancer controller makes for an ingress: a load balancer, its group and targets. */
export async function makeIngress(
  { ec2, loadBalancing }: ControllersAccount,
  { cluster, vpcId, subnetIds, machineGroupId }: ControllersPlace,
  name: string,
): Promise<void> {
  const tags = { "elbv2.k8s.aws/cluster": cluster, "ingress.k8s.aws/stack": "shop/front" };
  const { GroupId = "" } = await ec2.send(
    new CreateSecurityGroupCommand({
      GroupName: name,
      Description: "[k8s] Managed SecurityGroup for LoadBalancer",
      VpcId: vpcId,
      TagSpecifications: specifications("security-group", tags),
    }),
  );
  await ec2.send(
    new AuthorizeSecurityGroupIngressCommand({
      GroupId: machineGroupId,
      IpPermissions: [
        { IpProtocol: "tcp", FromPort: 1, ToPort: 65535, UserIdGroupPairs: [{ GroupId }] },
      ],
    }),
  );
  const { LoadBalancers } = await loadBalancing.send(
    new CreateLoadBalancerCommand({
      Name: name,
      Type: "application",
      Subnets: [...subnetIds],
      SecurityGroups: [GroupId],
      Tags: tagList(tags),
    }),
  );
  const { TargetGroups } = await loadBalancing.send(
    new CreateTargetGroupCommand({
      Name: `${name}-tg`,
      Protocol: "HTTP",
      Port: 80,
      VpcId: vpcId,
      Tags: tagList(tags),
    }),
  );
  await loadBalancing.send(
    new CreateListenerCommand({
      LoadBalancerArn: LoadBalancers?.[0]?.LoadBalancerArn,
      Protocol: "HTTP",
      Port: 80,
      DefaultActions: [{ Type: "forward", TargetGroupArn: TargetGroups?.[0]?.TargetGroupArn }],
    }),
  );
}

/** Launches a machine as Karpenter does. */
export async function launchMachine(
  { ec2 }: ControllersAccount,
  { cluster, subnetIds, machineGroupId }: ControllersPlace,
  ImageId: string,
): Promise<string> {
  const tags = {
    [`kubernetes.io/cluster/${cluster}`]: "owned",
    "karpenter.sh/nodepool": "default",
  };
  const { Instances } = await ec2.send(
    new RunInstancesCommand({
      ImageId,
      InstanceType: "m6i.large",
      MinCount: 1,
      MaxCount: 1,
      SubnetId: subnetIds[0],
      SecurityGroupIds: [machineGroupId],
      TagSpecifications: specifications("instance", tags),
    }),
  );
  return Instances?.[0]?.InstanceId ?? "";
}

/** Makes what the EBS CSI driver makes for a claim. */
export async function makeVolume(
  { ec2 }: ControllersAccount,
  zone: string,
  claim: string,
  {
    cluster,
    machineId,
    withSnapshot = false,
  }: {
    /** What the driver was told of the cluster's name. Default: nothing. */
    readonly cluster?: string;
    readonly machineId?: string;
    readonly withSnapshot?: boolean;
  } = {},
): Promise<string> {
  const named = cluster === undefined ? {} : { [`kubernetes.io/cluster/${cluster}`]: "owned" };
  const tags = { "ebs.csi.aws.com/cluster": "true", ...named };
  const { VolumeId = "" } = await ec2.send(
    new CreateVolumeCommand({
      AvailabilityZone: zone,
      Size: 20,
      VolumeType: "gp3",
      TagSpecifications: specifications("volume", {
        ...tags,
        CSIVolumeName: `pvc-${claim}`,
        "kubernetes.io/created-for/pvc/name": claim,
        "kubernetes.io/created-for/pvc/namespace": "default",
      }),
    }),
  );
  if (machineId !== undefined) {
    await ec2.send(
      new AttachVolumeCommand({ VolumeId, InstanceId: machineId, Device: "/dev/xvdba" }),
    );
  }
  if (withSnapshot) {
    await ec2.send(
      new CreateSnapshotCommand({
        VolumeId,
        TagSpecifications: specifications("snapshot", {
          ...tags,
          CSIVolumeSnapshotName: `snapcontent-${claim}`,
        }),
      }),
    );
  }
  return VolumeId;
}
