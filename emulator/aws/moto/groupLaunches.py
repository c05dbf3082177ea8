"""What auto scaling groups launch, where moto 5.2.5 launches less than AWS.

One instance at a time from the version of the template that the group names, in the zone that has
the fewest, as on-demand or spot and with the types of a mixed instances policy.
"""

import base64
import fnmatch
import math
from collections import Counter

from credits import is_burstable
from instanceTypes import problem_of
from launches import TooMuchUserData, is_too_much
from moto.autoscaling import models
from moto.autoscaling.exceptions import ValidationError
from moto.core.types import Base64EncodedString
from moto.ec2.models import launch_templates
from moto.ec2.models.instance_types import INSTANCE_TYPE_OFFERINGS, INSTANCE_TYPES
from templateLaunches import launch_from

Group = models.FakeAutoScalingGroup


def user_data_of(version):
    """A template's first version holds user data as moto wants it, later ones as plain text."""
    data = version.data.get("UserData")
    return Base64EncodedString(data) if isinstance(data, str) and data else data or None


launch_templates.LaunchTemplateVersion.user_data = property(user_data_of)
create_template = launch_templates.LaunchTemplateBackend.create_launch_template


def create_template_apart_from_its_tags(self, name, description, template_data, tag_spec):
    """A template's own tags are no part of what it launches."""
    specified = template_data.pop("TagSpecifications", [])
    launched = [each for each in specified if each["ResourceType"] != "launch-template"]
    if launched:
        template_data["TagSpecifications"] = launched
    return create_template(self, name, description, template_data, tag_spec)


launch_templates.LaunchTemplateBackend.create_launch_template = create_template_apart_from_its_tags
# moto tells of the tags that a template was made with, whatever has become of them.
launch_templates.LaunchTemplate.tags = property(
    lambda template: template.get_tags(), lambda template, tags: None
)


def template_version(group, override=None):
    """The version of the template that an instance is launched from."""
    named = (override or {}).get("LaunchTemplateSpecification")
    if named is None:
        return group.ec2_launch_template.get_version(group.launch_template_version)
    backend = group.ec2_backend
    template = (
        backend.get_launch_template(named["LaunchTemplateId"])
        if named.get("LaunchTemplateId")
        else backend.get_launch_template_by_name(named["LaunchTemplateName"])
    )
    return template.get_version(named.get("Version") or "$Default")


def overrides_of(group):
    policy = group.mixed_instances_policy or {}
    return policy.get("LaunchTemplate", {}).get("Overrides") or []


def is_spot(state):
    return state.instance.lifecycle == "spot"


def wants_spot(group):
    """Whether the next instance is a spot one; on-demand ones come first, rounded up."""
    if not group.mixed_instances_policy:
        options = template_version(group).data.get("InstanceMarketOptions") or {}
        return options.get("MarketType") == "spot"
    distribution = group.mixed_instances_policy.get("InstancesDistribution") or {}
    base = int(distribution.get("OnDemandBaseCapacity") or 0)
    share = distribution.get("OnDemandPercentageAboveBaseCapacity")
    above = max(0, group.desired_capacity - base)
    wanted = base + math.ceil(above * (100 if share is None else int(share)) / 100)
    return sum(not is_spot(state) for state in group.instance_states) >= wanted


def choose_override(group, spot):
    """On demand the first type; of spot, each type is a pool, and the emptiest one has capacity."""
    overrides = overrides_of(group)
    if not overrides:
        return None
    if not spot:
        return overrides[0]
    spots = [state.instance for state in group.instance_states if is_spot(state)]
    used = Counter(instance.instance_type for instance in spots)
    return min(overrides, key=lambda override: used[override.get("InstanceType")])


def subnets_of(group):
    if not group.vpc_zone_identifier:
        return []
    wanted = group.vpc_zone_identifier.split(",")
    found = {subnet.id: subnet for subnet in group.ec2_backend.describe_subnets(wanted)}
    return [found[each] for each in wanted]


def choose_subnet(group):
    """The emptiest subnet in the emptiest zone, and of equal ones the first."""
    zones = Counter(state.availability_zone for state in group.instance_states)
    used = Counter(state.instance.subnet_id for state in group.instance_states)
    return min(
        subnets_of(group),
        key=lambda subnet: (zones[subnet.availability_zone], used[subnet.id]),
    )


def bounds(given, name):
    limits = given.get(name) or {}
    return int(limits.get("Min") or 0), float(limits.get("Max") or math.inf)


def plain(info):
    """Without GPUs and other accelerators."""
    return not any(info.get(f"{kind}Info") for kind in ("Gpu", "Fpga", "InferenceAccelerator"))


def matches(patterns, instance_type):
    return any(fnmatch.fnmatchcase(instance_type, pattern) for pattern in patterns or [])


def offered_types(group):
    """The types that every zone of a group has."""
    offerings = INSTANCE_TYPE_OFFERINGS["availability-zone"].get(group.region) or []
    zones = group.availability_zones
    found = Counter(each["InstanceType"] for each in offerings if each["Location"] in zones)
    return {name for name, count in found.items() if count == len(zones)}


