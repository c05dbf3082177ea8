"""Buckets, where moto 5.2.1 does less than AWS.

It leaves out the conditions of their policies, and fails to delete the mark that an object is deleted.
What reaches the emulated cloud counts as having come by TLS, which AWS' own endpoints speak.
"""

import json

from moto.iam.access_control import IAMPolicy, PermissionResult
from moto.s3.models import FakeBucket, FakeDeleteMarker

ONLY_WITHOUT_TLS = {"Bool": {"aws:SecureTransport": "false"}}


def permission(self, action, resource):
    if self.policy is None:
        return PermissionResult.NEUTRAL
    policy = json.loads(self.policy)
    given = policy["Statement"]
    statements = given if isinstance(given, list) else [given]
    judged = [each for each in statements if each.get("Condition") != ONLY_WITHOUT_TLS]
    return IAMPolicy(json.dumps({**policy, "Statement": judged})).is_action_permitted(
        action, resource
    )


FakeBucket.get_permission = permission
# Unlike an object it holds no file.
FakeDeleteMarker.dispose = lambda self, garbage=False: None
