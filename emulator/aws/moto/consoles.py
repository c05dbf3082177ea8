"""What GetConsoleOutput answers, where moto 5.2.5 has one sample for all instances.

EC2 keeps the last 64 KB. Without `Latest`, it shows what it took from the console some time after the instance was last
started or stopped, so nothing of a new instance; with it, what the console shows now, for instances of the Nitro
hypervisor alone. Source: EC2's API reference, GetConsoleOutput.
"""

import base64

from moto.core.responses import ActionResult
from moto.core.utils import utcnow
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.instance_types import INSTANCE_TYPES
from moto.ec2.responses import EC2Response

KEPT_BYTES = 64 * 1024


class NotLive(EC2ClientError):
    code = "UnsupportedOperation"
    message = (
        "This instance type does not support retrieving the latest console logs. "
        "Make a request without the 'Latest' parameter to retrieve the latest available logs."
    )


def is_nitro(instance_type):
    """Bare metal has no hypervisor, and its console is Nitro's too."""
    facts = INSTANCE_TYPES.get(instance_type, {})
    return facts.get("Hypervisor", "nitro") == "nitro"


def install(shown):
    """`shown` returns the bytes of an instance's console, now or as EC2 took them last."""

    def get_console_output(self):
        instance = self.ec2_backend.get_instance(self._get_param("InstanceId"))
        is_live = self._get_bool_param("Latest", False)
        if is_live and not is_nitro(instance.instance_type):
            raise NotLive()
        output = shown(instance.id, is_live)[-KEPT_BYTES:]
        answer = {"InstanceId": instance.id, "Timestamp": utcnow()}
        if output:
            answer["Output"] = base64.b64encode(output).decode("ascii")
        return ActionResult(answer)

    EC2Response.get_console_output = get_console_output
