"""The CPU credits of burstable machines, which moto 5.2.1 calls standard whatever they were told.

Sources: terraform-provider-aws issues 5067 and 8055; the default by family is in the EC2 user guide,
"Unlimited mode for burstable performance instances".
"""

from moto.core.responses import ActionResult
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.instance_types import INSTANCE_TYPES
from moto.ec2.responses import EC2Response


def is_burstable(instance_type):
    return bool(INSTANCE_TYPES.get(instance_type, {}).get("BurstablePerformanceSupported"))


def credits_of(instance):
    """What a machine was told, or else the default of its family."""
    default = "standard" if instance.instance_type.startswith("t2.") else "unlimited"
    return getattr(instance, "cpu_credits", None) or default


def check_credits(instance_type, told):
    if told and not is_burstable(instance_type):
        raise EC2ClientError(
            "InstanceCreditSpecification.NotSupported",
            f"The {instance_type} instance type does not support T2 Unlimited.",
        )


def describe(self):
    ids = self._get_param("InstanceIds", [])
    machines = self.ec2_backend.describe_instance_credit_specifications(ids)
    for machine in machines:
        check_credits(machine.instance_type, True)
    return ActionResult(
        {
            "InstanceCreditSpecifications": [
                {"InstanceId": machine.id, "CpuCredits": credits_of(machine)}
                for machine in machines
            ]
        }
    )


def modify(self):
    done = []
    for told in self._get_param("InstanceCreditSpecifications", []):
        machine = self.ec2_backend.get_instance(told["InstanceId"])
        check_credits(machine.instance_type, True)
        machine.cpu_credits = told["CpuCredits"]
        done.append({"InstanceId": machine.id})
    return ActionResult({"SuccessfulInstanceCreditSpecifications": done})


EC2Response.describe_instance_credit_specifications = describe
EC2Response.modify_instance_credit_specification = modify
