import { request, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import {
  checkServerIdentity,
  type ConnectionOptions,
  createSecureContext,
  type SecureContext,
} from "node:tls";
import { parse } from "yaml";
import { printable } from "../base/printable";
import { parseAnswer } from "./parseAnswer";

/** The API server refused a request. */
export class KubernetesApiError extends Error {
  override readonly name = "KubernetesApiError";

  constructor(
    message: string,
    /** HTTP status code. */
    readonly status: number,
    /** The causes that the server names, for example the budget that forbids an eviction. */
    readonly causes: readonly string[] = [],
    /** Fields that other managers have set, in a refusal of server-side apply. */
    readonly conflicts: readonly { readonly field: string; readonly manager: string }[] = [],
  ) {
    super(printable(message));
  }
}

/** The longest answer that is read: a list of all nodes of the largest clusters has a fifth of it. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Options of a request. */
export interface KubernetesCall {
  /**
   * The address to dial instead of the server's name. The certificate must still contain the name.
   * Default: a lookup of the name.
   */
  readonly address?: string;
  /** The port to dial at `address`. Default: the server's. */
  readonly port?: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A request to the server. */
export interface KubernetesRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query, for example `/api/v1/nodes?limit=1`. */
  readonly path: string;
  /** Sent as JSON. Default: no body. */
  readonly body?: unknown;
  /**
   * The content type of `body`, for example `application/merge-patch+json`. Default:
   * `application/json`.
   */
  readonly contentType?: string;
  /** The form of the answer, in JSON. Default: `application/json`, the whole object. */
  readonly accept?: string;
}

/** A request, and how long its answer may take. */
export interface TimedRequest extends KubernetesRequest {
  /** Default: the caller's time. */
  readonly timeoutMs?: number;
}

/** The parts of a kubeconfig that a client needs. */
interface Kubeconfig {
  readonly clusters?: readonly {
    readonly cluster?: { readonly server?: string; readonly "certificate-authority-data"?: string };
  }[];
  readonly users?: readonly {
    readonly user?: {
      readonly "client-certificate-data"?: string;
      readonly "client-key-data"?: string;
    };
  }[];
}

/** A client of the Kubernetes API, as the user of a kubeconfig, over mutual TLS. */
export class KubernetesApi {
  private readonly server: URL;
  private readonly identity: Pick<RequestOptions, "ca" | "cert" | "key">;
  private context: SecureContext | undefined;

  /**
   * @param kubeconfig YAML with one cluster and one user, who has a client certificate. Secret
   * @throws Error that names what is missing
   */
  constructor(kubeconfig: string) {
    const config = parse(kubeconfig) as Kubeconfig | null;
    const cluster = config?.clusters?.[0]?.cluster;
    const user = config?.users?.[0]?.user;
    const parts = {
      "clusters[0].cluster.server": cluster?.server,
      "clusters[0].cluster.certificate-authority-data": cluster?.["certificate-authority-data"],
      "users[0].user.client-certificate-data": user?.["client-certificate-data"],
      "users[0].user.client-key-data": user?.["client-key-data"],
    };
    const missing = Object.entries(parts).filter(([, value]) => typeof value !== "string");
    if (missing.length > 0) {
      throw new Error(`the kubeconfig has no ${missing.map(([path]) => path).join(", ")}`);
    }
    const [server = "", ca = "", cert = "", key = ""] = Object.values(parts);
    this.server = new URL(server);
    const pem = (text: string) => Buffer.from(text, "base64");
    this.identity = { ca: pem(ca), cert: pem(cert), key: pem(key) };
  }

  /**
   * Gets the body of an answer.
   *
   * @param path with its query, for example `/api/v1/nodes?limit=1`
   * @throws KubernetesApiError if the server refuses
   * @throws Error with a `code` of Node's without a connection
   */
  get(path: string, call: KubernetesCall): Promise<string> {
    return this.send({ method: "GET", path }, call);
  }

  /**
   * Sends one request.
   *
   * @returns the body of the answer
   * @throws KubernetesApiError if the server refuses
   * @throws Error with a `code` of Node's without a connection
   */
  send(asked: KubernetesRequest, options: KubernetesCall): Promise<string> {
    const { method, path, body, contentType = "application/json" } = asked;
    const { accept = "application/json" } = asked;
    const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const { hostname, port } = this.server;
    const name = hostname.replace(/^\[|\]$/g, "");
    const serverPort = port === "" ? 443 : Number(port);
    return new Promise((resolve, reject) => {
      // Made once: it takes as long as the rest of a connection.
      this.context ??= createSecureContext(this.identity);
      const connection: Pick<ConnectionOptions, "secureContext"> = { secureContext: this.context };
      const sent = request(
        {
          ...connection,
          host: options.address ?? name,
          port: options.address === undefined ? serverPort : (options.port ?? serverPort),
          method,
          path,
          headers: {
            host: this.server.host,
            accept,
            ...(content && { "content-type": contentType, "content-length": content.length }),
          },
          // SNI allows no address, but the certificate is checked for the address all the same.
          servername: isIP(name) === 0 ? name : "",
          checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
          agent: false,
          timeout: options.timeoutMs,
          ...(options.signal && { signal: options.signal }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          let answerBytes = 0;
          response.on("data", (chunk: Buffer) => {
            chunks.push(chunk);
            answerBytes += chunk.length;
            if (answerBytes > MAX_ANSWER_BYTES) {
              const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
              response.destroy(new Error(`the Kubernetes API answers with more than ${limit}`));
            }
          });
          response.on("error", reject);
          response.on("end", () => {
            const answer = Buffer.concat(chunks).toString("utf8");
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) {
              resolve(answer);
            } else {
              reject(
                new KubernetesApiError(
                  refusal(status, answer),
                  status,
                  causesOf(answer),
                  conflictsOf(answer),
                ),
              );
            }
          });
        },
      );
      sent.on("timeout", () => {
        const error = new Error(`no answer within ${options.timeoutMs / 1_000} s`);
        sent.destroy(Object.assign(error, { code: "ETIMEDOUT" }));
      });
      sent.on("error", reject);
      sent.end(content);
    });
  }
}

/** The longest reason that is shown of a refusal. */
const LONGEST_REASON = 4_000;

/** The server's reason for a refusal, in one line. */
function refusal(status: number, body: string): string {
  const found = /"message":\s*("(?:[^"\\]|\\.)*")/.exec(body)?.[1];
  const message = found === undefined ? body.slice(0, 200).trim() : (JSON.parse(found) as string);
  const shown = message.length > LONGEST_REASON ? `${message.slice(0, LONGEST_REASON)}…` : message;
  return `the Kubernetes API answers ${status}${shown === "" ? "" : `: ${shown}`}`;
}

/** The messages in `details.causes` of a `Status`. */
function causesOf(body: string): readonly string[] {
  return causesIn(body).flatMap(({ message }) => message ?? []);
}

/** The fields in `details.causes` that other managers have set. */
function conflictsOf(body: string): KubernetesApiError["conflicts"] {
  return causesIn(body).flatMap(({ reason, message = "", field }) =>
    reason === "FieldManagerConflict" && field !== undefined
      ? [{ field, manager: message.replace(/^conflict with /, "") }]
      : [],
  );
}

function causesIn(body: string): readonly Cause[] {
  try {
    const { details } = parseAnswer(body) as Status;
    return details?.causes ?? [];
  } catch {
    return [];
  }
}

/** The body of a refusal. Source: Kubernetes, `metav1.Status`. */
interface Status {
  readonly details?: { readonly causes?: readonly Cause[] };
}

/** One of the reasons for a refusal. Source: Kubernetes, `metav1.StatusCause`. */
interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}
