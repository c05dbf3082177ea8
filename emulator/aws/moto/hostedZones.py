"""Hosted zones, whose ids begin with Z, and which moto 5.2.1 asks to be told twice are private."""

from moto.route53 import models
from moto.route53.responses import Route53

make_id = models.create_route53_zone_id
models.create_route53_zone_id = lambda *given, **named: f"Z{make_id(*given, **named)[1:21]}"

create_zone = Route53.create_hosted_zone


def create_zone_of_network(self):
    """A zone that is given a network is private."""
    flag = self._get_bool_param

    def flag_by_network(name, *otherwise):
        if name == "HostedZoneConfig.PrivateZone" and self._get_param("VPC.VPCId"):
            return True
        return flag(name, *otherwise)

    self._get_bool_param = flag_by_network
    try:
        return create_zone(self)
    finally:
        del self._get_bool_param


Route53.create_hosted_zone = create_zone_of_network
