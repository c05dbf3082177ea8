"""What AWS refuses while something depends on it, and moto 5.2.5 allows.

Sources: the EC2 API's "Error codes" (DependencyViolation), its DeleteSubnet, DeleteSecurityGroup and
DeleteVpc; the ELB API's CreateListener and ModifyListener (TargetGroupAssociationLimit).
"""

from moto.ec2.exceptions import DependencyViolationError
from moto.ec2.models.security_groups import SecurityGroupBackend
from moto.ec2.models.subnets import SubnetBackend
from moto.ec2.models.vpcs import VPCBackend
from moto.elbv2.exceptions import ELBClientError
from moto.elbv2.models import ELBv2Backend, elbv2_backends


class TargetGroupAssociationLimit(ELBClientError):
    def __init__(self, arn):
        super().__init__(
            "TargetGroupAssociationLimit",
            "The following target groups cannot be associated with more than one load balancer: "
            f"{arn}",
        )


def load_balancers(backend):
    return elbv2_backends[backend.account_id][backend.region_name].load_balancers.values()


def interfaces(backend):
    """Interfaces of machines that aren't terminated, of NAT gateways, and unattached ones."""
    return [
        each
        for each in backend.enis.values()
        if each.instance is None or each.instance.state != "terminated"
    ]


delete_subnet = SubnetBackend.delete_subnet
delete_group = SecurityGroupBackend._delete_security_group
delete_vpc = VPCBackend.delete_vpc
create_listener = ELBv2Backend.create_listener
modify_listener = ELBv2Backend.modify_listener


def delete_unused_subnet(self, subnet_id):
    of_balancers = [subnet.id for each in load_balancers(self) for subnet in each.subnets]
    if subnet_id in of_balancers + [each.subnet.id for each in interfaces(self)]:
        raise DependencyViolationError(
            f"The subnet '{subnet_id}' has dependencies and cannot be deleted."
        )
    return delete_subnet(self, subnet_id)


def delete_unused_group(self, vpc_id, group_id):
    of_interfaces = [group.id for each in interfaces(self) for group in each.group_set]
    of_balancers = [group for each in load_balancers(self) for group in each.security_groups or []]
    of_rules = [
        (rule.source_group or {}).get("GroupId")
        for group in self.groups[vpc_id or self.default_vpc.id].values()
        for rule in group.ingress_rules + group.egress_rules
        if group.id != group_id
    ]
    if group_id in of_interfaces + of_balancers + of_rules:
        raise DependencyViolationError(f"resource {group_id} has a dependent object")
    return delete_group(self, vpc_id, group_id)


def delete_unused_vpc(self, vpc_id):
    attached = self.describe_internet_gateways(filters={"attachment.vpc-id": vpc_id})
    own = [each for each in self.groups.get(vpc_id, {}).values() if each.name != "default"]
    if attached or own:
        raise DependencyViolationError(
            f"The vpc '{vpc_id}' has dependencies and cannot be deleted."
        )
    return delete_vpc(self, vpc_id)


def refuse_groups_of_others(self, load_balancer_arn, actions):
    """A target group belongs to the load balancer whose listeners lead to it."""
    wanted = [arn for each in actions or [] for arn in self._get_target_group_arns_from(each)]
    for other in self.load_balancers.values():
        if other.arn == load_balancer_arn:
            continue
        for listener in other.listeners.values():
            for action in listener.default_actions:
                for arn in self._get_target_group_arns_from(action.data):
                    if arn in wanted:
                        raise TargetGroupAssociationLimit(arn)


def create_listener_with_own_groups(self, load_balancer_arn, actions, **named):
    refuse_groups_of_others(self, load_balancer_arn, actions)
    return create_listener(self, load_balancer_arn, actions=actions, **named)


def modify_listener_with_own_groups(self, arn, port, protocol, ssl_policy, certificates, actions):
    listener = self.describe_listeners(load_balancer_arn=None, listener_arns=[arn])[0]
    refuse_groups_of_others(self, listener.load_balancer_arn, actions)
    return modify_listener(self, arn, port, protocol, ssl_policy, certificates, actions)


SubnetBackend.delete_subnet = delete_unused_subnet
SecurityGroupBackend._delete_security_group = delete_unused_group
VPCBackend.delete_vpc = delete_unused_vpc
ELBv2Backend.create_listener = create_listener_with_own_groups
ELBv2Backend.modify_listener = modify_listener_with_own_groups
