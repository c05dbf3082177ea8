/** A failure of the Kubernetes API: an HTTP status and the `Status` object that explains it. */
export class KubernetesFailure extends Error {
  override readonly name = "KubernetesFailure";

  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** The `Status` object for kubectl. */
  toObject() {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: this.message,
      reason: this.reason,
      ...(Object.keys(this.details).length > 0 ? { details: this.details } : {}),
      code: this.code,
    };
  }
}

/** The server's answer to an unsupported method. */
export function methodNotAllowed(): KubernetesFailure {
  return new KubernetesFailure(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
  );
}
