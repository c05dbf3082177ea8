import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { messageOfError } from "../provider/base";
import type { DaemonRecord } from "./daemonRecord";
import type { Emulator } from "./emulator";
import type { EmulatedNode } from "./instances";
import { FaultRequestError, type FaultRequest } from "./talos/faults/faultRequest";
import { describeFault, type FaultDescription } from "./talos/faults/faults";

const CALL_TIMEOUT_MS = 10_000;

/** The daemon's status. */
export interface ControlStatus {
  readonly worldId: string;
  readonly nodes: EmulatedNode[];
}

/** Options of the control server. */
export interface ControlServerOptions {
  readonly worldId: string;
  readonly token: string;
  readonly emulator: Emulator;
  readonly onStop: () => void;
}

/**
 * Serves `status`, `resolve`, `faults` and `stop` on a free port of 127.0.0.1, to requests with the
 * token.
 *
 * @returns the server and its URL.
 */
export async function startControlServer(
  options: ControlServerOptions,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    void answer(request, options).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return { server, url: `http://127.0.0.1:${port}/` };
}

/**
 * Calls the control server of a running daemon.
 *
 * @throws Error when it does not answer, or refuses.
 */
export async function callControl<T>(
  record: DaemonRecord,
  call: string,
  method: "GET" | "POST" | "DELETE" = "GET",
  content?: unknown,
): Promise<T> {
  const response = await fetch(new URL(call, record.controlUrl), {
    method,
    headers: { authorization: `Bearer ${record.controlToken}`, connection: "close" },
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    ...(content !== undefined && { body: JSON.stringify(content) }),
  });
  const body = (await response.json()) as T;
  if (response.status === 400) {
    throw new FaultRequestError((body as { readonly problems: string[] }).problems);
  }
  if (!response.ok) {
    throw new Error(`the emulator answered ${response.status}: ${JSON.stringify(body)}`);
  }
  return body;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(request: IncomingMessage, options: ControlServerOptions): Promise<Answer> {
  if (!isAuthorized(request.headers.authorization, options.token)) {
    return { status: 401, body: { error: "the token is missing or wrong" } };
  }
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://control");
  const call = `${request.method ?? ""} ${pathname}`;
  try {
    switch (call) {
      case "GET /status": {
        const status: ControlStatus = {
          worldId: options.worldId,
          nodes: options.emulator.nodes(),
        };
        return { status: 200, body: status };
      }
      case "GET /resolve":
        return {
          status: 200,
          body: await options.emulator.resolve(searchParams.get("hostname") ?? ""),
        };
      case "GET /faults":
        return { status: 200, body: options.emulator.faults.list().map(describeFault) };
      case "POST /faults": {
        const wanted = (await readJson(request)) as FaultRequest;
        const injected: FaultDescription = describeFault(
          await options.emulator.faults.inject(wanted),
        );
        return { status: 200, body: injected };
      }
      case "DELETE /faults": {
        const isLifted = await options.emulator.faults.lift(searchParams.get("id") ?? "");
        return { status: 200, body: { isLifted } };
      }
      case "POST /stop":
        setImmediate(options.onStop);
        return { status: 200, body: {} };
      default:
        return { status: 404, body: { error: `there is no call "${call}"` } };
    }
  } catch (error) {
    if (error instanceof FaultRequestError) {
      return { status: 400, body: { problems: error.problems } };
    }
    return { status: 500, body: { error: messageOfError(error) } };
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new FaultRequestError(["the request is no JSON"]);
  }
}

function isAuthorized(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
