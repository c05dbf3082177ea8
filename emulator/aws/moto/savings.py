"""Has moto 5.2.5 work out once what it works out anew each time, or for nothing.

A third of its time goes into this: looking with every request at which folders it has and which
methods a class has, parsing botocore's list of regions for each service, and reading at the start
which instance types every region has. Import this before anything else of moto.
"""

import functools

import botocore.session

# Sessions share what was loaded, as the clients of one session do.
botocore.session.create_loader = functools.lru_cache(botocore.session.create_loader)

import moto.backends  # noqa: E402
import moto.core.responses as responses  # noqa: E402
from moto.utilities import utils  # noqa: E402

responses.method_names_from_class = functools.lru_cache(responses.method_names_from_class)

modules = tuple(moto.backends.list_of_moto_modules())
moto.backends.list_of_moto_modules = lambda: modules

OFFERINGS = "/instance_type_offerings/"
load_resource = utils.load_resource


def load_no_offerings(resource):
    """Stands for `load_resource` while moto's tables are imported."""
    return [] if OFFERINGS in resource else load_resource(resource)


utils.load_resource = load_no_offerings
from moto.ec2.models import instance_types  # noqa: E402

utils.load_resource = load_resource


class Offerings(dict):
    """A region's offerings by its name, read when they are asked for."""

    def __init__(self, location_type, regions):
        self.location_type = location_type
        self.regions = frozenset(regions)

    def __missing__(self, region):
        if region not in self.regions:
            raise KeyError(region)
        offerings = load_resource(f"ec2/resources{OFFERINGS}{self.location_type}/{region}.json")
        for offering in offerings:
            offering["LocationType"] = self.location_type
        self[region] = offerings
        return offerings

    def get(self, region, default=None):
        return self[region] if region in self.regions else default


for location_type, by_region in list(instance_types.INSTANCE_TYPE_OFFERINGS.items()):
    instance_types.INSTANCE_TYPE_OFFERINGS[location_type] = Offerings(location_type, by_region)
