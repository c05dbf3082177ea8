import type * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type {
  ClientConfigurationArgs,
  ClusterHealthArgs,
  ClusterKubeconfigArgs,
  ConfigurationApplyArgs,
  EtcdMemberArgs,
  FirstContactArgs,
  ImmutableArgumentsArgs,
  KubernetesManifestsArgs,
  KubernetesObjectsArgs,
  KubernetesUpgradeArgs,
  MachineBootstrapArgs,
  MachineConfigurationArgs,
  MachineSecretsArgs,
  MachineTurnArgs,
  RotatedAuthorityArgs,
  RotatedSecretArgs,
  RotationGateArgs,
  UserKubeconfigArgs,
} from "../provider";
import { seenAgain, talosKind } from "../provider/engine";
import type { HelmReleaseInputs, KubernetesProviderInputs } from "./helm";

/** The arguments of the components' Talos resources, by their kind. */
interface TalosChildArgs {
  readonly ClientConfiguration: ClientConfigurationArgs;
  readonly ClusterHealth: ClusterHealthArgs;
  readonly ClusterKubeconfig: ClusterKubeconfigArgs;
  readonly ConfigurationApply: ConfigurationApplyArgs;
  readonly EtcdMember: EtcdMemberArgs;
  readonly FirstContact: FirstContactArgs;
  readonly ImmutableArguments: ImmutableArgumentsArgs;
  readonly KubernetesManifests: KubernetesManifestsArgs;
  readonly KubernetesObjects: KubernetesObjectsArgs;
  readonly KubernetesUpgrade: KubernetesUpgradeArgs;
  readonly MachineBootstrap: MachineBootstrapArgs;
  readonly MachineConfiguration: MachineConfigurationArgs;
  readonly MachineSecrets: MachineSecretsArgs;
  readonly MachineTurn: MachineTurnArgs;
  readonly RotatedAuthority: RotatedAuthorityArgs;
  readonly RotatedSecret: RotatedSecretArgs;
  readonly RotationGate: RotationGateArgs;
  readonly UserKubeconfig: UserKubeconfigArgs;
}

/** A Talos resource's type, as a dynamic resource or as a resource of this package's plugin. */
type TalosType<Kind extends keyof TalosChildArgs> =
  `pulumi-nodejs:dynamic/talos:${Kind}` | `talos-aws:index:${Kind}`;

type TalosArgsByType = {
  readonly [Kind in keyof TalosChildArgs as TalosType<Kind>]: TalosChildArgs[Kind];
};

/**
 * The arguments of the components' child resources, by their Pulumi type. A Talos resource has two
 * types, and each also means the other one.
 */
