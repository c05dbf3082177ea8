/** What of the emulated cloud a call may concern. */
export interface Noticed {
  readonly machines: boolean;
  readonly loadBalancers: boolean;
}

/** Calls about things that machines and load balancers of the emulated cloud don't look at. */
const UNNOTICED = new RegExp(
  [
    "^(Create|Delete|Modify|Put|Add|Remove|Attach|Detach|Associate|Disassociate|Replace|Update|Tag|Untag)",
    "(Vpc|DefaultVpc|Subnet|Route|InternetGateway|EgressOnlyInternetGateway|NatGateway|NetworkAcl",
    "|SecurityGroup|DhcpOptions|FlowLogs|LaunchTemplate|KeyPair|Tags",
    "|Role|RolePolicy|Policy|InstanceProfile|ServiceLinkedRole|OpenIDConnectProvider)",
  ].join(""),
);
const SECURITY_GROUP_RULES = /^(Authorize|Revoke|Modify|Update)SecurityGroup/;
const OF_LOAD_BALANCERS =
  /LoadBalancer|Listener|Target|^Set(Subnets|SecurityGroups|IpAddressType)$/;

/**
 * Who has to look at the cloud anew after a call: each look is several calls itself, and most calls
 * are about something else. A call that isn't known here concerns both.
 *
 * @param action such as `RunInstances`; undefined for Route 53, S3 and KMS, which concern neither
 */
export function noticedBy(action: string | undefined): Noticed {
  if (action === undefined) {
    return { machines: false, loadBalancers: false };
  }
  if (OF_LOAD_BALANCERS.test(action)) {
    return { machines: false, loadBalancers: true };
  }
  const isNoticed = !UNNOTICED.test(action) && !SECURITY_GROUP_RULES.test(action);
  return { machines: isNoticed, loadBalancers: isNoticed };
}
