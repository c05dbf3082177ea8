"""Makes moto's Auto Scaling do what AWS' does, and tends groups as it does.

Groups replace what is stopped, unhealthy or in a subnet that is no longer theirs, and keep zones
level. What takes AWS minutes takes a moment: an instance is in service at once, and a lifecycle hook
holds it no longer than a new one warms up.
"""

import itertools
import threading
import time
from collections import Counter

import groupInterface  # noqa: F401
from groupLaunches import launch_one, subnets_of
from groupSizes import end, end_held, is_suspended, level
from instanceRefresh import ENDED, advance, refreshes_of
from instanceStatus import is_impaired
from moto.autoscaling import autoscaling_backends

TICK_SECONDS = 0.2


def is_unfit(group, state):
    """EC2's checks always count, those of volumes if the group asks for them.

    Source: EC2 Auto Scaling user guide, "About the health checks for your Auto Scaling group".
    """
    checks = ["instance", "system"]
    if "EBS" in (group.health_check_type or "").split(","):
        checks.append("volumes")
    return (
        not state.instance.is_running()
        or state.health_status != "Healthy"
        or is_impaired(state.instance, *checks)
    )


def replace_unfit(group):
    """Instances that stopped, fail EC2's checks or were called unhealthy are terminated, and others launched."""
    if is_suspended(group, "HealthCheck") or is_suspended(group, "ReplaceUnhealthy"):
        return
    for state in list(group.instance_states):
        if state.lifecycle_state == "InService" and is_unfit(group, state):
            end(group, state)
    level(group)


def rebalance(group):
    """One instance moves out of a subnet that isn't the group's, or of a zone with too many."""
    if is_suspended(group, "AZRebalance") or not group.vpc_zone_identifier:
        return
    subnets = subnets_of(group)
    ours = {subnet.id for subnet in subnets}
    strange = [state for state in group.instance_states if state.instance.subnet_id not in ours]
    zones = Counter({subnet.availability_zone: 0 for subnet in subnets})
    zones.update(state.availability_zone for state in group.instance_states)
    fullest, emptiest = max(zones.values(), default=0), min(zones.values(), default=0)
    crowded = [
        state
        for state in group.instance_states
        if fullest - emptiest > 1 and zones[state.availability_zone] == fullest
    ]
    for state in itertools.islice(strange or crowded, 1):
        group.instance_states.remove(state)
        launch_one(group)
        group.instance_states.append(state)
        end(group, state)


def tend(group, warm_up_seconds):
    end_held(group, warm_up_seconds)
    replace_unfit(group)
    rebalance(group)
    for refresh in refreshes_of(group):
        if refresh["Status"] not in ENDED:
            advance(group, refresh, warm_up_seconds)


def tend_groups(lock, warm_up_seconds, changed, failed):
    """Tends every group again and again, in a thread of its own.

    `changed` is called with the region when a group launched or ended something, `failed` with the
    text of an error.
    """

    def work():
        while True:
            time.sleep(TICK_SECONDS)
            with lock:
                regions = [
                    (region, list(backend.autoscaling_groups.values()))
                    for account in list(autoscaling_backends.values())
                    for region, backend in list(account.items())
                ]
                touched = set()
                for region, groups in regions:
                    for group in groups:
                        before = group.instances
                        try:
                            tend(group, warm_up_seconds)
                        except Exception as error:  # One group's trouble is not the others'.
                            failed(f"auto scaling group {group.name}: {error}")
                        if group.instances != before:
                            touched.add(region)
            for region in touched:
                changed(region)

    threading.Thread(target=work, daemon=True).start()
