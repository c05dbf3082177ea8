"""What instant fleets launch, where moto 5.2.5 leaves out most of what their launch template says."""

from moto.ec2.models.fleets import Fleet
from moto.ec2.utils import convert_tag_spec
from templateLaunches import launch_from

make = Fleet.__init__


def make_with_tags(self, backend, *positional):
    """The tags that a request gives to volumes are its last argument's; moto forgets them."""
    self.volume_tags = convert_tag_spec(positional[-1]).get("volume", {})
    make(self, backend, *positional)


def launcher(of_other_types, is_spot):
    def launch(self, weight):
        if self.type != "instant":
            return of_other_types(self, weight)
        chosen, added = self.get_launch_spec_counts(weight)
        for spec, count in chosen.items():
            for _ in range(count):
                launched = launch_of_fleet(self, spec, is_spot)
                self.on_demand_instances.append(
                    {"id": launched.id, "instance": launched, "launch_spec": spec}
                )
        self.fulfilled_capacity += added
        return None

    return launch


def launch_of_fleet(fleet, spec, is_spot):
    backend = fleet.ec2_backend
    named = spec.launch_template_spec
    template = backend.get_launch_template(named["LaunchTemplateId"])
    return launch_from(
        backend,
        template.get_version(named.get("Version") or template.default_version_number),
        instance_type=spec.instance_type,
        subnet=backend.get_subnet(spec.subnet_id) if spec.subnet_id else None,
        zone=None if spec.subnet_id else (spec.overrides or {}).get("AvailabilityZone"),
        is_spot=is_spot,
        tags={
            "instance": spec.tag_specifications.get("instance", {}),
            "volume": {**spec.tag_specifications.get("volume", {}), **fleet.volume_tags},
        },
        image_id=spec.image_id,
    )


build = Fleet._build_instance_data


def build_by_its_own(instance, lifecycle, launch_spec):
    return build(instance, "spot" if instance.lifecycle == "spot" else lifecycle, launch_spec)


Fleet.__init__ = make_with_tags
Fleet.create_on_demand_requests = launcher(Fleet.create_on_demand_requests, False)
Fleet.create_spot_requests = launcher(Fleet.create_spot_requests, True)
Fleet._build_instance_data = staticmethod(build_by_its_own)
