"""What EC2's checks say of instances, where moto 5.2.5 says that all are well.

A check that fails is impaired, and says since when. A scheduled event stays until it is lifted. Only
running instances are described, unless all are asked for. Source: botocore's model of EC2,
DescribeInstanceStatus; EC2 user guide, "Status checks for Amazon EC2 instances".
"""

from moto.core.responses import ActionResult
from moto.ec2.responses import EC2Response

# What the parent says, by instance: lists of {"check", "since"}.
failed_checks = {}

EVENTS = {
    "retirement": ("instance-retirement", "The instance is running on degraded hardware"),
    "stop": ("instance-stop", "The instance will be stopped, its host needs to be repaired"),
}

CHECKS = {"instance": "InstanceStatus", "system": "SystemStatus", "volumes": "AttachedEbsStatus"}


def failures_of(instance):
    return {each["check"]: each["since"] for each in failed_checks.get(instance.id, ())}


def is_impaired(instance, *checks):
    return any(check in failures_of(instance) for check in checks)


def check_result(since):
    detail = {"Name": "reachability", "Status": "passed" if since is None else "failed"}
    if since is not None:
        detail["ImpairedSince"] = since
    return {"Status": "ok" if since is None else "impaired", "Details": [detail]}


def not_running():
    return {"Status": "not-applicable"}


def status_of(instance):
    failures = failures_of(instance)
    running = instance.is_running()
    status = {
        "InstanceId": instance.id,
        "AvailabilityZone": instance.placement.zone,
        "InstanceState": {"Code": instance._state.code, "Name": instance._state.name},
    }
    for check, name in CHECKS.items():
        status[name] = check_result(failures.get(check)) if running else not_running()
    events = [
        {"Code": code, "Description": description, "NotBefore": failures[name]}
        for name, (code, description) in EVENTS.items()
        if name in failures
    ]
    if events:
        status["Events"] = events
    return status


def describe(self):
    filters = [
        {"name": name, "values": values}
        for name, values in self._filters_from_querystring().items()
    ]
    instances = self.ec2_backend.describe_instance_status(
        self._get_param("InstanceIds", []),
        self._get_bool_param("IncludeAllInstances", False),
        filters,
    )
    return ActionResult({"InstanceStatuses": [status_of(each) for each in instances]})


EC2Response.describe_instance_status = describe
