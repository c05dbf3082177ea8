import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AwsCall, readCall } from "./awsCall";

/** Stands between the engine's plugins and the emulated AWS, and notes each call that AWS sees. */
export interface CallRecorder {
  /** Leads the substitute for the AWS plugin here, and not the engine, which tests wait for in blocking calls. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every call so far, the same one once. */
  readonly calls: () => readonly AwsCall[];
  /** Says where the emulated AWS is. Before that, each call fails. */
  readonly forwardTo: (url: string) => void;
  readonly close: () => void;
}

/** The services that stacks have resources of, as the AWS SDKs name their endpoints. */
const SERVICES = [
  "AUTO_SCALING",
  "EC2",
  "ELASTIC_LOAD_BALANCING_V2",
  "IAM",
  "ROUTE_53",
  "S3",
  "SERVICE_QUOTAS",
];

/** Starts one on a free port of the loopback. */
export async function startCallRecorder(): Promise<CallRecorder> {
  const calls = new Map<string, AwsCall>();
  let target: URL | undefined;
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = asked;
    const body = Buffer.concat(await asked.toArray());
    const call = readCall({ method, path, headers, body: body.toString() });
    calls.set(JSON.stringify(call), call);
    if (target === undefined) {
      answer.writeHead(503).end("nobody has said where the emulated AWS is");
      return;
    }
    const { hostname, port } = target;
    const onward = request({ hostname, port, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    onward.once("error", (error) => answer.destroy(error));
    onward.end(body);
  };
  const server = createServer((asked, answer) => {
    pass(asked, answer).catch((error: unknown) => answer.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    environment: Object.fromEntries(
      SERVICES.map((service) => [
        `AWS_ENDPOINT_URL_${service}`,
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ]),
    ),
    calls: () => [...calls.values()],
    forwardTo: (url) => {
      target = new URL(url);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
