import { parse } from "yaml";
import type { Json } from "./kubernetesObject";
import { KubernetesFailure } from "./statusObject";

/** The body of a request. */
export interface RequestBody {
  /** Without parameters; empty without a header. */
  readonly contentType: string;
  readonly text: string;
}

/** The value of a body in JSON or YAML. Throws `UnsupportedMediaType` or `BadRequest`. */
export function valueOf({ contentType, text }: RequestBody, kind: string): Json {
  if (!["", "application/json", "application/yaml"].includes(contentType)) {
    throw new KubernetesFailure(
      415,
      "UnsupportedMediaType",
      "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml",
    );
  }
  try {
    return contentType === "application/yaml" ? (parse(text) as Json) : (JSON.parse(text) as Json);
  } catch {
    throw new KubernetesFailure(
      400,
      "BadRequest",
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error`,
    );
  }
}

/** The value of a patch. Throws `BadRequest` with the server's message. */
export function patchOf({ contentType, text }: RequestBody): Json {
  try {
    return contentType === "application/apply-patch+yaml"
      ? (parse(text) as Json)
      : (JSON.parse(text) as Json);
  } catch (error) {
    const isShort =
      error instanceof SyntaxError && /end of JSON|Unterminated|Expected/.test(error.message);
    const reason = isShort ? "unexpected end of JSON input" : String(error);
    throw new KubernetesFailure(400, "BadRequest", `error decoding patch: ${reason}`);
  }
}
