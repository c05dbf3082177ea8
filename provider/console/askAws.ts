import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { clock } from "../base/clock";
import { printable } from "../base/printable";
import { type AwsSigner, signedHeaders } from "./signedHeaders";

/** A call of one of AWS' query APIs. */
export interface AwsCall extends AwsSigner {
  readonly service: "ec2" | "sts" | "autoscaling";
  /** The first part of an ARN after `arn`, such as `aws-cn`. */
  readonly partition: string;
  /** With `Action` and `Version`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** AWS has refused a call. */
export class AwsRefusal extends Error {
  override readonly name = "AwsRefusal";

  constructor(
    /** AWS' own name of the error, such as `UnauthorizedOperation`. */
    readonly code: string,
    /** HTTP status code. */
    readonly status: number,
    message: string,
  ) {
    super(printable(message));
  }
}

/** The names under which partitions serve their APIs. Source: botocore, `partitions.json`. */
const DNS_SUFFIXES: Readonly<Record<string, string>> = {
  aws: "amazonaws.com",
  "aws-us-gov": "amazonaws.com",
  "aws-cn": "amazonaws.com.cn",
  "aws-eusc": "amazonaws.eu",
  "aws-iso": "c2s.ic.gov",
  "aws-iso-b": "sc2s.sgov.gov",
  "aws-iso-e": "cloud.adc-e.uk",
  "aws-iso-f": "csp.hci.ic.gov",
};

/** What the AWS SDKs call the services in these variables, where that isn't the service's own name. */
const VARIABLE_NAMES: Readonly<Record<AwsCall["service"], string>> = {
  ec2: "EC2",
  sts: "STS",
  autoscaling: "AUTO_SCALING",
};

/** Much more than 64 KB of a console, which is the longest answer. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const SILENCE_MS = 10_000;

/** The longest reason that an error repeats: AWS also sends an encoded message of a kilobyte. */
const MAX_REASON = 300;

/**
 * Makes one signed call. `AWS_ENDPOINT_URL` and the variables of each service, such as `AWS_ENDPOINT_URL_EC2`, choose another
 * endpoint, as for the AWS SDKs.
 *
 * @returns the answer, which is XML
 * @throws AwsRefusal if AWS refuses it
 * @throws Error without an answer
 */
export async function askAws(call: AwsCall, signal: AbortSignal | undefined): Promise<string> {
  const url = endpointOf(call);
  const body = new URLSearchParams(call.parameters).toString();
  const headers = await signedHeaders(call, url, body, new Date(clock.now()));
  const { status, text } = await send(url, headers, body, signal);
  if (status !== 200) {
    throw refusal(status, text);
  }
  return text;
}

/** The text of an element that an answer has once. Undefined for one that is missing or empty. */
export function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
}

function endpointOf({ service, region, partition }: AwsCall): URL {
  const { env } = process;
  const chosen = env[`AWS_ENDPOINT_URL_${VARIABLE_NAMES[service]}`] ?? env.AWS_ENDPOINT_URL;
  if (chosen !== undefined && chosen !== "") {
    return new URL(chosen);
  }
  const suffix = DNS_SUFFIXES[partition] ?? "amazonaws.com";
  return new URL(`https://${service}.${region}.${suffix}/`);
}

function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal | undefined,
): Promise<{ status: number; text: string }> {
  const request = url.protocol === "http:" ? requestPlain : requestSecure;
  return new Promise((resolve, reject) => {
    const options = {
      // Without an agent of its own, so that Node.js' setting for proxies holds.
      method: "POST",
      headers: { ...headers, connection: "close" },
      timeout: SILENCE_MS,
      ...(signal && { signal }),
    };
    const sent = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) {
          answer.destroy(new Error(`${url.host} answers with more than 1 MiB`));
        }
      });
      answer.on("error", reject);
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    sent.on("timeout", () => {
      sent.destroy(new Error(`${url.host} has not answered for ${SILENCE_MS / 1_000} s`));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function refusal(status: number, text: string): AwsRefusal {
  const code = elementOf(text, "Code") ?? `HTTP ${status}`;
  const reason = elementOf(text, "Message") ?? "";
  const short = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason;
  return new AwsRefusal(code, status, short === "" ? code : `${code}: ${short}`);
}
