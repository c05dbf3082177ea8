import { type ChildArgs, TalosCluster } from "../../components";
import { resourceKinds } from "../../emulator/aws/plugin/resources/resourceKinds";
import { fullestCluster } from "./fullestCluster";
import { build, type Graph, type Registered } from "./mockedGraph";

/** Every kind of resource that `transformChild` has the arguments of, Talos resources as dynamic ones. */
const TRANSFORMABLE: Record<Exclude<keyof ChildArgs, `talos-aws:${string}`>, true> = {
  "aws:autoscaling/group:Group": true,
  "aws:autoscaling/lifecycleHook:LifecycleHook": true,
  "aws:cloudwatch/logGroup:LogGroup": true,
  "aws:ebs/snapshotImport:SnapshotImport": true,
  "aws:ebs/volume:Volume": true,
  "aws:ec2/ami:Ami": true,
  "aws:ec2/amiCopy:AmiCopy": true,
  "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway": true,
  "aws:ec2/eip:Eip": true,
  "aws:ec2/eipAssociation:EipAssociation": true,
  "aws:ec2/flowLog:FlowLog": true,
  "aws:ec2/instance:Instance": true,
  "aws:ec2/internetGateway:InternetGateway": true,
  "aws:ec2/launchTemplate:LaunchTemplate": true,
  "aws:ec2/natGateway:NatGateway": true,
  "aws:ec2/placementGroup:PlacementGroup": true,
  "aws:ec2/route:Route": true,
  "aws:ec2/routeTable:RouteTable": true,
  "aws:ec2/routeTableAssociation:RouteTableAssociation": true,
  "aws:ec2/securityGroup:SecurityGroup": true,
  "aws:ec2/subnet:Subnet": true,
  "aws:ec2/tag:Tag": true,
  "aws:ec2/volumeAttachment:VolumeAttachment": true,
  "aws:ec2/vpc:Vpc": true,
  "aws:ec2/vpcEndpoint:VpcEndpoint": true,
  "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": true,
  "aws:iam/instanceProfile:InstanceProfile": true,
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": true,
  "aws:iam/role:Role": true,
  "aws:iam/rolePolicy:RolePolicy": true,
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": true,
  "aws:lb/listener:Listener": true,
  "aws:lb/loadBalancer:LoadBalancer": true,
  "aws:lb/targetGroup:TargetGroup": true,
  "aws:lb/targetGroupAttachment:TargetGroupAttachment": true,
  "aws:route53/record:Record": true,
  "aws:route53/zone:Zone": true,
  "aws:s3/bucket:Bucket": true,
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": true,
  "aws:s3/bucketObjectv2:BucketObjectv2": true,
  "aws:s3/bucketPolicy:BucketPolicy": true,
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": true,
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": true,
  "aws:s3/bucketVersioning:BucketVersioning": true,
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": true,
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": true,
  "kubernetes:helm.sh/v3:Release": true,
  "pulumi:providers:kubernetes": true,
  "pulumi-nodejs:dynamic/talos:ClientConfiguration": true,
  "pulumi-nodejs:dynamic/talos:ClusterHealth": true,
  "pulumi-nodejs:dynamic/talos:ClusterKubeconfig": true,
  "pulumi-nodejs:dynamic/talos:ConfigurationApply": true,
  "pulumi-nodejs:dynamic/talos:ImmutableArguments": true,
  "pulumi-nodejs:dynamic/talos:KubernetesUpgrade": true,
  "pulumi-nodejs:dynamic/talos:KubernetesManifests": true,
  "pulumi-nodejs:dynamic/talos:KubernetesObjects": true,
  "pulumi-nodejs:dynamic/talos:MachineBootstrap": true,
  "pulumi-nodejs:dynamic/talos:MachineConfiguration": true,
  "pulumi-nodejs:dynamic/talos:MachineSecrets": true,
  "pulumi-nodejs:dynamic/talos:MachineTurn": true,
  "pulumi-nodejs:dynamic/talos:EtcdMember": true,
  "pulumi-nodejs:dynamic/talos:FirstContact": true,
  "pulumi-nodejs:dynamic/talos:RotatedAuthority": true,
  "pulumi-nodejs:dynamic/talos:RotatedSecret": true,
  "pulumi-nodejs:dynamic/talos:RotationGate": true,
  "pulumi-nodejs:dynamic/talos:UserKubeconfig": true,
};

