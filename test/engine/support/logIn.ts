import { execFile } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "yaml";
import type { EngineWorld } from "./engineWorld";

const TALOS_AWS = join(__dirname, "../../../dist/cli/main.js");
const SELF_REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** Whom an API server sees. */
export interface SeenPerson {
  readonly username: string;
  readonly groups: readonly string[];
}

interface LoginKubeconfig {
  readonly clusters: readonly [
    {
      readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
    },
  ];
  readonly users: readonly [
    { readonly user: { readonly exec: { command: string; args: readonly string[] } } },
  ];
}

/**
 * A token, as kubectl gets it: by the program that a kubeconfig names.
 *
 * @param role a role to assume first, as people add it to the program's arguments
 * @throws Error with what the program says
 */
export async function tokenFor(
  { emulator, stateDir }: EngineWorld,
  kubeconfig: string,
  role?: string,
): Promise<string> {
  const { command, args } = (parse(kubeconfig) as LoginKubeconfig).users[0].user.exec;
  expect(command).toBe("talos-aws");
  const given = [TALOS_AWS, ...args, ...(role === undefined ? [] : ["--role", role])];
  const env = { ...process.env, ...emulator.environment };
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, given, { cwd: stateDir, env }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    );
  });
  const { status } = JSON.parse(printed) as { readonly status: { readonly token: string } };
  return status.token;
}

/** Whom the API server at a kubeconfig's endpoint sees in a token; undefined for nobody. */
export async function personOf(
  { emulator }: EngineWorld,
  kubeconfig: string,
  token: string,
): Promise<SeenPerson | undefined> {
  const { clusters } = parse(kubeconfig) as LoginKubeconfig;
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  const { hostname: servername, port } = new URL(server);
  const [host = ""] = await emulator.resolve(servername);
  const asked = request({
    ...{ host, servername, port, path: SELF_REVIEW, method: "POST", agent: false },
    ca: Buffer.from(ca, "base64"),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });
  asked.end(JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode === 401) {
    return undefined;
  }
  const { status } = JSON.parse(answer) as { readonly status: { readonly userInfo: SeenPerson } };
  return status.userInfo;
}
