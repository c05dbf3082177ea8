/** The calls of CloudWatch Logs that the substitute makes. */
export type LogsAction =
  | "AssociateKmsKey"
  | "CreateLogGroup"
  | "DeleteLogGroup"
  | "DeleteRetentionPolicy"
  | "DescribeLogGroups"
  | "DisassociateKmsKey"
  | "ListTagsForResource"
  | "PutRetentionPolicy"
  | "TagResource"
  | "UntagResource";

/** Where and as whom the emulated AWS is called. */
interface LogsConnection {
  readonly region: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** AWS' answer to a call that failed, in the form of its SDK's errors. */
class LogsError extends Error {
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
 * A client of CloudWatch Logs for the emulated AWS, in place of AWS' SDK for a service that is called in
 * one place. It speaks AWS' protocol "JSON 1.1". It signs nothing: moto reads the service, the region and the key
 * from the header, and never judges the signature.
 */
export class LogsClient {
  constructor(private readonly connection: LogsConnection) {}

  /**
   * Makes a call.
   *
   * @throws an error named by AWS' code, such as `ResourceNotFoundException`
   */
  async call(action: LogsAction, input: object): Promise<unknown> {
    const { region, endpoint, accessKeyId } = this.connection;
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Target": `Logs_20140328.${action}`,
        Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${day}/${region}/logs/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    const answer = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    if (!response.ok) {
      const { __type: code, message, Message: other } = answer;
      throw new LogsError(String(code), String(message ?? other), response.status);
    }
    return answer;
  }

  /** As SDKs' clients have it; it holds no connection. */
  destroy(): void {
    // Connections are those of `fetch`.
  }
}
