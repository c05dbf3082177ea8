"""Identities, where moto 5.2.5 does less than AWS.

It doesn't change whom the tokens of an OpenID Connect provider are for, fails with status 500 where an instance
profile doesn't have the role that is taken out of it, lists instance profiles of all paths, and has AWS' own policies
only when all of them are read at the start, which takes longer than everything else.
"""

import json

from moto.core.responses import ActionResult, EmptyResult
from moto.iam import models
from moto.iam.exceptions import NotFoundException
from moto.iam.responses import IamResponse

CLIENT = "ClientID"
PROVIDER = "OpenIDConnectProviderArn"


def provider_of(response):
    return response.backend.get_open_id_connect_provider(response._get_param(PROVIDER))


def add_client_id(self):
    provider, client = provider_of(self), self._get_param(CLIENT)
    if client not in provider.client_id_list:
        provider.client_id_list.append(client)
    return EmptyResult()


def remove_client_id(self):
    provider, client = provider_of(self), self._get_param(CLIENT)
    provider.client_id_list = [each for each in provider.client_id_list if each != client]
    return EmptyResult()


IamResponse.add_client_id_to_open_id_connect_provider = add_client_id
IamResponse.remove_client_id_from_open_id_connect_provider = remove_client_id

attach_role_policy = models.IAMBackend.attach_role_policy


def attach_role_policy_of_aws(self, policy_arn, role_name):
    if ":iam::aws:policy/" in policy_arn and policy_arn not in self.managed_policies:
        known = json.loads(models.aws_managed_policies_data)
        for name, data in known.items():
            if policy_arn.endswith(f"/{name}"):
                made = models.AWSManagedPolicy.from_data(
                    name, self.account_id, self.region_name, data
                )
                self.managed_policies[made.arn] = made
    return attach_role_policy(self, policy_arn, role_name)


models.IAMBackend.attach_role_policy = attach_role_policy_of_aws

remove_role_from_instance_profile = models.IAMBackend.remove_role_from_instance_profile


def remove_role_that_is_there(self, profile_name, role_name):
    names = [role.name for role in self.get_instance_profile(profile_name).roles]
    if role_name not in names:
        raise NotFoundException(f"The role with name {role_name} cannot be found.")
    return remove_role_from_instance_profile(self, profile_name, role_name)


models.IAMBackend.remove_role_from_instance_profile = remove_role_that_is_there


def list_instance_profiles_of_path(self):
    prefix = self._get_param("PathPrefix", "/")
    profiles = self.backend.get_instance_profiles()
    found = [each for each in profiles if (each.path or "/").startswith(prefix)]
    return ActionResult({"InstanceProfiles": found, "IsTruncated": False})


IamResponse.list_instance_profiles = list_instance_profiles_of_path
