"""Network interfaces and health checks of classic load balancers, which moto 5.2.5 doesn't have.

AWS gives a load balancer one in each of its subnets, and takes them away a while after the load balancer is
gone: until then they are in the way of the subnet's and the group's deletion. Without a check of its own, one
has a check of its first listener's port, which the provider reads without looking.
Source: "Delete your Classic Load Balancer" and "Requester-managed network interfaces" of AWS' guides.
"""

import threading

from moto.ec2.models import ec2_backends
from moto.elb.models import ELBBackend, FakeHealthCheck

RELEASE_SECONDS = 0.5

create_balancer = ELBBackend.create_load_balancer
delete_balancer = ELBBackend.delete_load_balancer


def network_of(backend):
    return ec2_backends[backend.account_id][backend.region_name]


def create_with_interfaces(self, name, *positional, **named):
    balancer = create_balancer(self, name, *positional, **named)
    if balancer.health_check is None and balancer.listeners:
        port = balancer.listeners[0].instance_port
        balancer.health_check = FakeHealthCheck(
            timeout=5, healthy_threshold=10, unhealthy_threshold=2, interval=30, target=f"TCP:{port}"
        )
    network = network_of(self)
    for subnet in balancer.subnets or []:
        network.create_network_interface(
            network.get_subnet(subnet),
            private_ip_address=None,
            group_ids=list(balancer.security_groups or []),
            description=f"ELB {name}",
        )
    return balancer


def delete_and_release_interfaces(self, load_balancer_name):
    delete_balancer(self, load_balancer_name)
    interfaces = network_of(self).enis
    released = [
        each.id for each in interfaces.values() if each.description == f"ELB {load_balancer_name}"
    ]

    def release():
        for interface in released:
            interfaces.pop(interface, None)

    timer = threading.Timer(RELEASE_SECONDS, release)
    timer.daemon = True
    timer.start()


ELBBackend.create_load_balancer = create_with_interfaces
ELBBackend.delete_load_balancer = delete_and_release_interfaces
