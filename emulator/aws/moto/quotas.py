"""Quotas that an account has asked for, which moto 5.2.5 doesn't know.

Each request is granted at once. The quotas of EC2 are unknown before: a new account's five virtual
processors would be too few for a cluster, and every other number a guess.
"""

import json

from moto.servicequotas.models import ServiceQuotasBackend
from moto.servicequotas.responses import ServiceQuotasResponse

find_quota = ServiceQuotasBackend.get_service_quota


def granted(backend):
    return backend.__dict__.setdefault("granted", {})


def find_granted_quota(self, service_code, quota_code):
    value = granted(self).get((service_code, quota_code))
    if value is None:
        return find_quota(self, service_code, quota_code)
    return {"ServiceCode": service_code, "QuotaCode": quota_code, "Value": value}


def request_service_quota_increase(self):
    asked = json.loads(self.body)
    key = (asked["ServiceCode"], asked["QuotaCode"])
    granted(self.backend)[key] = asked["DesiredValue"]
    return json.dumps({"RequestedQuota": {**asked, "Id": "granted", "Status": "APPROVED"}})


def get_aws_default_service_quota(self):
    """The provider asks for the default first. One that was granted stands for what it was before."""
    asked = json.loads(self.body)
    quota = self.backend.get_service_quota(asked["ServiceCode"], asked["QuotaCode"])
    return json.dumps({"Quota": quota})


ServiceQuotasBackend.get_service_quota = find_granted_quota
ServiceQuotasResponse.get_aws_default_service_quota = get_aws_default_service_quota
ServiceQuotasResponse.request_service_quota_increase = request_service_quota_increase
