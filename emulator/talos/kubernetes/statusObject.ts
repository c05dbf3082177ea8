/** A failed answer of the Kubernetes API: an HTTP status and the `Status` object that explains it. */
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

  /** The object kubectl reads. */
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

/** What the server says of a method that a path doesn't have. */
export function methodNotAllowed(): KubernetesFailure {
  return new KubernetesFailure(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
  );
}
