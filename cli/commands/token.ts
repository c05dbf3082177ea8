import { Command, InvalidArgumentError } from "commander";
import { CommandFailure } from "../commandFailure";
import { output } from "../standardStreams";
import { getWebIdentityToken } from "../token/webIdentityToken";

/** AWS' own default. Access ends so long after the permission for it. */
const USUAL_SECONDS = 300;
const LEAST_SECONDS = 60;
const MOST_SECONDS = 3_600;

interface TokenOptions {
  readonly audience: string;
  readonly region?: string;
  readonly role?: string;
  readonly durationSeconds: number;
}

/** `talos-aws token`, which kubectl runs. */
export function tokenCommand(): Command {
  return new Command("token")
    .summary("prints a token of your AWS identity, for kubectl")
    .description(
      "Prints a token of your AWS identity as kubectl's credential plugins do. The output accessKubeconfig of a cluster runs it.",
    )
    .requiredOption("--audience <url>", "the Kubernetes API that the token is for")
    .option("--region <region>", "the region whose STS is asked (default: $AWS_REGION)")
    .option("--role <arn>", "an IAM role to assume first")
    .option(
      "--duration-seconds <seconds>",
      "how long the token is valid, 60 to 3600",
      seconds,
      USUAL_SECONDS,
    )
    .action(async ({ audience, role, durationSeconds, ...options }: TokenOptions) => {
      const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
      const region = options.region ?? AWS_REGION ?? AWS_DEFAULT_REGION;
      if (region === undefined || region === "") {
        throw new CommandFailure("no region is known: give --region, or set AWS_REGION");
      }
      const request = { audience, region, roleArn: role, durationSeconds };
      const { token, expiration } = await getWebIdentityToken(request);
      const credential = {
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        status: { expirationTimestamp: expiration, token },
      };
      output.write(`${JSON.stringify(credential)}\n`);
    });
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < LEAST_SECONDS || value > MOST_SECONDS) {
    throw new InvalidArgumentError(
      `"${text}" is no lifetime: give a whole number from ${LEAST_SECONDS} to ${MOST_SECONDS}`,
    );
  }
  return value;
}