def fitting_type(group, required, architecture):
    """The smallest type that has what is required, by its name among equal ones; None without one."""
    offered = offered_types(group)
    accelerators = required.get("AcceleratorCount") or {}
    least_cores, most_cores = bounds(required, "VCpuCount")
    least_mib, most_mib = bounds(required, "MemoryMiB")
    allowed, excluded = required.get("AllowedInstanceTypes"), required.get("ExcludedInstanceTypes")

    def fits(name, info):
        return (
            name in offered
            and (accelerators.get("Max") is None or int(accelerators["Max"]) > 0 or plain(info))
            and architecture in info["ProcessorInfo"]["SupportedArchitectures"]
            and least_cores <= info["VCpuInfo"]["DefaultVCpus"] <= most_cores
            and least_mib <= info["MemoryInfo"]["SizeInMiB"] <= most_mib
            and (info.get("CurrentGeneration") or required.get("InstanceGenerations") != ["current"])
            and (
                not info.get("BurstablePerformanceSupported")
                or required.get("BurstablePerformance") == "included"
            )
            and not info.get("BareMetal")
            and (not allowed or matches(allowed, name))
            and not matches(excluded, name)
        )

    fitting = [
        (info["VCpuInfo"]["DefaultVCpus"], info["MemoryInfo"]["SizeInMiB"], name)
        for name, info in INSTANCE_TYPES.items()
        if fits(name, info)
    ]
    return min(fitting)[2] if fitting else None


def type_of(group, override, data):
    """The type of a machine: that of the override, that which has what it requires, the template's."""
    required = (override or {}).get("InstanceRequirements")
    if not required:
        return (override or {}).get("InstanceType") or data.get("InstanceType")
    images = group.ec2_backend.describe_images(filters={"image-id": data.get("ImageId")})
    return fitting_type(group, required, images[0].architecture) if images else None


def check_template(group, override=None):
    """Refuses what EC2 would refuse to launch, as Auto Scaling does when it is told of it."""
    version = template_version(group, override)
    data = version.data
    problem = None
    image_id = data.get("ImageId")
    images = group.ec2_backend.describe_images(filters={"image-id": image_id}) if image_id else []
    instance_type = type_of(group, override, data)
    known = INSTANCE_TYPES.get(instance_type or "", {}).get("ProcessorInfo", {})
    architectures = known.get("SupportedArchitectures")
    if not image_id:
        problem = "The request must contain the parameter ImageId"
    elif not images:
        problem = f"The image id '[{image_id}]' does not exist"
    elif not instance_type and (override or {}).get("InstanceRequirements"):
        problem = "No instance type satisfies the instance requirements"
    elif not instance_type:
        problem = "The request must contain the parameter InstanceType"
    elif problem_of(group.region, instance_type) is not None:
        _, problem = problem_of(group.region, instance_type)
    elif architectures and images[0].architecture not in architectures:
        problem = (
            f"The architecture '{','.join(architectures)}' of the specified instance type does not "
            f"match the architecture '{images[0].architecture}' of the specified AMI. Specify an "
            "instance type and an AMI that have matching architectures, and try again"
        )
    elif data.get("CreditSpecification") and not is_burstable(instance_type):
        problem = f"The {instance_type} instance type does not support T2 Unlimited."
    if version.user_data and is_too_much(base64.b64decode(str(version.user_data))):
        problem = TooMuchUserData.message
    for group_id in groups_of(data):
        if group.ec2_backend.get_security_group_from_id(group_id) is None:
            problem = f"The security group '{group_id}' does not exist"
    if problem is not None:
        raise ValidationError(f"You must use a valid fully-formed launch template. {problem}")


def groups_of(data):
    nics = data.get("NetworkInterfaces") or []
    return (data.get("SecurityGroupIds") or []) + [
        group_id for nic in nics for group_id in nic.get("Groups") or []
    ]


def launch_one(group):
    spot = wants_spot(group)
    override = choose_override(group, spot) or {}
    version = template_version(group, override)
    data = version.data
    specified = launch_templates.convert_tag_spec(data.get("TagSpecifications") or [])
    tags = {models.ASG_NAME_TAG: group.name, **specified.get("instance", {})}
    tags.update(group.get_propagated_tags())
    subnet = choose_subnet(group) if group.vpc_zone_identifier else None
    instance = launch_from(
        group.ec2_backend,
        version,
        instance_type=type_of(group, override, data),
        subnet=subnet,
        zone=None if subnet else group.availability_zones[0],
        is_spot=spot,
        tags={"instance": tags, "volume": specified.get("volume", {})},
    )
    instance.autoscaling_group = group
    state = models.InstanceState(
        instance, protected_from_scale_in=group.new_instances_protected_from_scale_in
    )
    state.version = version
    group.instance_states.append(state)
    record(group, f"Launching a new EC2 instance: {instance.id}")


def record(group, description):
    activity = models.Activity(description, "", group, status_code="Successful")
    activity.end_time = activity.start_time
    activity.progress = 100
    group.__dict__.setdefault("activities", []).insert(0, activity)
    return activity


def launch(group, count, _tags=None):
    for _ in range(count):
        launch_one(group)


def launched_from(state):
    version = getattr(state, "version", None)
    return version and {
        "LaunchTemplateId": version.template.id,
        "LaunchTemplateName": version.template.name,
        "Version": str(version.number),
    }


models.InstanceState.launch_template = property(launched_from)
Group.replace_autoscaling_group_instances = launch
