"""Placement groups and the capacity that machines use, both of which moto 5.2.5 lacks."""

import re

from moto.core.responses import ActionResult
from moto.ec2 import utils
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.instances import Instance, InstancePlacement
from moto.ec2.responses import EC2Response
from moto.moto_api._internal import mock_random

# The ids of what can be tagged.
utils.EC2_RESOURCE_TO_PREFIX["placement-group"] = "pg"
utils.EC2_PREFIX_TO_RESOURCE["pg"] = "placement-group"

GONE = ("terminated", "shutting-down")
BURSTABLE = re.compile(r"t\d")


def refuse(code, message):
    raise EC2ClientError(code, message)


class PlacementGroup:
    def __init__(self, backend, name, strategy, partitions):
        self.ec2_backend = backend
        self.id = f"pg-{mock_random.get_random_hex(17)}"
        self.group_name = name
        self.strategy = strategy
        self.partition_count = partitions
        self.spread_level = "rack" if strategy == "spread" else None
        self.state = "available"

    def described(self):
        return {
            "GroupId": self.id,
            "GroupName": self.group_name,
            "Strategy": self.strategy,
            "State": self.state,
            "PartitionCount": self.partition_count,
            "SpreadLevel": self.spread_level,
            "GroupArn": (
                f"arn:aws:ec2:{self.ec2_backend.region_name}:{self.ec2_backend.account_id}:"
                f"placement-group/{self.group_name}"
            ),
            "Tags": self.ec2_backend.describe_tags(filters={"resource-id": [self.id]}),
        }


def groups_of(backend):
    if not hasattr(backend, "placement_groups"):
        backend.placement_groups = {}
    return backend.placement_groups


def find(backend, name):
    group = groups_of(backend).get(name)
    if group is None:
        refuse("InvalidPlacementGroup.Unknown", f"The Placement Group '{name}' is unknown.")
    return group


def create(self):
    backend, name = self.ec2_backend, self._get_param("GroupName")
    if name in groups_of(backend):
        refuse("InvalidPlacementGroup.Duplicate", f"The Placement Group '{name}' already exists.")
    strategy = self._get_param("Strategy", "cluster")
    partitions = self._get_int_param("PartitionCount")
    if strategy == "partition":
        partitions = partitions or 2
    group = PlacementGroup(backend, name, strategy, partitions)
    for specification in self._get_param("TagSpecifications", []):
        backend.create_tags(
            [group.id], {each["Key"]: each["Value"] for each in specification["Tags"]}
        )
    groups_of(backend)[name] = group
    return ActionResult({"PlacementGroup": group.described()})


def describe(self):
    names = self._get_param("GroupNames", [])
    known = groups_of(self.ec2_backend)
    chosen = [find(self.ec2_backend, name) for name in names] if names else known.values()
    return ActionResult({"PlacementGroups": [group.described() for group in chosen]})


def delete(self):
    backend, name = self.ec2_backend, self._get_param("GroupName")
    find(backend, name)
    for instance in backend.all_instances():
        if instance.placement.group_name == name and instance.state not in GONE:
            refuse(
                "InvalidPlacementGroup.InUse",
                f"The Placement Group '{name}' is in use and may not be deleted.",
            )
    del groups_of(backend)[name]
    return ActionResult({})


InstancePlacement.group_name = None
InstancePlacement.partition_number = None
Instance.capacity_reservation_specification = None
EC2Response.create_placement_group = create
EC2Response.describe_placement_groups = describe
EC2Response.delete_placement_group = delete


def check(backend, placement, instance_type):
    """Refuses a group that isn't there or takes no such machine, before anything is launched."""
    name = placement.get("GroupName")
    group = find(backend, name) if name else None
    if group and group.strategy == "cluster" and BURSTABLE.match(instance_type or ""):
        # The text of EC2, as in dstack's issue 2872.
        refuse(
            "InvalidParameterCombination",
            f"Cluster placement groups are not supported by the '{instance_type}' instance type. "
            "Specify a supported instance type or change the placement group strategy, and try again.",
        )


def place(instance, placement, reservation):
    """Remembers where a machine was placed, and what capacity it uses: `open`, unless it is told."""
    if placement.get("GroupName"):
        instance.placement.group_name = placement["GroupName"]
    instance.capacity_reservation_specification = reservation or {
        "CapacityReservationPreference": "open"
    }


def modify_reservation(self):
    instance = self.ec2_backend.get_instance(self._get_param("InstanceId"))
    if instance.state != "stopped":
        refuse(
            "IncorrectInstanceState",
            f"The instance '{instance.id}' is not in a state from which its capacity reservation "
            "can be changed: stop it first.",
        )
    instance.capacity_reservation_specification = self._get_param(
        "CapacityReservationSpecification", {}
    )
    return ActionResult({"Return": True})


EC2Response.modify_instance_capacity_reservation_attributes = modify_reservation