export interface ChildArgs extends TalosArgsByType {
  readonly "aws:autoscaling/group:Group": aws.autoscaling.GroupArgs;
  readonly "aws:autoscaling/lifecycleHook:LifecycleHook": aws.autoscaling.LifecycleHookArgs;
  readonly "aws:cloudwatch/logGroup:LogGroup": aws.cloudwatch.LogGroupArgs;
  readonly "aws:ebs/snapshotImport:SnapshotImport": aws.ebs.SnapshotImportArgs;
  readonly "aws:ebs/volume:Volume": aws.ebs.VolumeArgs;
  readonly "aws:ec2/ami:Ami": aws.ec2.AmiArgs;
  readonly "aws:ec2/amiCopy:AmiCopy": aws.ec2.AmiCopyArgs;
  readonly "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway": aws.ec2.EgressOnlyInternetGatewayArgs;
  readonly "aws:ec2/eip:Eip": aws.ec2.EipArgs;
  readonly "aws:ec2/eipAssociation:EipAssociation": aws.ec2.EipAssociationArgs;
  readonly "aws:ec2/flowLog:FlowLog": aws.ec2.FlowLogArgs;
  readonly "aws:ec2/instance:Instance": aws.ec2.InstanceArgs;
  readonly "aws:ec2/internetGateway:InternetGateway": aws.ec2.InternetGatewayArgs;
  readonly "aws:ec2/launchTemplate:LaunchTemplate": aws.ec2.LaunchTemplateArgs;
  readonly "aws:ec2/natGateway:NatGateway": aws.ec2.NatGatewayArgs;
  readonly "aws:ec2/placementGroup:PlacementGroup": aws.ec2.PlacementGroupArgs;
  readonly "aws:ec2/route:Route": aws.ec2.RouteArgs;
  readonly "aws:ec2/routeTable:RouteTable": aws.ec2.RouteTableArgs;
  readonly "aws:ec2/routeTableAssociation:RouteTableAssociation": aws.ec2.RouteTableAssociationArgs;
  readonly "aws:ec2/securityGroup:SecurityGroup": aws.ec2.SecurityGroupArgs;
  readonly "aws:ec2/subnet:Subnet": aws.ec2.SubnetArgs;
  readonly "aws:ec2/tag:Tag": aws.ec2.TagArgs;
  readonly "aws:ec2/volumeAttachment:VolumeAttachment": aws.ec2.VolumeAttachmentArgs;
  readonly "aws:ec2/vpc:Vpc": aws.ec2.VpcArgs;
  readonly "aws:ec2/vpcEndpoint:VpcEndpoint": aws.ec2.VpcEndpointArgs;
  readonly "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": aws.ec2.VpcIpv4CidrBlockAssociationArgs;
  readonly "aws:iam/instanceProfile:InstanceProfile": aws.iam.InstanceProfileArgs;
  readonly "aws:iam/openIdConnectProvider:OpenIdConnectProvider": aws.iam.OpenIdConnectProviderArgs;
  readonly "aws:iam/role:Role": aws.iam.RoleArgs;
  readonly "aws:iam/rolePolicy:RolePolicy": aws.iam.RolePolicyArgs;
  readonly "aws:iam/rolePolicyAttachment:RolePolicyAttachment": aws.iam.RolePolicyAttachmentArgs;
  readonly "aws:lb/listener:Listener": aws.lb.ListenerArgs;
  readonly "aws:lb/loadBalancer:LoadBalancer": aws.lb.LoadBalancerArgs;
  readonly "aws:lb/targetGroup:TargetGroup": aws.lb.TargetGroupArgs;
  readonly "aws:lb/targetGroupAttachment:TargetGroupAttachment": aws.lb.TargetGroupAttachmentArgs;
  readonly "aws:route53/record:Record": aws.route53.RecordArgs;
  readonly "aws:route53/zone:Zone": aws.route53.ZoneArgs;
  readonly "aws:s3/bucket:Bucket": aws.s3.BucketArgs;
  readonly "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": aws.s3.BucketLifecycleConfigurationArgs;
  readonly "aws:s3/bucketObjectv2:BucketObjectv2": aws.s3.BucketObjectv2Args;
  readonly "aws:s3/bucketPolicy:BucketPolicy": aws.s3.BucketPolicyArgs;
  readonly "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": aws.s3.BucketPublicAccessBlockArgs;
  readonly "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": aws.s3.BucketServerSideEncryptionConfigurationArgs;
  readonly "aws:s3/bucketVersioning:BucketVersioning": aws.s3.BucketVersioningArgs;
  readonly "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": aws.vpc.SecurityGroupEgressRuleArgs;
  readonly "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": aws.vpc.SecurityGroupIngressRuleArgs;
  readonly "kubernetes:helm.sh/v3:Release": HelmReleaseInputs;
  readonly "pulumi:providers:kubernetes": KubernetesProviderInputs;
}

/** A child of a component before its creation. */
export interface Child<Args> {
  /** Its name in the state, for example `demo-control-plane-1`. */
  readonly name: string;
  /** The component's arguments. Spread them to keep those that you don't change. */
  readonly props: Args;
  readonly opts: pulumi.CustomResourceOptions;
}

/**
 * Changes children of a component that no argument reaches. Use it in the option `transformations`
 * of any component here. It is called with each child of one type before that is created, in every
 * preview, and returns the child to create instead. Without a result, the child is unchanged.
 *
 * Secrets arrive as secret outputs and stay secret. Keep what the component relies on: only AWS
 * checks the result. Names and parents can't be changed. Do not use it with Pulumi's newer option
 * `transforms`. In an inline program of the Automation API, that writes secrets into the state in
 * clear and loses unknown values of a preview (seen with pulumi v3.230.0, whose
 * sdk/nodejs/runtime/callbacks.ts works outside the program).
 *
 * @example
 * new TalosCluster("demo", args, {
 *   transformations: [
 *     transformChild("aws:ec2/instance:Instance", ({ props, opts }) => ({
 *       props: { ...props, sourceDestCheck: false },
 *       opts,
 *     })),
 *   ],
 * });
 */
export function transformChild<Type extends keyof ChildArgs>(
  type: Type,
  change: (
    child: Child<ChildArgs[Type]>,
  ) => { props: ChildArgs[Type]; opts?: pulumi.CustomResourceOptions } | undefined,
): pulumi.ResourceTransformation {
  return ({ type: found, name, props, opts }) => {
    if (!isSameType(found, type)) {
      return undefined;
    }
    const changed = change({ name, props: props as ChildArgs[Type], opts });
    return changed && { props: seenAgain(props, { ...changed.props }), opts: changed.opts ?? opts };
  };
}

/** Whether two types are the same, or the same kind of Talos resource: a stack can change plugins. */
function isSameType(one: string, other: string): boolean {
  const kind = talosKind(one);
  return one === other || (kind !== undefined && kind === talosKind(other));
}
