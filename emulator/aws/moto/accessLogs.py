"""Access logs of load balancers, for which moto 5.2.5 takes any bucket.

AWS writes a test object when logs are turned on, and refuses a bucket that doesn't let it.
"""

import json

from moto.elbv2.exceptions import InvalidConfigurationRequest
from moto.elbv2.models import ELBv2Backend
from moto.s3.models import s3_backends

SERVICE = "delivery.logs.amazonaws.com"


def as_list(value):
    return value if isinstance(value, list) else [value]


def lets_in(bucket):
    """Whether a bucket's policy allows the service that delivers the logs of network load balancers."""
    policy = json.loads(bucket.policy) if bucket.policy else {"Statement": []}
    return any(
        statement.get("Effect") == "Allow"
        and isinstance(statement.get("Principal"), dict)
        and SERVICE in as_list(statement["Principal"].get("Service", []))
        and "s3:PutObject" in as_list(statement.get("Action", []))
        for statement in as_list(policy["Statement"])
    )


modify = ELBv2Backend.modify_load_balancer_attributes


def modify_if_logs_can_be_written(self, arn, attrs):
    if str(attrs.get("access_logs.s3.enabled")).lower() == "true":
        name = attrs.get("access_logs.s3.bucket")
        backend = s3_backends[self.account_id]["aws"]
        bucket = backend.buckets.get(name)
        if bucket is None or bucket.region_name != self.region_name or not lets_in(bucket):
            raise InvalidConfigurationRequest(
                f"Access Denied for bucket: {name}. Please check S3bucket permission"
            )
    return modify(self, arn, attrs)


ELBv2Backend.modify_load_balancer_attributes = modify_if_logs_can_be_written
