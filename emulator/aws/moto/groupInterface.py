"""Calls that make, change and delete auto scaling groups, where moto 5.2.5 knows less of them."""

from groupSizes import find, terminate
from moto.autoscaling import models, responses
from moto.autoscaling.exceptions import AutoscalingClientError, ValidationError
from moto.core.responses import ActionResult, EmptyResult

Response = responses.AutoScalingResponse


class ResourceInUse(AutoscalingClientError):
    code = "ResourceInUse"


# What moto keeps of a group only when it is made, or not at all.
REMEMBERED = {
    "CapacityRebalance": "capacity_rebalance",
    "CapacityReservationSpecification": "capacity_reservation_specification",
    "DefaultCooldown": "default_cooldown",
    "DefaultInstanceWarmup": "default_instance_warmup",
    "MaxInstanceLifetime": "max_instance_lifetime",
    "PlacementGroup": "placement_group",
    "TerminationPolicies": "termination_policies",
}


def remember(response, group):
    for name, attribute in REMEMBERED.items():
        value = response._get_param(name)
        if value is not None:
            setattr(group, attribute, value)


def check_sizes(low, wanted, high):
    if low > high:
        raise ValidationError("Max bound must be greater than or equal to min bound")
    if wanted is not None and not low <= wanted <= high:
        raise ValidationError(
            f"Desired capacity:{wanted} must be between the specified min size:{low} and max "
            f"size:{high}"
        )


create_group = Response.create_auto_scaling_group


def create_and_remember(self):
    name = self._get_param("AutoScalingGroupName")
    if name in self.autoscaling_backend.autoscaling_groups:
        raise AutoscalingClientError(
            "AlreadyExists",
            "AutoScalingGroup by this name already exists - A group with the name "
            f"{name} already exists",
        )
    check_sizes(
        self._get_int_param("MinSize"),
        self._get_int_param("DesiredCapacity"),
        self._get_int_param("MaxSize"),
    )
    result = create_group(self)
    remember(self, find(self.autoscaling_backend, name))
    return result


def number(response, name, otherwise):
    value = response._get_int_param(name)
    return otherwise if value is None else value


def update_group(self):
    """What isn't mentioned stays; a launch template takes the place of a policy and the reverse."""
    group = find(self.autoscaling_backend, self._get_param("AutoScalingGroupName"))
    low = number(self, "MinSize", group.min_size)
    high = number(self, "MaxSize", group.max_size)
    asked = self._get_int_param("DesiredCapacity")
    check_sizes(low, asked, high)
    group.min_size, group.max_size = low, high
    group._set_azs_and_vpcs(
        self._get_param("AvailabilityZones", []), self._get_param("VPCZoneIdentifier"), update=True
    )
    template = self._get_param("LaunchTemplate")
    policy = self._get_param("MixedInstancesPolicy")
    if template or policy:
        group.mixed_instances_policy = policy
        group._set_launch_configuration(None, template, policy)
        if policy:
            group.provided_launch_template_version = None
    remember(self, group)
    group.health_check_grace_period = number(
        self, "HealthCheckGracePeriod", group.health_check_grace_period
    )
    group.health_check_type = self._get_param("HealthCheckType") or group.health_check_type
    protect = self._get_bool_param("NewInstancesProtectedFromScaleIn", None)
    if protect is not None:
        group.new_instances_protected_from_scale_in = protect
    group.set_desired_capacity(
        min(max(group.desired_capacity, low), high) if asked is None else asked
    )
    return EmptyResult()


def delete_group(self):
    backend = self.autoscaling_backend
    group = find(backend, self._get_param("AutoScalingGroupName"))
    if group.instances and not self._get_bool_param("ForceDelete", False):
        raise ResourceInUse(
            "You cannot delete an AutoScalingGroup while there are instances or pending Spot "
            "instance request(s) still in the group."
        )
    # By force, AWS ends lifecycle actions too.
    ending = group.instances
    group.instance_states, group.held_instances = [], []
    backend.elbv2_backend.notify_terminate_instances([state.instance.id for state in ending])
    for state in ending:
        terminate(group, state)
    for hook in backend.describe_lifecycle_hooks(group.name):
        backend.delete_lifecycle_hook(group.name, hook.name)
    deleted_groups(backend).append(backend.autoscaling_groups.pop(group.name))
    return EmptyResult()


def template_of(group):
    """A group with a mixed instances policy has its template in there, and none beside it."""
    if group.ec2_launch_template is None or group.mixed_instances_policy:
        return None
    return {
        "LaunchTemplateId": group.ec2_launch_template.id,
        "LaunchTemplateName": group.ec2_launch_template.name,
        "Version": group.provided_launch_template_version,
    }


make_hook = models.LifecycleHook.__init__


def make_plain_hook(self, *positional, **named):
    """A hook that notifies no one has neither a role nor a queue; moto gives it its own."""
    make_hook(self, *positional, **named)
    self.role_arn = self.notification_target_arn = None


Response.create_auto_scaling_group = create_and_remember
models.LifecycleHook.__init__ = make_plain_hook
# What AWS tells of a group that chose nothing.
models.FakeAutoScalingGroup.capacity_reservation_specification = {
    "CapacityReservationPreference": "default"
}
Response.update_auto_scaling_group = update_group
Response.delete_auto_scaling_group = delete_group
models.FakeAutoScalingGroup.launch_template = property(template_of)


def deleted_groups(backend):
    """AWS tells for six weeks what deleted groups did."""
    return backend.__dict__.setdefault("deleted_groups", [])


def describe_activities(self):
    backend = self.autoscaling_backend
    name = self._get_param("AutoScalingGroupName")
    if self._get_bool_param("IncludeDeletedGroups", False):
        groups = [*backend.autoscaling_groups.values(), *deleted_groups(backend)]
        chosen = [group for group in groups if name in (None, group.name)]
    else:
        chosen = [find(backend, name)] if name else backend.autoscaling_groups.values()
    return ActionResult({"Activities": [a for g in chosen for a in getattr(g, "activities", [])]})


Response.describe_scaling_activities = describe_activities
