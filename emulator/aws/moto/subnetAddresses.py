"""Addresses of subnets, where moto 5.2.5 does less than AWS.

A subnet has no more machines and other interfaces than it has addresses, and an address is free again
when its machine is terminated. It is not the next to be given, as at AWS, where it rarely is.
"""

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models import elastic_network_interfaces
from moto.ec2.models.subnets import Subnet

Interfaces = elastic_network_interfaces.NetworkInterfaceBackend


class InsufficientFreeAddresses(EC2ClientError):
    def __init__(self, subnet):
        super().__init__(
            "InsufficientFreeAddressesInSubnet",
            f"The specified subnet '{subnet.id}' does not have enough free addresses to satisfy "
            "the request.",
        )


def check_free(subnet, count):
    """Refuses a request for more addresses than the subnet has left."""
    if subnet.available_ip_address_count < count:
        raise InsufficientFreeAddresses(subnet)


next_address = Subnet.get_available_subnet_ip
make_interface = Interfaces.create_network_interface


def never_used_or_free_again(self, instance):
    returned, self._unused_ips = self._unused_ips, set()
    try:
        return next_address(self, instance)
    except StopIteration:
        if not returned:
            raise InsufficientFreeAddresses(self) from None
        address = min(returned)
        returned.remove(address)
        self._subnet_ips[address] = instance
        return address
    finally:
        self._unused_ips = returned


def make_interface_where_there_is_room(self, subnet, *positional, **named):
    found = self.get_subnet(subnet) if isinstance(subnet, str) else subnet
    check_free(found, 1)
    return make_interface(self, found, *positional, **named)


Subnet.get_available_subnet_ip = never_used_or_free_again
Interfaces.create_network_interface = make_interface_where_there_is_room
# An interface without a public address has no association, where moto has an empty one.
association_of = elastic_network_interfaces.NetworkInterface.association.fget
elastic_network_interfaces.NetworkInterface.association = property(
    lambda interface: association_of(interface) or None
)
# moto tells the state of a subnet's range of IPv6 as the text of a Python object.
Subnet.ipv6_cidr_block_association_set = property(
    lambda subnet: [
        {
            "Ipv6CidrBlock": association["ipv6CidrBlock"],
            "AssociationId": association["associationId"],
            "Ipv6CidrBlockState": dict(association["ipv6CidrBlockState"]),
        }
        for association in subnet.ipv6_cidr_block_associations.values()
    ]
)
