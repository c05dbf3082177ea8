"""Further ranges of networks, where moto 5.2.5 allows what AWS refuses.

Source: the Amazon VPC user guide, "VPC CIDR blocks": IPv4 CIDR block association restrictions.
"""

import ipaddress

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.vpcs import VPC

# With one of them, a network takes no range of another.
EXCLUSIVE = [
    ipaddress.ip_network(each)
    for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.19.0.0/16")
]
# With one of the first, a network takes no range of the second.
KEPT_APART = [
    tuple(ipaddress.ip_network(each) for each in pair)
    for pair in (("10.0.0.0/15", "10.0.0.0/16"), ("172.16.0.0/12", "172.31.0.0/16"))
]

associate = VPC.associate_vpc_cidr_block
disassociate = VPC.disassociate_vpc_cidr_block


class RestrictedRange(EC2ClientError):
    def __init__(self, cidr):
        super().__init__(
            "InvalidVpc.Range",
            f"The CIDR '{cidr}' is restricted. Use a CIDR from the same private address range as "
            "the current VPC CIDR, or use a publicly-routable CIDR. For additional restrictions, see "
            "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html",
        )


class ConflictingRange(EC2ClientError):
    def __init__(self, cidr):
        super().__init__(
            "InvalidVpc.Conflict", f"The CIDR '{cidr}' conflicts with another CIDR of the VPC."
        )


class RangeInUse(EC2ClientError):
    def __init__(self, vpc_id, cidr):
        super().__init__(
            "InvalidCidrBlock.InUse",
            f"The vpc {vpc_id} currently has a subnet within CIDR block {cidr}",
        )


def home_of(network):
    return next((each for each in EXCLUSIVE if network.subnet_of(each)), None)


def associate_allowed_range(
    self, cidr_block, amazon_provided_ipv6_cidr_block=False, **named
):
    there = self.get_cidr_block_association_set()
    if not amazon_provided_ipv6_cidr_block and there:
        wanted = ipaddress.ip_network(cidr_block)
        if home_of(wanted) not in (None, home_of(ipaddress.ip_network(self.cidr_block))):
            raise RestrictedRange(cidr_block)
        for each in there:
            if each["cidr_block_state"]["state"] != "associated":
                continue
            own = ipaddress.ip_network(each["cidr_block"])
            if wanted.overlaps(own):
                raise ConflictingRange(cidr_block)
            if any(own.subnet_of(one) and wanted.subnet_of(other) for one, other in KEPT_APART):
                raise RestrictedRange(cidr_block)
    return associate(self, cidr_block, amazon_provided_ipv6_cidr_block, **named)


def disassociate_unused_range(self, association_id):
    association = self._cidr_block_association_set.get(association_id, {})
    if association.get("cidr_block_state", {}).get("state") == "disassociated":
        # AWS doesn't find it any more.
        return {}
    cidr = association.get("cidr_block", "")
    if "." in cidr:
        network = ipaddress.ip_network(cidr)
        for subnet in self.ec2_backend.describe_subnets(filters={"vpc-id": self.id}):
            if ipaddress.ip_network(subnet.cidr_block).subnet_of(network):
                raise RangeInUse(self.id, cidr)
    return disassociate(self, association_id)


VPC.associate_vpc_cidr_block = associate_allowed_range
VPC.disassociate_vpc_cidr_block = disassociate_unused_range
