import { partitionOf } from "../../components/permissions";
import { messageOfError } from "../../provider/base";
import { askAws, AwsRefusal, elementOf, keysFor } from "../../provider/console";
import { CommandFailure } from "../commandFailure";

/** A request for a token that says who the caller is in AWS. */
export interface TokenRequest {
  /** Whom it is for: the URL of a Kubernetes API. */
  readonly audience: string;
  /** The region whose STS is asked; the global one doesn't have the call. */
  readonly region: string;
  /** ARN of a role to assume first. Default: none. */
  readonly roleArn?: string | undefined;
  /** 60 to 3600. */
  readonly durationSeconds: number;
}

/** Such a token. Secret. */
export interface WebIdentityToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expiration: string;
}

/**
 * Asks STS for a token with the credentials that the AWS SDKs find.
 *
 * Source: AWS' model of STS, `GetWebIdentityToken` (botocore, November 2026).
 *
 * @throws CommandFailure with what to do
 */
export async function getWebIdentityToken(
  { audience, region, roleArn, durationSeconds }: TokenRequest,
  signal?: AbortSignal,
): Promise<WebIdentityToken> {
  const place = { region, partition: partitionOf(region) };
  const access = roleArn === undefined ? {} : { assumeRoles: [{ roleArn }] };
  const keys = await keysFor(access, place, signal).catch((error: unknown) => {
    throw new CommandFailure(withoutKeys(error, roleArn));
  });
  const parameters = {
    Action: "GetWebIdentityToken",
    Version: "2011-06-15",
    "Audience.member.1": audience,
    SigningAlgorithm: "ES384",
    DurationSeconds: String(durationSeconds),
  };
  const xml = await askAws({ ...place, service: "sts", parameters, keys }, signal).catch(
    (error: unknown) => {
      throw new CommandFailure(refusal(error, audience));
    },
  );
  const [token, expiration] = ["WebIdentityToken", "Expiration"].map((name) =>
    elementOf(xml, name),
  );
  if (token === undefined || expiration === undefined) {
    throw new CommandFailure(`STS in ${region} has answered without a token`);
  }
  return { token, expiration };
}

function withoutKeys(error: unknown, roleArn: string | undefined): string {
  const reason = messageOfError(error);
  return roleArn !== undefined && error instanceof AwsRefusal
    ? `AWS doesn't let you assume "${roleArn}": ${reason}`
    : `there are no AWS credentials: ${reason}. Log in, for example with "aws sso login", or choose a profile with AWS_PROFILE`;
}

/** What a person can do about a refusal, by AWS' name of it. */
function refusal(error: unknown, audience: string): string {
  const reason = messageOfError(error);
  switch (error instanceof AwsRefusal ? error.code : undefined) {
    case "OutboundWebIdentityFederationDisabledException":
      return `this AWS account issues no tokens: somebody who may call iam:EnableOutboundWebIdentityFederation enables that once (${reason})`;
    case "SessionDurationEscalationException":
      return `your AWS session ends before the token would: log in again, or give less with --duration-seconds (${reason})`;
    case "AccessDenied":
    case "AccessDeniedException":
      return `AWS gives you no token for "${audience}": your role needs sts:GetWebIdentityToken for this audience (${reason})`;
    case "ExpiredToken":
    case "ExpiredTokenException":
      return `your AWS session has ended: log in again, for example with "aws sso login" (${reason})`;
    default:
      return `STS gives no token: ${reason}`;
  }
}
