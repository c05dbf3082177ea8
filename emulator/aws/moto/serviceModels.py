"""Judges each call by AWS' model of the service, as botocore has it, where moto 5.2.5 takes what it gets.

Lengths, ranges, patterns, enumerations and required members of what a call says: moto has parsed it by the
same model already, so a call costs some microseconds more. A call that breaks its model is answered 400, as
AWS does, with the member named, and is told on stdout. S3 is left out: moto doesn't parse its calls, and
its model constrains next to nothing. A value that may be a secret is not repeated.
"""

import functools
import json
import re

from botocore.exceptions import ClientError
from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult, BaseResponse
from moto.core.utils import get_service_model

LONGEST_QUOTE = 80

# Enumerations that grow faster than the models; the services answer in their own words.
OPEN = {"InstanceType"}

# Patterns that AWS doesn't hold itself: that of S3 Control has no bucket's ARN.
UNTRUE = {"S3ResourceArn"}

# The codes of these services for such calls; the others say ValidationError.
CODES = {"ec2": "InvalidParameterValue", "kms": "ValidationException", "route53": "InvalidInput"}

# Python's expressions don't have these classes; what stands for them is at least as wide.
JAVA = (
    (r"\uD800\uDC00-\uDBFF\uDFFF", "\U00010000-\U0010ffff"),
    (r"\p{L}\p{Z}\p{N}_", r"\w\s"),
    (r"\p{L}\p{M}\p{S}\p{N}\p{P}\p{Z}", r"\S\s"),
    (r"\p{L}\p{M}\p{Z}\p{S}\p{N}\p{P}", r"\S\s"),
    (r"\p{ASCII}", r"[\x00-\x7f]"),
    (r"\w-_", r"\w\-"),
)

violations = []


@functools.lru_cache(maxsize=None)
def expression(pattern):
    """The model's pattern, which holds of the whole text unless it says where it begins or ends."""
    translated = pattern
    for java, python in JAVA:
        translated = translated.replace(java, python)
    flags = 0 if translated != pattern else re.ASCII
    try:
        compiled = re.compile(translated, flags)
    except re.error:
        return None
    anchored = pattern.startswith("^") or pattern.endswith("$")
    return compiled.search if anchored else compiled.fullmatch


def quoted(value, shape):
    hidden = shape.metadata.get("sensitive") or len(str(value)) > LONGEST_QUOTE
    return "the given value" if hidden else json.dumps(value, default=str)


def judge(value, shape, name):
    """What is wrong with a value, a sentence each."""
    if value is None:
        return
    kind = shape.type_name
    if kind == "structure" and isinstance(value, dict):
        for member in shape.required_members:
            if value.get(member) is None:
                yield f"{name}.{member} is required"
        for member, inner in value.items():
            if member in shape.members:
                yield from judge(inner, shape.members[member], f"{name}.{member}")
    elif kind == "list" and isinstance(value, list):
        yield from judge_size(len(value), shape, name, "items")
        for index, inner in enumerate(value):
            yield from judge(inner, shape.member, f"{name}[{index}]")
    elif kind == "map" and isinstance(value, dict):
        yield from judge_size(len(value), shape, name, "entries")
        for key, inner in value.items():
            yield from judge(key, shape.key, f"{name}'s key")
            yield from judge(inner, shape.value, f"{name}[{key}]")
    elif kind == "string" and isinstance(value, str):
        yield from judge_text(value, shape, name)
    elif kind in ("integer", "long", "float", "double") and isinstance(value, (int, float)):
        yield from judge_size(value, shape, name, "as value")


def judge_text(value, shape, name):
    yield from judge_size(len(value), shape, name, "characters")
    if shape.enum and value not in shape.enum and shape.name not in OPEN:
        yield f"{name} must be one of {', '.join(shape.enum)}, not {quoted(value, shape)}"
    pattern = shape.metadata.get("pattern")
    matches = pattern and expression(pattern)
    if matches and shape.name not in UNTRUE and not matches(value):
        yield f"{name} must match {pattern}, not {quoted(value, shape)}"


def judge_size(size, shape, name, unit):
    least, most = shape.metadata.get("min"), shape.metadata.get("max")
    if least is not None and size < least:
        yield f"{name} must have at least {least} {unit}, not {size}"
    if most is not None and size > most:
        yield f"{name} must have at most {most} {unit}, not {size}"


def refuse_what_breaks(response, operation, params):
    wrong = list(judge(params, operation.input_shape, operation.name)) if operation.input_shape else []
    if not wrong:
        return
    message = "; ".join(wrong)
    violations.append(message)
    tell(message)
    # moto finds the form of an error's service by the module of its class.
    kind = type("Refused", (ServiceException,), {"__module__": type(response).__module__})
    error = kind(CODES.get(response.boto3_service_name, "ValidationError"), message)
    _, _, body = response.serialized(ActionResult(error))
    # moto answers 400 with this as the body, wherever in a call it is raised.
    raise ClientError({"Error": {"Message": body}}, operation.name)


def tell(message):
    """Replaced by the launcher, which tells the emulator."""


def install(told):
    global tell
    tell = told


parse = BaseResponse.parse_parameters
set_up = BaseResponse.setup_class


def parse_and_judge(self, request):
    parse(self, request)
    model = get_service_model(self.boto3_service_name)
    refuse_what_breaks(self, model.operation_model(self._get_action()), self.params)


def set_up_and_judge(self, request, *positional, **named):
    """Services that are called with JSON, such as KMS, take the body as it is."""
    set_up(self, request, *positional, **named)
    target = request.headers.get("X-Amz-Target")
    if target is not None and not self.automated_parameter_parsing:
        model = get_service_model(self.boto3_service_name)
        action = target.split(".")[-1]
        if action in model.operation_names:
            refuse_what_breaks(self, model.operation_model(action), json.loads(self.body or "{}"))


BaseResponse.parse_parameters = parse_and_judge
BaseResponse.setup_class = set_up_and_judge
