"""Changes of volumes, which moto 5.2.5 tells less of than AWS.

AWS tells of a volume's last change only, and of everything that the volume was and is: what a change leaves
alone, too. Source: the EC2 API's DescribeVolumesModifications and VolumeModification.
"""

from moto.ec2.models.elastic_block_store import EBSBackend, VolumeModification

ASPECTS = ("size", "volume_type", "iops", "throughput", "multi_attach_enabled")

make = VolumeModification.__init__
describe = EBSBackend.describe_volumes_modifications


def make_whole(self, volume, **targets):
    before = {aspect: getattr(volume, aspect, None) for aspect in ASPECTS}
    make(self, volume, **targets)
    for aspect, value in before.items():
        wanted = targets.get(f"target_{aspect}")
        setattr(self, f"original_{aspect}", value)
        setattr(self, f"target_{aspect}", value if wanted is None else wanted)


def describe_last(self, volume_ids=None, filters=None):
    last = {each.volume_id: each for each in describe(self, volume_ids, filters)}
    return list(last.values())


VolumeModification.__init__ = make_whole
EBSBackend.describe_volumes_modifications = describe_last
