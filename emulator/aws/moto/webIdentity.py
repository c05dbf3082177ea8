"""Outbound identity federation: an account issues tokens of its identities, which moto 5.2.5 doesn't know.

Claims, documents and errors are those of AWS' models of IAM and STS, and of the IAM user guide, "Understanding token
claims" (November 2026). The issuer's documents are served to whoever names its host. Each enabling gives another
issuer. Who may call is not judged, and no session has a person on whose behalf it acts.
"""

import base64
import json
import time
import uuid
from datetime import datetime, timezone

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult, EmptyResult
from moto.iam.exceptions import IAMException
from moto.iam.models import iam_backends
from moto.iam.responses import IamResponse
from moto.sts.exceptions import STSValidationError
from moto.sts.responses import TokenResponse

DOMAIN = ".tokens.sts.global.api.aws"
DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/.well-known/jwks.json"
AWS_CLAIMS = "https://sts.amazonaws.com/"
USUAL_SECONDS = 300
COORDINATE_BYTES = 48

# By account, the issuer's URL while the federation is enabled.
issuers = {}
# Tokens stay valid when the federation is disabled, so these remain.
hosts = set()
signers = {}


class FeatureEnabled(IAMException):
    code = "FeatureEnabled"


class FeatureDisabled(IAMException):
    code = "FeatureDisabled"


class StsRefusal(ServiceException):
    __module__ = STSValidationError.__module__


def enable_outbound_web_identity_federation(self):
    if self.current_account in issuers:
        raise FeatureEnabled("Outbound web identity federation is already enabled")
    host = f"{uuid.uuid4()}{DOMAIN}"
    hosts.add(host)
    issuers[self.current_account] = f"https://{host}"
    return ActionResult({"IssuerIdentifier": issuers[self.current_account]})


def issuer_of(response):
    issuer = issuers.get(response.current_account)
    if issuer is None:
        raise FeatureDisabled("Outbound web identity federation is disabled")
    return issuer


def get_outbound_web_identity_federation_info(self):
    return ActionResult({"IssuerIdentifier": issuer_of(self), "JwtVendingEnabled": True})


def disable_outbound_web_identity_federation(self):
    issuer_of(self)
    del issuers[self.current_account]
    return EmptyResult()


def get_web_identity_token(self):
    issuer = issuers.get(self.current_account)
    if issuer is None:
        raise StsRefusal(
            "OutboundWebIdentityFederationDisabledException",
            "Outbound web identity federation is disabled for this account",
        )
    algorithm, audiences = self.params["SigningAlgorithm"], self.params["Audience"]
    if algorithm not in ("ES384", "RS256"):
        raise STSValidationError(f"SigningAlgorithm must be RS256 or ES384, not {algorithm}")
    if self.params.get("SubjectMode", "AWSIdentity") != "AWSIdentity":
        raise STSValidationError("The session has no aws:OriginIdentity/Subject")
    now = int(time.time())
    end = now + int(self.params.get("DurationSeconds", USUAL_SECONDS))
    key = self.get_access_key()
    role = self.backend.get_assumed_role_from_access_key(key)
    if role is not None and end > role.expiration.replace(tzinfo=timezone.utc).timestamp():
        raise StsRefusal(
            "SessionDurationEscalationException", "The session ends before the token would"
        )
    subject = principal(self, key, role)
    claims = {
        "iss": issuer,
        "aud": audiences[0] if len(audiences) == 1 else audiences,
        "sub": subject,
        "iat": now,
        "exp": end,
        "jti": str(uuid.uuid4()),
        AWS_CLAIMS: {
            "aws_account": self.current_account,
            "source_region": self.region,
            "principal_id": subject,
        },
    }
    expiration = datetime.fromtimestamp(end, timezone.utc)
    return ActionResult({"WebIdentityToken": sign(claims, algorithm), "Expiration": expiration})


def principal(response, key, role):
    """The role of a session, with its path, or the user. Unknown keys are those of moto's user."""
    if role is not None:
        return role.role_arn
    user = iam_backends[response.current_account][response.partition].get_user_from_access_key_id(key)
    account = response.current_account
    return user.arn if user else f"arn:{response.partition}:iam::{account}:user/moto"


def signer(algorithm):
    if algorithm not in signers:
        signers[algorithm] = (
            ec.generate_private_key(ec.SECP384R1())
            if algorithm == "ES384"
            else rsa.generate_private_key(public_exponent=65537, key_size=2048)
        )
    return signers[algorithm]


def sign(claims, algorithm):
    header = {"kid": "EC384_0" if algorithm == "ES384" else "RSA_0", "typ": "JWT", "alg": algorithm}
    text = ".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
    if algorithm == "RS256":
        signature = signer(algorithm).sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
    else:
        one, other = utils.decode_dss_signature(
            signer(algorithm).sign(text.encode(), ec.ECDSA(hashes.SHA384()))
        )
        signature = b"".join(part.to_bytes(COORDINATE_BYTES, "big") for part in (one, other))
    return f"{text}.{encoded(signature)}"


def encoded(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def number(value, size=None):
    return encoded(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def keys():
    curve = signer("ES384").public_key().public_numbers()
    other = signer("RS256").public_key().public_numbers()
    return [
        {"kid": "RSA_0", "kty": "RSA", "use": "sig", "e": number(other.e), "n": number(other.n)},
        {
            "kid": "EC384_0",
            "kty": "EC",
            "use": "sig",
            "alg": "ES384",
            "crv": "P-384",
            "x": number(curve.x, COORDINATE_BYTES),
            "y": number(curve.y, COORDINATE_BYTES),
        },
    ]


def is_for_issuer(environ):
    return environ.get("HTTP_HOST", "").endswith(DOMAIN)


def answer(environ, start_response):
    """An issuer's documents, which need no signature."""
    host, path = environ["HTTP_HOST"], environ["PATH_INFO"]
    document = None
    if host in hosts and path == DISCOVERY:
        document = {
            "issuer": f"https://{host}",
            "jwks_uri": f"https://{host}{KEYS}",
            "claims_supported": ["sub", "iss", "aud", "exp", "iat", "jti", AWS_CLAIMS],
            "id_token_signing_alg_values_supported": ["RS256", "ES384"],
            "subject_types_supported": ["public"],
        }
    elif host in hosts and path == KEYS:
        document = {"keys": keys()}
    body = json.dumps(document).encode()
    start_response(
        "404 Not Found" if document is None else "200 OK",
        [("Content-Type", "application/json"), ("Content-Length", str(len(body)))],
    )
    return [body]


IamResponse.enable_outbound_web_identity_federation = enable_outbound_web_identity_federation
IamResponse.get_outbound_web_identity_federation_info = get_outbound_web_identity_federation_info
IamResponse.disable_outbound_web_identity_federation = disable_outbound_web_identity_federation
TokenResponse.get_web_identity_token = get_web_identity_token
