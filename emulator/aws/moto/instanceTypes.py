"""Which instance types exist, where moto 5.2.1 starts a machine of any type in any zone.

Sources of the messages: terraform-provider-aws issues 37849 and 19138, moto issue 1695.
"""

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.instance_types import INSTANCE_TYPE_OFFERINGS, INSTANCE_TYPES
from moto.ec2.models.instances import InstanceBackend


def zones_with(region, instance_type):
    """The zones of a region that offer a type; None for a region without a list."""
    offerings = INSTANCE_TYPE_OFFERINGS["availability-zone"].get(region)
    return offerings and sorted(
        each["Location"] for each in offerings if each["InstanceType"] == instance_type
    )


def problem_of(region, instance_type, zone=None):
    """Why EC2 starts no machine of a type, as code and message; None if it does."""
    zones = zones_with(region, instance_type)
    if instance_type not in INSTANCE_TYPES or zones == []:
        return "InvalidParameterValue", f"Invalid value '{instance_type}' for InstanceType."
    if zone is None or zones is None or zone in zones:
        return None
    return (
        "Unsupported",
        f"Your requested instance type ({instance_type}) is not supported in your requested "
        f"Availability Zone ({zone}). Please retry your request by not specifying an Availability "
        f"Zone or choosing {', '.join(zones)}.",
    )


def check_type(region, instance_type, zone=None):
    problem = problem_of(region, instance_type, zone)
    if problem is not None:
        raise EC2ClientError(*problem)


modify_attribute = InstanceBackend.modify_instance_attribute


def modify_to_what_exists(self, instance_id, key, value):
    if key == "instance_type" and value not in INSTANCE_TYPES:
        raise EC2ClientError(
            "InvalidParameterValue",
            f"The following supplied instance types do not exist: [{value}]",
        )
    return modify_attribute(self, instance_id, key, value)


InstanceBackend.modify_instance_attribute = modify_to_what_exists
