"""Security groups and their rules, where moto 5.2.5 knows less of them than AWS."""

from moto.ec2.exceptions import InvalidParameterValue
from moto.ec2.models.security_groups import SecurityGroupBackend, SecurityGroupRule

WITH_PORTS = {"tcp", "udp", "icmp", "icmpv6", "6", "17", "1", "58"}
# What a rule may come from or lead to, by the name that it has in a change.
PEERS = {
    "CidrIpv4": lambda rule: rule.ip_range.get("CidrIp"),
    "CidrIpv6": lambda rule: rule.ip_range.get("CidrIpv6"),
    "PrefixListId": lambda rule: rule.prefix_list_id,
    "ReferencedGroupId": lambda rule: rule.source_group.get("GroupId"),
}

# The same in AWS' words.
WORDS = {
    "CidrIpv4": "an IPv4 CIDR",
    "CidrIpv6": "an IPv6 CIDR",
    "PrefixListId": "a prefix list",
    "ReferencedGroupId": "a referenced group id",
}

create_group = SecurityGroupBackend.create_security_group
make_rule = SecurityGroupRule.__init__
modify_rules = SecurityGroupBackend.modify_security_group_rules


def has_ports(protocol):
    return str(protocol).lower() in WITH_PORTS


def make_any_rule(
    self,
    ec2_backend,
    ip_protocol,
    group_id,
    from_port,
    to_port,
    ip_range,
    source_group=None,
    prefix_list_id=None,
    **named,
):
    """A rule of a protocol without ports has none; each kind of source has a description."""
    if not has_ports(ip_protocol):
        from_port = to_port = -1
    make_rule(
        self,
        ec2_backend,
        ip_protocol,
        group_id,
        from_port,
        to_port,
        ip_range,
        source_group,
        prefix_list_id,
        **named,
    )
    described = self.ip_range or self.source_group or prefix_list_id or {}
    self.__dict__["told"] = described.get("Description")


def modify_any_rules(self, group_id, rules):
    """What a rule's source is can change, and not of which kind it is; moto changes ranges alone."""
    group = self.get_security_group_by_name_or_id(group_id)
    for rule_id, wanted in rules.items():
        rule = group.get_rule(rule_id) if group else None
        given = [name for name in PEERS if wanted.get(name) is not None]
        if rule is not None and len(given) == 1 and PEERS[given[0]](rule) is None:
            own = next((WORDS[name] for name, find in PEERS.items() if find(rule)), "a")
            raise InvalidParameterValue(
                f"Invalid rule type for security group rule '{rule_id}'. You may not specify "
                f"{WORDS[given[0]]} for an existing {own.split(' ', 1)[-1]} rule."
            )
        if not has_ports(wanted.get("IpProtocol")):
            wanted.update(FromPort=-1, ToPort=-1)
    modify_rules(self, group_id, rules)
    for rule_id, wanted in rules.items():
        rule = group.get_rule(rule_id)
        rule.__dict__["told"] = wanted.get("Description")
        if wanted.get("CidrIpv6") is not None:
            rule.ip_range["CidrIpv6"] = wanted["CidrIpv6"]
        if wanted.get("PrefixListId") is not None:
            rule.prefix_list_id = wanted["PrefixListId"]
        if wanted.get("ReferencedGroupId") is not None:
            rule.source_group["GroupId"] = wanted["ReferencedGroupId"]


SecurityGroupRule.__init__ = make_any_rule
SecurityGroupRule.description = property(lambda rule: rule.__dict__.get("told"))
SecurityGroupBackend.modify_security_group_rules = modify_any_rules


def create_named_group(self, name, *rest, **named):
    """A name can't look like an id."""
    if str(name).startswith("sg-"):
        raise InvalidParameterValue(
            f"Value ({name}) for parameter GroupName is invalid. Group names may not be in the "
            "format sg-*."
        )
    return create_group(self, name, *rest, **named)


SecurityGroupBackend.create_security_group = create_named_group
