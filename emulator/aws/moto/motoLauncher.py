"""Serves moto's emulation of AWS on the loopback, for the emulator that started this process.

Told by its command line where addresses come from; says on stdout, one JSON object a line, when it
listens and after each call that may have changed something; reads on stdin, one JSON object a
line, what the emulator knows of target health, and what a console shows that it was asked for. It
ends when stdin closes, so it cannot outlive its parent however that ends.
"""

import argparse
import base64
import heapq
import json
import os
import queue
import sys
import threading
import urllib.parse

# Nothing is written beside the sources.
sys.dont_write_bytecode = True

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--port", type=int, default=0, help="0: any free one, told on stdout")
arguments.add_argument("--amis", required=True, help="the JSON file of machine images to offer")
arguments.add_argument("--instance-network", required=True, help='such as "127.64.1"')
arguments.add_argument("--elastic-network", required=True, help='such as "127.64.128"')
arguments.add_argument(
    "--warm-up-seconds", type=float, default=1, help="until a group's new instance is warmed up"
)
options = arguments.parse_args()

# moto reads the list of images when the module is imported, unless a process that has it was forked.
os.environ["MOTO_AMIS_PATH"] = options.amis

import savings  # noqa: E402, F401  first of all: it changes what the others import

import accessLogs  # noqa: E402, F401
import attachments  # noqa: E402
import autoScaling  # noqa: E402
import buckets  # noqa: E402, F401
import classicBalancers  # noqa: E402, F401
import consoles  # noqa: E402
import endpoints  # noqa: E402, F401
import firewallRules  # noqa: E402, F401
import fleets  # noqa: E402, F401
import hostedZones  # noqa: E402, F401
import identities  # noqa: E402, F401
import images  # noqa: E402, F401
import instanceStatus  # noqa: E402
import launches  # noqa: E402
import logGroups  # noqa: E402, F401
import placements  # noqa: E402, F401
import queues  # noqa: E402
import quotas  # noqa: E402, F401
import secondRanges  # noqa: E402, F401
import serviceModels  # noqa: E402
import dependencies  # noqa: E402, F401
import volumeChanges  # noqa: E402, F401
import webIdentity  # noqa: E402
from moto.core.types import Base64EncodedString  # noqa: E402
from moto.ec2 import utils  # noqa: E402
from moto.ec2.models import (  # noqa: E402
    amis,
    elastic_ip_addresses,
    elastic_network_interfaces,
    instances,
    nat_gateways,
)
from moto.ec2.responses import instances as instance_responses  # noqa: E402
from moto.elbv2 import models as load_balancers  # noqa: E402
from moto.moto_server.werkzeug_app import (  # noqa: E402
    DomainDispatcherApplication,
    create_backend_app,
)
from werkzeug.serving import WSGIRequestHandler, make_server  # noqa: E402

HOSTS_PER_NETWORK = 254
NETWORKS = 64


class AddressPool:
    """Hands out a.b.c.1, a.b.c.2 and so on, over 64 networks: the lowest that is free. One that comes
    back is not the next: as at AWS, a machine that was stopped starts with another address."""

    def __init__(self, first_network):
        a, b, c = (int(part) for part in first_network.split("."))
        self.free = [
            (network, host, f"{a}.{b}.{c + network}.{host}")
            for network in range(NETWORKS)
            for host in range(1, HOSTS_PER_NETWORK + 1)
        ]
        self.order = {entry[2]: entry for entry in self.free}
        self.back = []

    def take(self):
        if not self.free:
            raise RuntimeError("the emulator has no address left")
        address = heapq.heappop(self.free)[2]
        for entry in self.back:
            heapq.heappush(self.free, entry)
        self.back.clear()
        return address

    def give_back(self, address):
        if address in self.order:
            self.back.append(self.order[address])


instance_addresses = AddressPool(options.instance_network)
elastic_addresses = AddressPool(options.elastic_network)
utils.random_public_ip = instance_addresses.take
elastic_network_interfaces.random_public_ip = instance_addresses.take
utils.random_ip = elastic_addresses.take
elastic_ip_addresses.random_ip = elastic_addresses.take

stop_interface = elastic_network_interfaces.NetworkInterface.stop


def stop_and_return_address(self):
    """An interface that loses its automatic address gives it back."""
    before = self.public_ip
    stop_interface(self)
    if before is not None and self.public_ip is None:
        instance_addresses.give_back(before)


elastic_network_interfaces.NetworkInterface.stop = stop_and_return_address
attachments.install(give_back=instance_addresses.give_back)

parse_text = instance_responses.parse_user_data


def parse_user_data(value):
    """ModifyInstanceAttribute gets bytes that are decoded already; moto 5.2.5 decodes them twice."""
    if isinstance(value, bytes):
        launches.check_user_data(value)
        return Base64EncodedString(base64.b64encode(value).decode("ascii"))
    return parse_text(value)


instance_responses.parse_user_data = parse_user_data

prepare_interfaces = instances.Instance.prep_nics
modify_groups = instances.InstanceBackend.modify_instance_security_groups


def prepare_interfaces_and_groups(self, *positional, **named):
    """Groups given on the first network interface are the instance's; moto 5.2.5 forgets that."""
    prepare_interfaces(self, *positional, **named)
    if not self.security_groups and 0 in self.nics:
        self.security_groups = list(self.nics[0]._group_set)


