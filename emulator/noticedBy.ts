/** The parts of the emulated cloud that a call may affect. */
export interface Noticed {
  readonly machines: boolean;
  readonly loadBalancers: boolean;
}

/** Calls that affect neither machines nor load balancers of the emulated cloud. */
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
 * Decides which parts are reconciled after a call. Reconciling costs several calls itself, and most calls
 * affect nothing. An unknown call affects both parts.
 *
 * @param action such as `RunInstances`. Undefined for Route 53, S3 and KMS, which affect neither.
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
