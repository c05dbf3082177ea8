"""What RunInstances takes and EC2 refuses, where moto 5.2.5 does less than AWS."""

import base64
from datetime import timedelta

from credits import check_credits
from instanceTypes import check_type
from moto.core.responses import ActionResult
from moto.core.utils import utcnow
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.elastic_block_store import EBSBackend
from moto.ec2.models.instances import Instance, InstanceBackend
from moto.ec2.responses import EC2Response
from placements import check, place
from subnetAddresses import check_free

MOST_USER_DATA_BYTES = 16_384
GIB_OF_IMAGE = 8
GP3_THROUGHPUT_MIB = 125


class TooMuchUserData(EC2ClientError):
    code = "InvalidParameterValue"
    message = f"User data is limited to {MOST_USER_DATA_BYTES} bytes"


def is_too_much(decoded):
    return len(decoded) > MOST_USER_DATA_BYTES


def check_user_data(decoded):
    if is_too_much(decoded):
        raise TooMuchUserData()


def root_device_of(backend, image_id):
    images = backend.describe_images(filters={"image-id": image_id}) if image_id else []
    return images[0].root_device_name if images else "/dev/sda1"


def mappings_with_root(backend, image_id, mappings):
    """A machine has its image's root volume, whatever other volumes it is given."""
    root = root_device_of(backend, image_id)
    if any(mapping["DeviceName"] == root for mapping in mappings):
        return mappings
    own = {"VolumeSize": GIB_OF_IMAGE, "DeleteOnTermination": True}
    return [{"DeviceName": root, "Ebs": own}, *mappings]


# What the volumes of the launch that runs are told to perform, by device; one request runs at a time.
speeds = {}


def speed_of(ebs):
    """The arguments of create_volume that a mapping has values for."""
    told = {"iops": ebs.get("Iops"), "throughput": ebs.get("Throughput")}
    return {name: int(value) for name, value in told.items() if value is not None}


def add_block_device_that_performs(
    self,
    size,
    device_path,
    snapshot_id,
    encrypted,
    delete_on_termination,
    kms_key_id,
    volume_type,
):
    """moto makes a machine's volumes without what they are told to perform, so none of type io2."""
    volume = self.ec2_backend.create_volume(
        size=size,
        zone_name=self._placement.zone,
        snapshot_id=snapshot_id,
        encrypted=encrypted,
        kms_key_id=kms_key_id,
        volume_type=volume_type,
        **speeds.get(device_path, {}),
    )
    self.ec2_backend.attach_volume(volume.id, self.id, device_path, delete_on_termination)


Instance.add_block_device = add_block_device_that_performs

run_instances = InstanceBackend.run_instances


def run_what_fits(self, image_id, count, user_data, security_group_names, **named):
    template = named.get("launch_template") or {}
    data = self._get_template_from_args(template).data if template else {}
    chosen = user_data if user_data is not None else data.get("UserData")
    if chosen:
        check_user_data(base64.b64decode(str(chosen)))
    nics = named.get("nics") or []
    subnet_id = named.get("subnet_id") or next(
        (nic["SubnetId"] for nic in nics if "SubnetId" in nic), None
    )
    subnet = self.get_subnet(subnet_id) if subnet_id else None
    if subnet is not None and not any(nic.get("NetworkInterfaceId") for nic in nics):
        check_free(subnet, count)
    told = not named.get("is_instance_type_default")
    kind = named.get("instance_type") if told else data.get("InstanceType")
    zone = subnet.availability_zone if subnet else named.get("placement")
    if kind:
        check_type(self.region_name, kind, zone)
    check(self, data.get("Placement") or {}, kind)
    image = image_id or data.get("ImageId")
    given = named.get("block_device_mappings") or data.get("BlockDeviceMappings") or []
    mappings = named["block_device_mappings"] = mappings_with_root(self, image, given)
    speeds.update({each["DeviceName"]: speed_of(each["Ebs"]) for each in mappings})
    try:
        reservation = run_instances(
            self, image_id, count, user_data, security_group_names, **named
        )
    finally:
        speeds.clear()
    for instance in reservation.instances:
        instance.cpu_credits = (data.get("CreditSpecification") or {}).get("CpuCredits")
        place(
            instance, data.get("Placement") or {}, data.get("CapacityReservationSpecification")
        )
        instance.private_dns_name_options = {
            **(subnet.private_dns_name_options_on_launch if subnet else {}),
            **(data.get("PrivateDnsNameOptions") or {}),
        }
        for interface in instance.nics.values():
            # Those that were there before stay; the machine's own go with it.
            if not any(nic.get("NetworkInterfaceId") == interface.id for nic in nics):
                interface.delete_on_termination = True
    return reservation


