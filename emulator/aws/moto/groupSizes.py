"""How many instances auto scaling groups have, and which go first, as AWS has it."""

import time
from collections import Counter

from groupLaunches import check_template, launch, overrides_of, record
from moto.autoscaling import models
from moto.autoscaling.exceptions import ValidationError
from moto.core.utils import utcnow

Group = models.FakeAutoScalingGroup
Backend = models.AutoScalingBackend


def held(group):
    """Instances that a lifecycle hook holds before they end: each with its activity, and since when."""
    return group.__dict__.setdefault("held_instances", [])


def heartbeat_seconds(group):
    """How long lifecycle hooks hold an instance of the group that ends; None without one."""
    hooks = group.autoscaling_backend.describe_lifecycle_hooks(group.name)
    ending = [h for h in hooks if h.lifecycle_transition == "autoscaling:EC2_INSTANCE_TERMINATING"]
    return max((int(hook.heartbeat_timeout) for hook in ending), default=None)


def end(group, state):
    """Takes an instance out of service, and terminates it unless a lifecycle hook holds it first."""
    group.instance_states = [each for each in group.instance_states if each is not state]
    group.autoscaling_backend.elbv2_backend.notify_terminate_instances([state.instance.id])
    activity = record(group, f"Terminating EC2 instance: {state.instance.id}")
    if heartbeat_seconds(group) is None:
        terminate(group, state)
    else:
        state.lifecycle_state = "Terminating:Wait"
        activity.status_code, activity.progress = "MidTerminatingLifecycleAction", 60
        held(group).append((state, activity, time.monotonic()))


def terminate(group, state):
    state.instance.disable_api_termination = False
    group.ec2_backend.terminate_instances([state.instance.id])


def end_held(group, most_seconds):
    """Terminates the instances that were held for long enough, or whose hook is gone."""
    heartbeat = heartbeat_seconds(group) or 0
    left = time.monotonic() - min(heartbeat, most_seconds)
    due = [each for each in held(group) if each[2] <= left]
    group.held_instances = [each for each in held(group) if each not in due]
    for state, activity, _ in due:
        terminate(group, state)
        activity.status_code, activity.progress = "Successful", 100
        activity.end_time = utcnow()


def next_to_end(group):
    """The instance that goes first: in the fullest zone, by the group's policies, unprotected."""
    zones = Counter(state.availability_zone for state in group.instance_states)
    candidates = [state for state in group.instance_states if not state.protected_from_scale_in]
    if not candidates:
        return None
    fullest = max(zones[state.availability_zone] for state in candidates)
    inside = [state for state in candidates if zones[state.availability_zone] == fullest]
    policy = (group.termination_policies or ["Default"])[0]
    if policy == "NewestInstance":
        return inside[-1]
    if policy == "OldestInstance":
        return inside[0]
    return min(inside, key=lambda state: getattr(getattr(state, "version", None), "number", 0))


def is_suspended(group, process):
    return any(each["ProcessName"] == process for each in group.suspended_processes)


def surplus(group):
    """How many successors an instance refresh has launched while those before them are there."""
    running = getattr(group, "refreshes", [])[:1]
    return sum(
        1
        for refresh in running
        if refresh["Status"] == "InProgress"
        for state in refresh["leaving"]
        if state in group.instance_states
    )


def level(group):
    """Brings the number of instances to the desired one."""
    missing = group.desired_capacity + surplus(group) - len(group.active_instances())
    if missing > 0 and not is_suspended(group, "Launch"):
        launch(group, missing)
    while missing < 0 and not is_suspended(group, "Terminate"):
        state = next_to_end(group)
        if state is None:
            break
        end(group, state)
        missing += 1


def set_desired(group, capacity):
    group.desired_capacity = group.min_size if capacity is None else capacity
    if group.desired_capacity > 0 and group.ec2_launch_template is not None:
        for override in overrides_of(group) or [None]:
            check_template(group, override)
    level(group)
    if group.name in group.autoscaling_backend.autoscaling_groups:
        group.autoscaling_backend.update_attached_elbs(group.name)
        group.autoscaling_backend.update_attached_target_groups(group.name)


def set_desired_within_limits(backend, name, capacity):
    group = find(backend, name)
    if capacity > group.max_size:
        raise ValidationError(
            f"New SetDesiredCapacity value {capacity} is above max value {group.max_size} for the "
            "AutoScalingGroup."
        )
    if capacity < group.min_size:
        raise ValidationError(
            f"New SetDesiredCapacity value {capacity} is below min value {group.min_size} for the "
            "AutoScalingGroup."
        )
    group.set_desired_capacity(capacity)


def notice_terminated(backend, instance_ids):
    """Replaces instances that were terminated from outside the group."""
    for group in backend.autoscaling_groups.values():
        group.held_instances = [
            each for each in held(group) if each[0].instance.id not in instance_ids
        ]
        before = len(group.instance_states)
        group.instance_states = [
            state for state in group.instance_states if state.instance.id not in instance_ids
        ]
        if len(group.instance_states) < before:
            level(group)


def find(backend, name):
    if name not in backend.autoscaling_groups:
        raise ValidationError(
            f"AutoScalingGroup name not found - AutoScalingGroup '{name}' not found"
        )
    return backend.autoscaling_groups[name]


Group.set_desired_capacity = set_desired
Group.instances = property(
    lambda group: group.instance_states + [state for state, _, _ in held(group)]
)
Backend.set_desired_capacity = set_desired_within_limits
Backend.notify_terminate_instances = notice_terminated
