/** A service whose protocol is AWS' "JSON", and the names of its calls. */
export interface JsonService {
  /** Its name in signatures: `logs`. */
  readonly name: string;
  /** What stands before a call's name: `Logs_20140328`. */
  readonly target: string;
  readonly version: "1.0" | "1.1";
}

/** CloudWatch Logs. */
export const LOGS: JsonService = { name: "logs", target: "Logs_20140328", version: "1.1" };
/** SQS. */
export const QUEUES: JsonService = { name: "sqs", target: "AmazonSQS", version: "1.0" };
/** EventBridge. */
export const EVENTS: JsonService = { name: "events", target: "AWSEvents", version: "1.1" };

/** Where and as whom the emulated AWS is called. */
interface JsonConnection {
  readonly region: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** AWS' answer to a call that failed, in the form of its SDK's errors. */
class JsonError extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(
    override readonly name: string,
    message: string,
    httpStatusCode: number,
  ) {
    super(message);
    this.$metadata = { httpStatusCode };
  }
}

/**
 * A client of a service for the emulated AWS, in place of AWS' SDK for a service that is called in
 * one place. It signs nothing: moto reads the service, the region and the key
 * from the header, and never judges the signature.
 */
export class JsonClient {
  constructor(
    private readonly service: JsonService,
    private readonly connection: JsonConnection,
  ) {}

  /**
   * Makes a call.
   *
   * @throws an error named by AWS' code, such as `ResourceNotFoundException`
   */
  async call(action: string, input: object): Promise<unknown> {
    const { name, target, version } = this.service;
    const { region, endpoint, accessKeyId } = this.connection;
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "Content-Type": `application/x-amz-json-${version}`,
        "X-Amz-Target": `${target}.${action}`,
        Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${day}/${region}/${name}/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    const answer = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    if (!response.ok) {
      const { __type: code, message, Message: other } = answer;
      throw new JsonError(codeOf(String(code)), String(message ?? other), response.status);
    }
    return answer;
  }

  /** As SDKs' clients have it; it holds no connection. */
  destroy(): void {
    // Connections are those of `fetch`.
  }
}

/** SQS writes a namespace before it: `com.amazonaws.sqs#QueueDoesNotExist`. */
function codeOf(type: string): string {
  return type.slice(type.indexOf("#") + 1);
}
