"""Hosted zones and their records, where moto 5.2.5 differs from Route 53.

Ids begin with Z, a zone that is given a network is private without being told so, and a record can be made again
beside one of its name and another type.
"""

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

change_records = models.Route53Backend.change_resource_record_sets


def change_records_of_their_type(self, zoneid, change_list):
    """moto refuses a record that was there before, while one of its name and another type is."""
    zone = self.get_hosted_zone(zoneid)
    there = {(record.name.strip("."), record.type) for record in zone.rrsets}
    for change in change_list:
        wanted = change["ResourceRecordSet"]
        is_gone = (wanted["Name"].strip("."), wanted["Type"]) not in there
        while change["Action"] == "CREATE" and is_gone and change in zone.rr_changes:
            zone.rr_changes.remove(change)
    return change_records(self, zoneid, change_list)


models.Route53Backend.change_resource_record_sets = change_records_of_their_type
