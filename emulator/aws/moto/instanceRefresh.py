"""Instance refresh, which moto 5.2.1 has not: a group replaces its instances a few at a time.

An instance counts as warmed up after a time that whoever starts this chooses, when the group asks
for a longer one.
"""

import time

from groupLaunches import template_version
from groupSizes import end, find, level
from moto.autoscaling import models, responses
from moto.autoscaling.exceptions import AutoscalingClientError
from moto.core.responses import ActionResult
from moto.core.utils import utcnow

ENDED = ("Successful", "Failed", "Cancelled")

Response = responses.AutoScalingResponse


class InstanceRefreshInProgress(AutoscalingClientError):
    code = "InstanceRefreshInProgress"


class ActiveInstanceRefreshNotFound(AutoscalingClientError):
    code = "ActiveInstanceRefreshNotFound"


def start_refresh(self):
    group = find(self.autoscaling_backend, self._get_param("AutoScalingGroupName"))
    if any(refresh["Status"] not in ENDED for refresh in refreshes_of(group)):
        raise InstanceRefreshInProgress(
            "An Instance Refresh is already in progress and blocks the execution of this Instance "
            "Refresh."
        )
    preferences = self._get_param("Preferences") or {}
    wanted = template_version(group)
    refresh = {
        "InstanceRefreshId": str(models.random.uuid4()),
        "AutoScalingGroupName": group.name,
        "Status": "Pending",
        "StartTime": utcnow(),
        "Strategy": self._get_param("Strategy") or "Rolling",
        "Preferences": preferences,
        "pending": [
            state
            for state in group.instance_states
            if not (preferences.get("SkipMatching") and getattr(state, "version", None) is wanted)
        ],
        "not_before": 0.0,
    }
    refresh["of"] = len(refresh["pending"])
    report(refresh)
    refreshes_of(group).insert(0, refresh)
    return ActionResult({"InstanceRefreshId": refresh["InstanceRefreshId"]})


def cancel_refresh(self):
    group = find(self.autoscaling_backend, self._get_param("AutoScalingGroupName"))
    for refresh in refreshes_of(group):
        if refresh["Status"] not in ENDED:
            finish(refresh, "Cancelled")
            return ActionResult({"InstanceRefreshId": refresh["InstanceRefreshId"]})
    raise ActiveInstanceRefreshNotFound("No in progress or pending Instance Refresh found.")


def describe_refreshes(self):
    group = find(self.autoscaling_backend, self._get_param("AutoScalingGroupName"))
    wanted = self._get_param("InstanceRefreshIds") or []
    return ActionResult(
        {
            "InstanceRefreshes": [
                refresh
                for refresh in refreshes_of(group)
                if not wanted or refresh["InstanceRefreshId"] in wanted
            ]
        }
    )


def refreshes_of(group):
    return group.__dict__.setdefault("refreshes", [])


def report(refresh):
    left, of = len(refresh["pending"]), refresh["of"]
    refresh["InstancesToUpdate"] = left
    refresh["PercentageComplete"] = 100 * (of - left) // of if of else 100


def finish(refresh, status):
    refresh["Status"] = status
    refresh["EndTime"] = utcnow()


def advance(group, refresh, warm_up_seconds):
    """Replaces the next few instances, once those before them are warmed up."""
    if time.monotonic() < refresh["not_before"]:
        return
    preferences = refresh["Preferences"]
    protected = preferences.get("ScaleInProtectedInstances") or "Wait"
    refresh["Status"] = "InProgress"
    refresh["pending"] = [
        state
        for state in refresh["pending"]
        if state in group.instance_states
        and not (state.protected_from_scale_in and protected == "Ignore")
    ]
    report(refresh)
    if not refresh["pending"]:
        finish(refresh, "Successful")
        return
    healthy = preferences.get("MinHealthyPercentage")
    share = 100 - (90 if healthy is None else int(healthy))
    batch = max(1, group.desired_capacity * share // 100)
    ready = [
        state
        for state in refresh["pending"]
        if not state.protected_from_scale_in or protected == "Refresh"
    ]
    for state in ready[:batch]:
        end(group, state)
        refresh["pending"].remove(state)
    if ready:
        level(group)
        report(refresh)
        asked = preferences.get("InstanceWarmup")
        pause = warm_up_seconds if asked is None else min(int(asked), warm_up_seconds)
        refresh["not_before"] = time.monotonic() + pause


Response.start_instance_refresh = start_refresh
Response.cancel_instance_refresh = cancel_refresh
Response.describe_instance_refreshes = describe_refreshes