InstanceBackend.run_instances = run_what_fits

start_instance = Instance.start


def start_at_a_time_of_its_own(self):
    """EC2 tells to the second when a machine was started last; moto, when it was first."""
    if not self.is_running():
        self.launch_time = max(utcnow(), self.launch_time + timedelta(seconds=1))
    return start_instance(self)


Instance.start = start_at_a_time_of_its_own

create_volume = EBSBackend.create_volume


def create_volume_that_performs(self, *positional, **named):
    volume = create_volume(self, *positional, **named)
    if volume.volume_type == "gp3" and volume.throughput is None:
        volume.throughput = GP3_THROUGHPUT_MIB
    return volume


EBSBackend.create_volume = create_volume_that_performs

parse_mappings = EC2Response._parse_block_device_mapping
run_response = EC2Response.run_instances


def parse_mappings_with_throughput(self):
    parsed = parse_mappings(self)
    for mapping, given in zip(parsed, self._get_param("BlockDeviceMappings", [])):
        mapping["Ebs"]["Throughput"] = given.get("Ebs", {}).get("Throughput")
    return parsed


def run_and_remember(self):
    placement = self._get_param("Placement", {})
    reservation = self._get_param("CapacityReservationSpecification")
    check(self.ec2_backend, placement, self._get_param("InstanceType"))
    told = self._get_param("CreditSpecification.CpuCredits")
    check_credits(self._get_param("InstanceType"), told)
    result = run_response(self)
    for instance in result.result.instances:
        instance.cpu_credits = told or instance.cpu_credits
        if placement.get("GroupName") or reservation:
            place(instance, placement, reservation)
        if self._get_bool_param("DisableApiTermination", False):
            instance.disable_api_termination = True
        instance.private_dns_name_options.update(self._get_param("PrivateDnsNameOptions", {}))
    return result


def modify_names(self):
    instance = self.ec2_backend.get_instance(self._get_param("InstanceId"))
    options = instance.private_dns_name_options
    kind = self._get_param("PrivateDnsHostnameType")
    if kind:
        options["HostnameType"] = kind
    for name in ("EnableResourceNameDnsARecord", "EnableResourceNameDnsAAAARecord"):
        value = self._get_bool_param(name)
        if value is not None:
            options[name] = value
    return ActionResult({"Return": True})


def set_monitoring(state):
    def act(self):
        ids = self._get_param("InstanceIds", [])
        for instance in self.ec2_backend.get_multi_instances_by_id(ids):
            instance.monitoring_state = state
        return ActionResult(
            {
                "InstanceMonitorings": [
                    {"InstanceId": each, "Monitoring": {"State": state}} for each in ids
                ]
            }
        )

    return act


Instance.private_dns_name_options = {}
EC2Response._parse_block_device_mapping = parse_mappings_with_throughput
EC2Response.run_instances = run_and_remember
EC2Response.modify_private_dns_name_options = modify_names
EC2Response.monitor_instances = set_monitoring("enabled")
EC2Response.unmonitor_instances = set_monitoring("disabled")