def modify_groups_of_interface_too(self, instance_id, new_group_id_list):
    modify_groups(self, instance_id, new_group_id_list)
    instance = self.get_instance(instance_id)
    instance.nics[0]._group_set = list(instance.security_groups)


instances.Instance.prep_nics = prepare_interfaces_and_groups
instances.InstanceBackend.modify_instance_security_groups = modify_groups_of_interface_too

delete_nat_gateway = nat_gateways.NatGatewayBackend.delete_nat_gateway


def delete_nat_gateway_and_interface(self, nat_gateway_id):
    """A NAT gateway that goes frees its address and its interface; moto 5.2.5 keeps both."""
    gateway = self.nat_gateways.get(nat_gateway_id)
    if gateway is not None and gateway.state != "deleted":
        for address in gateway.address_set:
            if address.get("associationId"):
                self.disassociate_address(association_id=address["associationId"])
        self.delete_network_interface(gateway._eni.id)
    return delete_nat_gateway(self, nat_gateway_id)


nat_gateways.NatGatewayBackend.delete_nat_gateway = delete_nat_gateway_and_interface

with open(options.amis, encoding="utf-8") as file:
    all_images = json.load(file)
load_images = amis.AmiBackend._load_amis


def load_images_of_region(self):
    """Talos images carry their region in their name, and each region offers only its own."""
    region = f"-{self.region_name}-"
    amis.AMIS = [dict(image) for image in all_images if region in image["name"]]
    load_images(self)
    for image in self.amis.values():
        image.owner_alias = None


amis.AmiBackend._load_amis = load_images_of_region

target_health = {}
guess_health = load_balancers.FakeTargetGroup.health_for


def observed_health(self, target, ec2_backend):
    """What the emulator's own health checks saw takes the place of moto's constant 'healthy'."""
    status = guess_health(self, target, ec2_backend)
    if status.status == "healthy":
        seen = target_health.get(self.arn, {}).get(
            target["Id"],
            {
                "state": "initial",
                "reason": "Elb.RegistrationInProgress",
                "description": "Target registration is in progress",
            },
        )
        status.status = seen["state"]
        status.reason = seen.get("reason")
        status.description = seen.get("description")
    return status


load_balancers.FakeTargetGroup.health_for = observed_health

output_lock = threading.Lock()


def tell(message):
    with output_lock:
        print(json.dumps(message), flush=True)


serviceModels.install(told=lambda text: tell({"event": "violation", "text": text}))


CONSOLE_SECONDS = 5
console_answers = queue.SimpleQueue()


def shown_on_console(instance_id, is_live):
    """Asks the parent, which has the machines. One request runs at a time, so answers have no numbers."""
    tell({"event": "console", "instanceId": instance_id, "isLive": is_live})
    return console_answers.get(timeout=CONSOLE_SECONDS)


consoles.install(shown_on_console)


def follow_parent():
    """Takes what the parent knows until it closes the pipe or is gone."""
    for line in sys.stdin:
        message = json.loads(line)
        if "console" in message:
            console_answers.put(base64.b64decode(message["console"]))
        elif "failedChecks" in message:
            instanceStatus.failed_checks.clear()
            instanceStatus.failed_checks.update(message["failedChecks"])
        else:
            target_health.clear()
            target_health.update(message["targetHealth"])
    os._exit(0)


READING = ("Describe", "Get", "List")


class Announcing:
    """Calls moto one request at a time (its tables take no lock) and tells of every change."""

    def __init__(self, application):
        self.application = application
        self.lock = threading.Lock()

    def __call__(self, environ, start_response):
        if webIdentity.is_for_issuer(environ):
            return webIdentity.answer(environ, start_response)
        with self.lock:
            action = self.action_of(environ)
            body = self.application(environ, start_response)
        queues.wait_between_polls(environ)
        if action is None or not action.startswith(READING):
            tell({"event": "changed", "action": action, "region": self.region_of(environ)})
        return body

    def action_of(self, environ):
        if environ["REQUEST_METHOD"] == "GET":
            return "Get"
        if "x-www-form-urlencoded" not in environ.get("CONTENT_TYPE", ""):
            return None
        # moto reads a form's body itself and puts a fresh stream in its place; so does this.
        form = self.application._get_body(environ) or ""
        return urllib.parse.parse_qs(form).get("Action", [None])[0]

    def region_of(self, environ):
        scope = environ.get("HTTP_AUTHORIZATION", "").partition("Credential=")[2].split(",")[0]
        parts = scope.split("/")
        return parts[-3] if len(parts) >= 5 else None


class QuietHandler(WSGIRequestHandler):
    """Writes no line per request: stdout carries the protocol, stderr real trouble only."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code="-", size="-"):
        pass


def main():
    application = Announcing(DomainDispatcherApplication(create_backend_app))
    autoScaling.tend_groups(
        application.lock,
        options.warm_up_seconds,
        changed=lambda region: tell(
            {"event": "changed", "action": "TendAutoScalingGroups", "region": region}
        ),
        failed=lambda text: print(text, file=sys.stderr, flush=True),
    )
    server = make_server(
        "127.0.0.1",
        options.port,
        application,
        threaded=True,
        request_handler=QuietHandler,
    )
    os.environ["MOTO_PORT"] = str(server.port)
    threading.Thread(target=follow_parent, daemon=True).start()
    tell({"event": "listening", "port": server.port})
    server.serve_forever()


main()
