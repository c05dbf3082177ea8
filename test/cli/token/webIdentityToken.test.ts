import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandFailure } from "../../../cli/commandFailure";
import { tokenCommand } from "../../../cli/commands/token";
import { getWebIdentityToken } from "../../../cli/token/webIdentityToken";

const AUDIENCE = "https://k8s.sandbox.example.com:6443";
const ROLE = "arn:aws:iam::123456789012:role/Dev";
/** A region of its own: a process keeps its keys for each, and other files of the process have others. */
const REQUEST = { audience: AUDIENCE, region: "eu-south-2", durationSeconds: 300 };

/** What STS answers to each action. */
interface Answer {
  readonly status: number;
  readonly text: string;
}
const answers = new Map<string, Answer>();
const calls: URLSearchParams[] = [];
let server: Server;

const refused = (code: string, status = 403): Answer => ({
  status,
  text: `<ErrorResponse><Error><Code>${code}</Code><Message>because</Message></Error></ErrorResponse>`,
});

beforeEach(async () => {
  calls.length = 0;
  answers.clear();
  answers.set("GetWebIdentityToken", {
    status: 200,
    text: "<GetWebIdentityTokenResponse><GetWebIdentityTokenResult><WebIdentityToken>e30.e30.c2ln</WebIdentityToken><Expiration>2030-01-31T00:05:00Z</Expiration></GetWebIdentityTokenResult></GetWebIdentityTokenResponse>",
  });
  answers.set("AssumeRole", {
    status: 200,
    text: "<AssumeRoleResponse><AccessKeyId>ROLEKEY</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken></AssumeRoleResponse>",
  });
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = new URLSearchParams(Buffer.concat(chunks).toString());
      call.set("signer", /Credential=([^/]*)/.exec(request.headers.authorization ?? "")?.[1] ?? "");
      calls.push(call);
      const { status, text } = answers.get(call.get("Action") ?? "") ?? refused("InvalidAction");
      response.writeHead(status).end(text);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${port}`);
  vi.stubEnv("AWS_ACCESS_KEY_ID", `KEY${port}`);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  server.close();
  await once(server, "close");
});

const failure = (more: object = {}) =>
  getWebIdentityToken({ ...REQUEST, ...more }).then(
    () => "",
    (error: unknown) => (error instanceof CommandFailure ? error.message : String(error)),
  );

describe("a token of the caller's AWS identity", () => {
  it("is asked for with the caller's keys, for one cluster", async () => {
    expect(await getWebIdentityToken(REQUEST)).toEqual({
      token: "e30.e30.c2ln",
      expiration: "2030-01-31T00:05:00Z",
    });
    expect(calls.map((call) => Object.fromEntries(call))).toEqual([
      {
        Action: "GetWebIdentityToken",
        Version: "2011-06-15",
        "Audience.member.1": AUDIENCE,
        SigningAlgorithm: "ES384",
        DurationSeconds: "300",
        signer: process.env.AWS_ACCESS_KEY_ID,
      },
    ]);
  });

  it("is that of a role, if one is assumed first", async () => {
    await getWebIdentityToken({ ...REQUEST, region: "eu-west-1", roleArn: ROLE });
    expect(
      calls.map((call) => [call.get("Action"), call.get("RoleArn"), call.get("signer")]),
    ).toEqual([
      ["AssumeRole", ROLE, process.env.AWS_ACCESS_KEY_ID],
      ["GetWebIdentityToken", null, "ROLEKEY"],
    ]);
  });

  it.each([
    ["OutboundWebIdentityFederationDisabledException", /account issues no tokens: .*iam:Enable/],
    ["SessionDurationEscalationException", /session ends before .*--duration-seconds/],
    [
      "AccessDenied",
      /no token for "https:\/\/k8s.* needs sts:GetWebIdentityToken for this audience/,
    ],
    ["ExpiredToken", /your AWS session has ended: log in again/],
    ["Throttling", /^STS gives no token: Throttling: because$/],
  ])("says what to do when AWS refuses with %s", async (code, words) => {
    answers.set("GetWebIdentityToken", refused(code));
    expect(await failure()).toMatch(words);
  });

  it("says whose role can't be assumed", async () => {
    answers.set("AssumeRole", refused("AccessDenied"));
    expect(await failure({ region: "eu-west-2", roleArn: ROLE })).toMatch(
      new RegExp(`doesn't let you assume "${ROLE}": AccessDenied: because`),
    );
  });

  it("is refused if the answer has none", async () => {
    answers.set("GetWebIdentityToken", { status: 200, text: "<a/>" });
    expect(await failure()).toBe("STS in eu-south-2 has answered without a token");
  });
});

describe("talos-aws token", () => {
  const run = async (...args: string[]) => {
    const written: string[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    const command = tokenCommand().exitOverride();
    command.configureOutput({ writeErr: () => undefined });
    await command.parseAsync(args, { from: "user" });
    return written.join("");
  };

  it("prints what kubectl reads", async () => {
    vi.stubEnv("AWS_REGION", "eu-south-2");
    expect(JSON.parse(await run("--audience", AUDIENCE))).toEqual({
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      status: { expirationTimestamp: "2030-01-31T00:05:00Z", token: "e30.e30.c2ln" },
    });
  });

  it("needs a region, an audience and a lifetime that AWS takes", async () => {
    vi.stubEnv("AWS_REGION", undefined);
    vi.stubEnv("AWS_DEFAULT_REGION", undefined);
    await expect(run("--audience", AUDIENCE)).rejects.toThrow(/no region is known: give --region/);
    await expect(run()).rejects.toThrow(/--audience/);
    await expect(run("--audience", AUDIENCE, "--duration-seconds", "59")).rejects.toThrow(
      /"59" is no lifetime: give a whole number from 60 to 3600/,
    );
    expect(calls).toEqual([]);
  });
});
