"""Keys of log groups that change later, which moto 5.2.5 doesn't know."""

import json

from moto.logs.exceptions import ResourceNotFoundException
from moto.logs.responses import LogsResponse


def group_of(self):
    asked = json.loads(self.body)
    group = self.logs_backend.groups.get(asked.get("logGroupName"))
    if group is None:
        raise ResourceNotFoundException()
    return asked, group


def associate_kms_key(self):
    asked, group = group_of(self)
    group.kms_key_id = asked["kmsKeyId"]
    return "{}"


def disassociate_kms_key(self):
    group_of(self)[1].kms_key_id = None
    return "{}"


LogsResponse.associate_kms_key = associate_kms_key
LogsResponse.disassociate_kms_key = disassociate_kms_key
