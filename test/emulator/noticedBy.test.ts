import { noticedBy } from "../../emulator/noticedBy";

describe("which parts check the cloud after a change", () => {
  const both = { machines: true, loadBalancers: true };
  const neither = { machines: false, loadBalancers: false };

  it.each([
    "RunInstances",
    "StartInstances",
    "StopInstances",
    "TerminateInstances",
    "ModifyInstanceAttribute",
    "AssociateAddress",
    "DisassociateAddress",
    "ReleaseAddress",
    "AttachVolume",
    "DetachVolume",
    "CreateFleet",
    "TendAutoScalingGroups",
    "CreateAutoScalingGroup",
    "UpdateAutoScalingGroup",
    "StartInstanceRefresh",
    "SomethingNew",
  ])("%s: machines and load balancers", (action) => {
    expect(noticedBy(action)).toEqual(both);
  });

  it.each([
    "CreateLoadBalancer",
    "DeleteLoadBalancer",
    "ModifyLoadBalancerAttributes",
    "CreateTargetGroup",
    "RegisterTargets",
    "DeregisterTargets",
    "CreateListener",
    "SetSubnets",
    "SetSecurityGroups",
  ])("%s: load balancers", (action) => {
    expect(noticedBy(action)).toEqual({ machines: false, loadBalancers: true });
  });

  it.each([
    "CreateVpc",
    "ModifyVpcAttribute",
    "CreateSubnet",
    "CreateRoute",
    "AssociateRouteTable",
    "AttachInternetGateway",
    "CreateSecurityGroup",
    "AuthorizeSecurityGroupIngress",
    "RevokeSecurityGroupEgress",
    "CreateTags",
    "CreateRole",
    "PutRolePolicy",
    "DeletePolicy",
    "AddRoleToInstanceProfile",
    "CreateLaunchTemplate",
    undefined,
  ])("%s: neither", (action) => {
    expect(noticedBy(action)).toEqual(neither);
  });
});
