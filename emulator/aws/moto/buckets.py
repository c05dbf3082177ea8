"""Buckets, where moto 5.2.5 does less than AWS.

It leaves out the conditions of their policies, fails to delete the mark that an object is deleted, and
forgets how many older versions of an object are to be kept, and the tags that come with a new bucket.
What reaches the emulated cloud counts as having come by TLS, which AWS' own endpoints speak.
"""

import json

import xmltodict
from moto.iam.access_control import IAMPolicy, PermissionResult
from moto.s3.models import FakeBucket, FakeDeleteMarker
from moto.s3.responses import S3Response

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


create_or_change = S3Response._bucket_response_put


def create_with_tags(self, request, bucket_name, querystring):
    """Newer clients give a bucket its tags with the call that makes it."""
    answer = create_or_change(self, request, bucket_name, querystring)
    tags = [] if querystring else tags_in(self.body)
    if tags:
        self.backend.put_bucket_tagging(bucket_name, tags)
    return answer


def tags_in(body):
    given = (xmltodict.parse(body) if body else {}).get("CreateBucketConfiguration") or {}
    told = (given.get("Tags") or {}).get("Tag") or []
    tags = told if isinstance(told, list) else [told]
    return {each["Key"]: each["Value"] or "" for each in tags}


S3Response._bucket_response_put = create_with_tags
FakeBucket.get_permission = permission
# Unlike an object it holds no file.
FakeDeleteMarker.dispose = lambda self, garbage=False: None

set_lifecycle = FakeBucket.set_lifecycle
get_lifecycle = S3Response.get_bucket_lifecycle


def set_lifecycle_with_versions(self, rules):
    set_lifecycle(self, rules)
    for kept, given in zip(self.rules, rules):
        expiration = given.get("NoncurrentVersionExpiration") or {}
        kept.newer_noncurrent_versions = expiration.get("NewerNoncurrentVersions")


def get_lifecycle_with_versions(self):
    rules = self.backend.get_bucket_lifecycle(self.bucket_name)
    serialize = self.serialized

    def with_versions(answer):
        for told, rule in zip(answer.result["Rules"], rules):
            versions = getattr(rule, "newer_noncurrent_versions", None)
            if versions is not None:
                told["NoncurrentVersionExpiration"]["NewerNoncurrentVersions"] = int(versions)
        return serialize(answer)

    self.serialized = with_versions
    try:
        return get_lifecycle(self)
    finally:
        del self.serialized


FakeBucket.set_lifecycle = set_lifecycle_with_versions
S3Response.get_bucket_lifecycle = get_lifecycle_with_versions
