"""VPC endpoints, where moto 5.2.5 does less than AWS.

Sources: the EC2 API's CreateVpcEndpoint and ModifyVpcEndpoint; the AWS PrivateLink guide, "Access an
AWS service using an interface VPC endpoint".
"""

from moto.ec2.exceptions import InvalidParameter
from moto.ec2.models import vpcs
from moto.ec2.responses.vpcs import VPCs
from moto.ec2.utils import random_private_ip

Backend = vpcs.VPCBackend
create_endpoint = Backend.create_vpc_endpoint
modify_endpoint = Backend.modify_vpc_endpoint
delete_endpoints = Backend.delete_vpc_endpoints
answer_modification = VPCs.modify_vpc_endpoint


def is_interface(endpoint):
    return (endpoint.vpc_endpoint_type or "").lower() == "interface"


def check_private_names(backend, vpc_id, service_name, own_id=None):
    """A service's name leads to one endpoint of a network, in a network that has names at all."""
    vpc = backend.get_vpc(vpc_id)
    if not (vpc.enable_dns_support and vpc.enable_dns_hostnames):
        raise InvalidParameter(
            "Enabling private DNS requires both enableDnsSupport and enableDnsHostnames VPC "
            "attributes set to true"
        )
    for other in backend.vpc_end_points.values():
        if (
            other.vpc_id == vpc_id
            and other.service_name == service_name
            and other.id != own_id
            and other.state != "deleted"
            and is_interface(other)
            and other.private_dns_enabled
        ):
            raise InvalidParameter(
                "private-dns-enabled cannot be set because there is already a conflicting DNS "
                f"domain for {service_name} in the VPC {vpc_id}"
            )


def check_zones(backend, subnet_ids):
    zones = [backend.get_subnet(each).availability_zone for each in subnet_ids]
    if len(set(zones)) < len(zones):
        raise InvalidParameter("Found another VPC endpoint subnet in the availability zone")


def set_groups(backend, endpoint):
    """The groups of an endpoint are those of its interfaces, so they can't be deleted meanwhile."""
    ids = endpoint.security_group_ids or [
        backend.get_default_security_group(endpoint.vpc_id).id
    ]
    endpoint.security_group_ids = list(ids)
    for interface_id in endpoint.network_interface_ids:
        backend.enis[interface_id]._group_set = [
            backend.get_security_group_from_id(each) for each in ids
        ]


def create_endpoint_with_groups(self, vpc_id, service_name, endpoint_type, *rest, **named):
    if (endpoint_type or "").lower() == "interface":
        check_zones(self, named.get("subnet_ids") or [])
        if named.get("private_dns_enabled"):
            check_private_names(self, vpc_id, service_name)
    endpoint = create_endpoint(self, vpc_id, service_name, endpoint_type, *rest, **named)
    if is_interface(endpoint):
        set_groups(self, endpoint)
    return endpoint


def modify_endpoint_and_what_follows(self, vpc_id, **changes):
    """A gateway endpoint that changes its route tables changes routes, and an interface endpoint that
    changes its subnets or groups changes interfaces; moto forgets both."""
    endpoint = self.describe_vpc_endpoints(vpc_end_point_ids=[vpc_id])[0]
    before = set(endpoint.route_table_ids or [])
    subnets = [each for each in endpoint.subnet_ids or []]
    if is_interface(endpoint):
        kept = [each for each in subnets if each not in (changes.get("remove_subnets") or [])]
        check_zones(self, kept + list(changes.get("add_subnets") or []))
    modify_endpoint(self, vpc_id, **changes)
    after = set(endpoint.route_table_ids or [])
    prefix_list = endpoint.destination_prefix_list_id
    for table in after - before:
        self.create_route(
            table, None, gateway_id=endpoint.id, destination_prefix_list_id=prefix_list
        )
    for table in before - after:
        self.delete_route(table, None, destination_prefix_list_id=prefix_list)
    if is_interface(endpoint):
        for subnet_id in set(endpoint.subnet_ids) - set(subnets):
            interface = self.create_network_interface(subnet_id, random_private_ip())
            endpoint.network_interface_ids.append(interface.id)
        for interface_id in list(endpoint.network_interface_ids):
            if self.enis[interface_id].subnet.id not in endpoint.subnet_ids:
                self.delete_network_interface(interface_id)
                endpoint.network_interface_ids.remove(interface_id)
        set_groups(self, endpoint)


def modify_names_too(self):
    """moto doesn't read whether an endpoint has its service's name."""
    wanted = self._get_bool_param("PrivateDnsEnabled")
    answer = answer_modification(self)
    if wanted is not None:
        endpoint_id = self._get_param("VpcEndpointId")
        endpoint = self.ec2_backend.describe_vpc_endpoints(vpc_end_point_ids=[endpoint_id])[0]
        if wanted:
            check_private_names(
                self.ec2_backend, endpoint.vpc_id, endpoint.service_name, endpoint_id
            )
        endpoint.private_dns_enabled = wanted
    return answer


def delete_endpoints_once(self, vpce_ids=None):
    """One that is deleted has no routes left to delete; moto looks for them all the same."""
    there = [
        each
        for each in vpce_ids or []
        if each in self.vpc_end_points and self.vpc_end_points[each].state != "deleted"
    ]
    delete_endpoints(self, there)


def dns_options_of(endpoint):
    kind = "ipv4" if is_interface(endpoint) else "service-defined"
    return {"DnsRecordIpType": kind}


vpcs.VPCEndPoint.ip_address_type = "ipv4"
vpcs.VPCEndPoint.dns_options = property(dns_options_of)
Backend.create_vpc_endpoint = create_endpoint_with_groups
Backend.modify_vpc_endpoint = modify_endpoint_and_what_follows
Backend.delete_vpc_endpoints = delete_endpoints_once
VPCs.modify_vpc_endpoint = modify_names_too