/** The tags of what a launch template makes. */
interface TagSpecification {
  readonly resourceType: string;
  readonly tags: Record<string, string>;
}

/** A tag as an auto scaling group has it. */
interface GroupTag {
  readonly key: string;
  readonly value: string;
}

describe("the children of the largest cluster", () => {
  let graph: Graph;

  beforeAll(async () => {
    ({ graph } = await build(() => {
      const cluster = new TalosCluster("c", fullestCluster);
      cluster.createKubeconfig({ user: "ci" });
      return cluster;
    }));
  });

  /** What of a resource's URN is decided here: the types of its parents and its own, and its name. */
  function identity({ type, parent, name }: Registered): string {
    const typesAbove = (urn: string): string[] => {
      const above = graph.resources.find((each) => each.urn === urn);
      return above === undefined ? [] : [...typesAbove(above.parent), above.type];
    };
    return `${[...typesAbove(parent), type].join("$")}::${name}`;
  }

  // A difference here replaces what a stack has, unless the release says `aliases`: docs/naming.md.
  it("have names and parents that never change", () => {
    expect(graph.resources.map(identity).sort()).toMatchSnapshot();
  });

  it("have their type's arguments in transformChild", () => {
    const types = graph.resources
      .map(({ type }) => type)
      .filter((type) => !type.startsWith("talos-aws:"));
    expect([...new Set(types)].filter((type) => !(type in TRANSFORMABLE))).toEqual([]);
  });

  it("carry a name and the cluster's tags wherever AWS has tags", () => {
    const aws = graph.resources.filter(({ type }) => type.startsWith("aws:"));
    const unserved = aws.filter(({ type }) => !resourceKinds.has(type));
    expect(unserved.map(({ type }) => type)).toEqual([]);
    const taggable = aws.filter(({ type }) => resourceKinds.get(type)?.tagging !== undefined);
    expect(new Set(taggable.map(({ type }) => type)).size).toBeGreaterThan(15);
    // Those of a group come as a list.
    const tagsOf = ({ inputs: { tags = {} } }: Registered) =>
      Array.isArray(tags)
        ? Object.fromEntries((tags as GroupTag[]).map(({ key, value }) => [key, value]))
        : (tags as Record<string, string>);
    const isLacking = (tags: Record<string, string>) =>
      tags.team !== "platform" || (tags.Name ?? "") === "";
    expect(taggable.filter((each) => isLacking(tagsOf(each))).map(identity)).toEqual([]);
    for (const each of graph.ofType("aws:ec2/instance:Instance")) {
      const volumes = [each.inputs.rootBlockDevice, each.inputs.ebsBlockDevices ?? []].flat();
      const tags = (volumes as { tags?: Record<string, string> }[]).map((volume) => volume.tags);
      expect(tags.filter((given) => isLacking(given ?? {}))).toEqual([]);
    }
    for (const { inputs } of graph.ofType("aws:ec2/launchTemplate:LaunchTemplate")) {
      const made = inputs.tagSpecifications as TagSpecification[];
      // Machines have the others from their group.
      const tagged = made.filter(({ resourceType }) => resourceType !== "instance");
      expect(tagged.filter(({ tags }) => isLacking(tags))).toEqual([]);
    }
    const groups = graph.ofType("aws:autoscaling/group:Group");
    expect(groups.length).toBeGreaterThan(1);
    for (const { name, inputs } of groups) {
      expect(inputs.tags).toEqual(
        expect.arrayContaining([
          { key: "Name", value: name, propagateAtLaunch: false },
          { key: "team", value: "platform", propagateAtLaunch: true },
        ]),
      );
    }
  });
});
