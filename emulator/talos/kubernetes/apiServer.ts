import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { TLSSocket, type SecureContextOptions } from "node:tls";
import type { EncryptionKeys } from "../config/encryptionKeys";
import type { Wire } from "../faults/wire";
import { TlsListener } from "../tls/tlsListener";
import { authenticate, authorize } from "./clientIdentity";
import type { ClientTrust } from "./clientTrust";
import type { KubernetesStore } from "./kubernetesStore";
import { watchObjects } from "./objectWatch";
import { jsonOfProtobuf, PROTOBUF } from "./protobufBody";
import type { RequestBody } from "./requestBody";
import { addressed } from "./resources";
import { answer } from "./router";
import { KubernetesFailure } from "./statusObject";

/** The state that answers requests. */
export interface ApiServerState {
  readonly store: KubernetesStore;
  readonly hasQuorum: boolean;
  readonly version: string;
  /** Which clients it accepts besides those with a certificate. */
  readonly trust: ClientTrust;
  /** The keys with which it reads Secrets; the first one encrypts. */
  readonly encryptionKeys: EncryptionKeys;
}

/** A Kubernetes API server on one control plane node. */
export interface ApiServerOptions {
  readonly address: string;
  readonly port: number;
  /** Certificate, key and the CA of clients, in PEM. */
  readonly identity: SecureContextOptions;
  readonly architecture: string;
  /**
   * Read at each request, because etcd and the configuration change while the server runs.
   * Undefined after its process has ended, which may be shortly before its port is closed.
   */
  readonly state: () => ApiServerState | undefined;
  /** The simulated network between the server and its clients. */
  readonly wire: Wire;
}

/** Serves the objects of a cluster on port 6443 so that kubectl works with it. */
export class KubernetesApiServer {
  private readonly options: ApiServerOptions;
  private readonly http: Server;
  private listener: TlsListener | undefined;

  private constructor(options: ApiServerOptions) {
    this.options = options;
    this.http = createServer((request, response) => this.respond(request, response));
  }

  /** Throws the errors of `listen`, for example `EADDRINUSE`. */
  static async start(options: ApiServerOptions): Promise<KubernetesApiServer> {
    const server = new KubernetesApiServer(options);
    server.listener = await TlsListener.listen({
      address: options.address,
      port: options.port,
      identity: options.identity,
      requestCertificate: true,
      protocols: ["http/1.1"],
      onConnection: (socket) => server.http.emit("connection", socket),
      wire: options.wire,
    });
    return server;
  }

  /** Its listening port. */
  get port(): number {
    return this.listener?.port ?? 0;
  }

  /** Sets certificate, key and client CA for new connections. */
  setIdentity(identity: SecureContextOptions): void {
    this.listener?.setIdentity(identity);
  }

  /** Ends every connection, including watches. */
  async stop(): Promise<void> {
    await this.listener?.close();
  }

  private respond(request: IncomingMessage, response: ServerResponse): void {
    void this.answer(request, response).catch((error: unknown) => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const failure =
        error instanceof KubernetesFailure
          ? error
          : new KubernetesFailure(500, "InternalError", String(error));
      send(response, failure.code, "application/json", JSON.stringify(failure.toObject()));
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    if (!(socket instanceof TLSSocket)) {
      throw new Error("the connection is not encrypted");
    }
    // A server that ends cuts the connection. Without its keys it would refuse tokens instead.
    const serving = this.options.state();
    if (serving === undefined) {
      response.destroy();
      return;
    }
    const user = await authenticate({
      socket,
      headers: request.headers,
      trust: serving.trust,
      store: serving.store,
    });
    const { address, architecture } = this.options;
    const url = new URL(request.url ?? "/", `https://${address}`);
    const method = request.method ?? "GET";
    const target = addressed(url.pathname);
    authorize(user, {
      verb: verbOf(method, url, target?.name),
      resource: target?.kind.plural,
      path: url.pathname,
    });
    const body = await bodyOf(request);
    const state = this.options.state();
    if (state === undefined) {
      response.destroy();
      return;
    }
    const result = answer(
      {
        method,
        url,
        body,
        accept: request.headers.accept,
        userAgent: request.headers["user-agent"],
        user,
      },
      {
        ...state,
        architecture,
        serverAddress: `${address}:${this.port}`,
        now: new Date(),
      },
    );
    if (result.kind === "body") {
      send(response, result.code, result.contentType, result.body);
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const end = watchObjects({
      ...result.watch,
      write: (line) => response.write(line),
    });
    const timeoutSeconds = Number(url.searchParams.get("timeoutSeconds") ?? "0");
    const timer =
      timeoutSeconds > 0 ? setTimeout(() => response.end(), timeoutSeconds * 1000) : undefined;
    response.once("close", () => {
      clearTimeout(timer);
      end();
    });
  }
}

async function bodyOf(request: IncomingMessage): Promise<RequestBody> {
  const contentType = (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  if (request.method === "GET") {
    return { contentType, text: "" };
  }
  if (contentType !== PROTOBUF) {
    return { contentType, text: await text(request) };
  }
  const decoded = jsonOfProtobuf(await buffer(request));
  // Others are refused, in words of the API server.
  return decoded === undefined
    ? { contentType, text: "" }
    : { contentType: "application/json", text: decoded };
}

function verbOf(method: string, url: URL, name: string | undefined): string {
  if (method !== "GET") {
    return method.toLowerCase();
  }
  if (url.searchParams.has("watch")) {
    return "watch";
  }
  return name === undefined && addressed(url.pathname) ? "list" : "get";
}

function send(response: ServerResponse, code: number, contentType: string, body: string): void {
  response.writeHead(code, { "content-type": contentType, "cache-control": "no-cache, private" });
  response.end(body);
}
