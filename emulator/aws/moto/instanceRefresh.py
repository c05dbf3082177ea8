"""Instance refresh, which moto 5.2.5 has not: a group replaces its instances a few at a time.

With a maximum healthy percentage above 100 and a minimum of 100, AWS launches the successor first and
ends an instance once that is warmed up. With anything less it ends the instance first, even the only one
of its group. Source: "Instance refresh" and "Instance maintenance policies" in the user guide.

The emulator bounds the time until an instance counts as warmed up, whatever the group asks for.
"""

import math
import time

from groupLaunches import launch, template_version
from groupSizes import end, find, level
from moto.autoscaling import models, responses
from moto.autoscaling.exceptions import AutoscalingClientError, ValidationError
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
    check_percentages(*percentages(preferences))
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
        "leaving": [],
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


def percentages(preferences):
    """The least and the most of a group that is healthy at any time."""
    least = preferences.get("MinHealthyPercentage")
    most = preferences.get("MaxHealthyPercentage")
    return 90 if least is None else int(least), 100 if most is None else int(most)


def check_percentages(least, most):
    if not 0 <= least <= 100 or not 100 <= most <= 200:
        raise ValidationError(
            "MinHealthyPercentage is from 0 to 100 and MaxHealthyPercentage from 100 to 200"
        )
    if most - least > 100:
        raise ValidationError(
            "The difference between MaxHealthyPercentage and MinHealthyPercentage cannot be "
            "greater than 100."
        )


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
    ready = [
        state
        for state in refresh["pending"]
        if not state.protected_from_scale_in or protected == "Refresh"
    ]
    least, most = percentages(preferences)
    if least == 100 and most > 100:
        going = [state for state in refresh["leaving"] if state in refresh["pending"]]
        refresh["leaving"] = []
        if not going:
            extra = max(1, math.ceil(group.desired_capacity * (most - 100) / 100))
            refresh["leaving"] = ready[:extra]
            launch(group, len(refresh["leaving"]))
            wait_for_warm_up(refresh, warm_up_seconds)
            return
        end_all(group, refresh, going)
    elif ready:
        batch = max(1, group.desired_capacity * (100 - least) // 100)
        end_all(group, refresh, ready[:batch])
        level(group)
        wait_for_warm_up(refresh, warm_up_seconds)
    report(refresh)


def end_all(group, refresh, states):
    for state in states:
        end(group, state)
        refresh["pending"].remove(state)


def wait_for_warm_up(refresh, warm_up_seconds):
    asked = refresh["Preferences"].get("InstanceWarmup")
    pause = warm_up_seconds if asked is None else min(int(asked), warm_up_seconds)
    refresh["not_before"] = time.monotonic() + pause


Response.start_instance_refresh = start_refresh
Response.cancel_instance_refresh = cancel_refresh
Response.describe_instance_refreshes = describe_refreshes
