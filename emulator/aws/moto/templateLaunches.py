"""Launches from a version of a launch template, as auto scaling groups and fleets make them."""


def launch_from(backend, version, *, instance_type, subnet, zone, is_spot, tags, image_id=None):
    """Launches one instance, with all that the template says."""
    data = version.data
    nics = [
        {**nic, **({"SubnetId": subnet.id} if subnet else {})}
        for nic in data.get("NetworkInterfaces") or []
    ]
    mappings = data.get("BlockDeviceMappings")
    profile = data.get("IamInstanceProfile") or {}
    reservation = backend.run_instances(
        image_id or data.get("ImageId"),
        1,
        version.user_data,
        data.get("SecurityGroups") or [],
        instance_type=instance_type,
        is_instance_type_default=False,
        region_name=backend.region_name,
        placement=zone,
        subnet_id=subnet.id if subnet else None,
        key_name=data.get("KeyName"),
        security_group_ids=data.get("SecurityGroupIds") or [],
        nics=nics,
        associate_public_ip=None,
        ebs_optimized=data.get("EbsOptimized") or False,
        disable_api_termination=data.get("DisableApiTermination") or False,
        disable_api_stop=data.get("DisableApiStop") or False,
        instance_initiated_shutdown_behavior=data.get("InstanceInitiatedShutdownBehavior"),
        instance_market_options="spot" if is_spot else None,
        metadata_options=data.get("MetadataOptions") or {},
        monitoring_state="enabled" if (data.get("Monitoring") or {}).get("Enabled") else "disabled",
        launch_template={
            "LaunchTemplateId": version.template.id,
            "Version": str(version.number),
        },
        tags=tags,
        **({"block_device_mappings": with_sizes(mappings)} if mappings else {}),
    )
    instance = reservation.instances[0]
    if profile:
        backend.associate_iam_instance_profile(
            instance_id=instance.id,
            iam_instance_profile_name=profile.get("Name"),
            iam_instance_profile_arn=profile.get("Arn"),
        )
    return instance


def with_sizes(mappings):
    """A volume that is told no size has that of the image."""
    volumes = [mapping.get("Ebs") or {} for mapping in mappings]
    return [
        {**mapping, "Ebs": {**volume, "VolumeSize": volume.get("VolumeSize") or 8}}
        for mapping, volume in zip(mappings, volumes)
    ]
