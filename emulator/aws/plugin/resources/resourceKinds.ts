import type { ResourceKind } from "../resourceKind";
import { autoScalingGroup } from "./autoScalingGroup";
import { bucket } from "./bucket";
import { bucketEncryption } from "./bucketEncryption";
import { bucketLifecycle } from "./bucketLifecycle";
import { bucketObject } from "./bucketObject";
import { bucketPolicy } from "./bucketPolicy";
import { bucketPublicAccessBlock } from "./bucketPublicAccessBlock";
import { bucketVersioning } from "./bucketVersioning";
import { classicLoadBalancer } from "./classicLoadBalancer";
import { egressOnlyInternetGateway } from "./egressOnlyInternetGateway";
import { eip } from "./eip";
import { eipAssociation } from "./eipAssociation";
import { eventRule } from "./eventRule";
import { eventTarget } from "./eventTarget";
import { flowLog } from "./flowLog";
import { image, imageCopy } from "./image";
import { instance } from "./instance";
import { instanceProfile } from "./instanceProfile";
import { internetGateway } from "./internetGateway";
import { key } from "./key";
import { keyAlias } from "./keyAlias";
import { launchTemplate } from "./launchTemplate";
import { lifecycleHook } from "./lifecycleHook";
import { listener } from "./listener";
import { loadBalancer } from "./loadBalancer";
import { logGroup } from "./logGroup";
import { natGateway } from "./natGateway";
import { openIdConnectProvider } from "./openIdConnectProvider";
import { outboundWebIdentityFederation } from "./outboundWebIdentityFederation";
import { placementGroup } from "./placementGroup";
import { queue } from "./queue";
import { queuePolicy } from "./queuePolicy";
import { record } from "./record";
import { role } from "./role";
import { rolePolicy } from "./rolePolicy";
import { rolePolicyAttachment } from "./rolePolicyAttachment";
import { route } from "./route";
import { routeTable } from "./routeTable";
import { routeTableAssociation } from "./routeTableAssociation";
import { securityGroup } from "./securityGroup";
import { securityGroupEgressRule, securityGroupIngressRule } from "./securityGroupRule";
import { snapshot } from "./snapshot";
import { snapshotImport } from "./snapshotImport";
import { subnet } from "./subnet";
import { tag } from "./tag";
import { targetGroup } from "./targetGroup";
import { targetGroupAttachment } from "./targetGroupAttachment";
import { volume } from "./volume";
import { volumeAttachment } from "./volumeAttachment";
import { vpc } from "./vpc";
import { vpcEndpoint } from "./vpcEndpoint";
import { vpcIpv4CidrBlockAssociation } from "./vpcIpv4CidrBlockAssociation";
import { zone } from "./zone";

/** All emulated resource kinds, by type token. */
export const resourceKinds: ReadonlyMap<string, ResourceKind> = new Map(
  [
    autoScalingGroup,
    bucket,
    bucketEncryption,
    bucketLifecycle,
    bucketObject,
    bucketPolicy,
    bucketPublicAccessBlock,
    bucketVersioning,
    classicLoadBalancer,
    egressOnlyInternetGateway,
    eip,
    eipAssociation,
    eventRule,
    eventTarget,
    flowLog,
    image,
    imageCopy,
    instance,
    instanceProfile,
    internetGateway,
    key,
    keyAlias,
    launchTemplate,
    lifecycleHook,
    listener,
    loadBalancer,
    logGroup,
    natGateway,
    openIdConnectProvider,
    outboundWebIdentityFederation,
    placementGroup,
    queue,
    queuePolicy,
    record,
    role,
    rolePolicy,
    rolePolicyAttachment,
    route,
    routeTable,
    routeTableAssociation,
    securityGroup,
    securityGroupEgressRule,
    securityGroupIngressRule,
    snapshot,
    snapshotImport,
    subnet,
    tag,
    targetGroup,
    targetGroupAttachment,
    volume,
    volumeAttachment,
    vpc,
    vpcEndpoint,
    vpcIpv4CidrBlockAssociation,
    zone,
  ].map((kind) => [kind.type, kind]),
);
