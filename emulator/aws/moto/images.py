"""Images of an account's own, where moto 5.2.5 keeps only their names, and the import of their disks,
which it lacks. An import takes minutes at AWS; here it is done at once."""

import json

from moto.core.responses import ActionResult
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models import amis
from moto.ec2.responses import EC2Response
from moto.iam.models import iam_backends
from moto.s3.models import s3_backends

GIB_OF_DISK = 10
SERVICE = "vmie.amazonaws.com"


def refuse(code, message):
    raise EC2ClientError(code, message)


def check_name(backend, name):
    """An owner's names are unique in a region."""
    for image in backend.amis.values():
        if image.name == name and image.owner_id == backend.account_id:
            refuse("InvalidAMIName.Duplicate", f"AMI name {name} is already in use by AMI {image.id}")


def make_image(backend, name, description, settings):
    image = amis.Ami(
        backend,
        amis.random_ami_id(),
        name=name,
        description=description,
        hypervisor="xen",
        root_device_type="ebs",
        region_name=f"{backend.region_name}a",
        **{key: settings[key] for key in ("architecture", "virtualization_type", "boot_mode")},
        root_device_name=settings["root_device_name"],
    )
    image.own_mappings = settings["mappings"]
    image.ena_support = settings["ena_support"]
    image.imds_support = settings["imds_support"]
    image.sriov = settings["sriov"]
    backend.amis[image.id] = image
    return image


guessed_mappings = amis.Ami.block_device_mappings.fget
amis.Ami.own_mappings = None
amis.Ami.ena_support = True
amis.Ami.imds_support = "v2.0"
amis.Ami.sriov_net_support = property(lambda image: image.sriov)
amis.Ami.block_device_mappings = property(
    lambda image: guessed_mappings(image) if image.own_mappings is None else image.own_mappings
)


def mapping_of(backend, given):
    ebs = given.get("Ebs", {})
    [snapshot] = backend.describe_snapshots([ebs["SnapshotId"]])
    return {
        "DeviceName": given["DeviceName"],
        "Ebs": {
            "SnapshotId": snapshot.id,
            "VolumeSize": int(ebs.get("VolumeSize") or snapshot.volume_size),
            "VolumeType": ebs.get("VolumeType") or "standard",
            "DeleteOnTermination": str(ebs.get("DeleteOnTermination", True)).lower() != "false",
            "Encrypted": snapshot.encrypted,
        },
    }


def register_image(self):
    backend = self.ec2_backend
    name = self._get_param("Name")
    check_name(backend, name)
    image = make_image(
        backend,
        name,
        self._get_param("Description", ""),
        {
            "architecture": self._get_param("Architecture", "i386"),
            "virtualization_type": self._get_param("VirtualizationType", "paravirtual"),
            "boot_mode": self._get_param("BootMode"),
            "root_device_name": self._get_param("RootDeviceName"),
            "ena_support": self._get_bool_param("EnaSupport", False),
            "imds_support": self._get_param("ImdsSupport"),
            "sriov": self._get_param("SriovNetSupport"),
            "mappings": [
                mapping_of(backend, each) for each in self._get_param("BlockDeviceMappings", [])
            ],
        },
    )
    return ActionResult({"ImageId": image.id})


def copy_image(self):
    """A copy has snapshots of its own, which its tags and permissions aren't copied to."""
    from moto.ec2.models import ec2_backends

    backend = self.ec2_backend
    source = ec2_backends[backend.account_id][self._get_param("SourceRegion")].describe_images(
        ami_ids=[self._get_param("SourceImageId")]
    )[0]
    name = self._get_param("Name") or source.name
    check_name(backend, name)
    mappings = []
    for given in source.block_device_mappings:
        snapshot = make_snapshot(backend, given["Ebs"]["VolumeSize"], "Copied")
        mappings.append({**given, "Ebs": {**given["Ebs"], "SnapshotId": snapshot.id}})
    image = make_image(
        backend,
        name,
        self._get_param("Description") or source.description,
        {
            "architecture": source.architecture,
            "virtualization_type": source.virtualization_type,
            "boot_mode": source.boot_mode,
            "root_device_name": source.root_device_name,
            "ena_support": source.ena_support,
            "imds_support": source.imds_support,
            "sriov": source.sriov,
            "mappings": mappings,
        },
    )
    return ActionResult({"ImageId": image.id})


def make_snapshot(backend, gib, description):
    volume = backend.create_volume(size=gib, zone_name=f"{backend.region_name}a")
    snapshot = backend.create_snapshot(volume.id, description)
    backend.delete_volume(volume.id)
    return snapshot


def check_role(backend, name):
    """VM Import needs a role that trusts it."""
    roles = iam_backends[backend.account_id]["aws"].roles.values()
    trusts = [role.assume_role_policy_document for role in roles if role.name == name]
    if not any(SERVICE in json.dumps(json.loads(each)) for each in trusts):
        refuse(
            "InvalidParameter",
            f"The service role {name} provided does not exist or does not have sufficient permissions",
        )


def import_snapshot(self):
    backend = self.ec2_backend
    check_role(backend, self._get_param("RoleName", "vmimport"))
    container = self._get_param("DiskContainer", {})
    place = container.get("UserBucket", {})
    buckets = s3_backends[backend.account_id]["aws"].buckets
    bucket = buckets.get(place.get("S3Bucket"))
    if bucket is None or place.get("S3Key") not in bucket.keys:
        refuse(
            "InvalidParameter",
            "The given S3 object does not exist or is not accessible: "
            f"{place.get('S3Bucket')}/{place.get('S3Key')}",
        )
    snapshot = make_snapshot(backend, GIB_OF_DISK, "")
    task_id = snapshot.id.replace("snap-", "import-snap-")
    # The given description is the task's alone.
    snapshot.description = f"Created by AWS-VMImport service for {task_id}"
    task = {
        "ImportTaskId": task_id,
        "Description": self._get_param("Description", ""),
        "SnapshotTaskDetail": {
            "SnapshotId": snapshot.id,
            "Status": "completed",
            "Format": container.get("Format"),
        },
    }
    tasks_of(backend)[task["ImportTaskId"]] = task
    return ActionResult(task)


def tasks_of(backend):
    if not hasattr(backend, "import_snapshot_tasks"):
        backend.import_snapshot_tasks = {}
    return backend.import_snapshot_tasks


def describe_import_snapshot_tasks(self):
    tasks = tasks_of(self.ec2_backend)
    asked = self._get_param("ImportTaskIds", []) or list(tasks)
    return ActionResult({"ImportSnapshotTasks": [tasks[each] for each in asked if each in tasks]})


modify_attribute = EC2Response.modify_image_attribute


def modify_image(self):
    """moto changes only who may use an image."""
    description = self._get_param("Description")
    if description is None:
        return modify_attribute(self)
    [image] = self.ec2_backend.describe_images(ami_ids=[self._get_param("ImageId")])
    image.description = description.get("Value", "")
    return ActionResult({})


EC2Response.modify_image_attribute = modify_image
EC2Response.register_image = register_image
EC2Response.copy_image = copy_image
EC2Response.import_snapshot = import_snapshot
EC2Response.describe_import_snapshot_tasks = describe_import_snapshot_tasks
