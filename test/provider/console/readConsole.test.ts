import { parseInstanceArn, readConsole } from "../../../provider/console/readConsole";
import {
  type ConsoleAnswer,
  type ConsoleServer,
  roleKeys,
  startConsoleServer,
} from "./consoleServer";

const ARN = "arn:aws:ec2:eu-central-1:123456789012:instance/i-0123456789abcdef0";
const NOT_LIVE = {
  code: "UnsupportedOperation",
  message: "This instance type does not support retrieving the latest console logs.",
};

let server: ConsoleServer;
let answer: (isLive: boolean) => ConsoleAnswer;

beforeEach(async () => {
  server = await startConsoleServer((_id, isLive) => answer(isLive));
  for (const [name, value] of Object.entries(server.environment)) {
    vi.stubEnv(name, value);
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const read = (more: object = {}) => readConsole({ instanceArn: ARN, ...more }, undefined);
const failure = (more?: object) =>
  read(more).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the console of an EC2 instance", () => {
  it("is read as it is now, with all of its 64 KB", async () => {
    const text = "[    1.000000] ü\r\n".repeat(3_600);
    answer = () => Buffer.from(text);
    expect(await read()).toEqual({ text, isLive: true });
    expect(Object.fromEntries(server.calls[0] ?? [])).toEqual({
      Action: "GetConsoleOutput",
      Version: "2016-11-15",
      InstanceId: "i-0123456789abcdef0",
      Latest: "true",
    });
    expect(server.signers).toEqual(["KEYOFENVIRONMENT"]);
  });

  it("is empty while EC2 has none", async () => {
    answer = () => Buffer.alloc(0);
    expect(await read()).toEqual({ text: "", isLive: true });
  });

  it("is what EC2 took last, for an instance type without a live one", async () => {
    answer = (isLive) => (isLive ? NOT_LIVE : Buffer.from("boot"));
    expect(await read()).toEqual({ text: "boot", isLive: false });
  });

  it("is asked for with the given keys, and as each role", async () => {
    answer = () => Buffer.from("boot");
    const roles = ["arn:aws:iam::123456789012:role/one", "arn:aws:iam::123456789012:role/two"];
    await read({
      keys: { accessKeyId: "KEYGIVEN", secretAccessKey: "secret" },
      assumeRoles: roles.map((roleArn) => ({ roleArn, externalId: "x" })),
    });
    expect(server.signers).toEqual([
      "KEYGIVEN",
      ...roles.map((role) => roleKeys(role).accessKeyId),
    ]);
    expect(server.calls[0]?.get("ExternalId")).toBe("x");
  });

  it.each([
    ["UnauthorizedOperation", 403, true],
    ["AuthFailure", 401, true],
    ["RequestLimitExceeded", 503, false],
    ["InvalidInstanceID.NotFound", 400, false],
    ["InternalError", 500, false],
  ])(
    "that EC2 refuses with %s is an error, and another attempt may meet it",
    async (...refusal) => {
      const [code, status, isLasting] = refusal;
      answer = () => ({ code, status, message: `not now${"x".repeat(2_000)}\u001b` });
      const error = await failure();
      expect(error).toMatchObject({ name: "ConsoleError", isLasting });
      const message = String(error);
      expect(message).toMatch(new RegExp(`EC2 does not show its console: ${code}: not nowx+…$`));
      expect(message.length).toBeLessThan(500);
    },
  );

  it("can't be read without keys, and says so", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
    expect(await failure({ profile: "missing" })).toMatchObject({
      name: "ConsoleError",
      message: expect.stringMatching(/^there are no keys to ask EC2 with: \S/) as string,
      isLasting: true,
    });
    expect(server.calls).toEqual([]);
  });

  it("belongs to an instance alone", async () => {
    expect(parseInstanceArn(ARN.replace("aws:", "aws-cn:"))).toEqual({
      partition: "aws-cn",
      region: "eu-central-1",
      instanceId: "i-0123456789abcdef0",
    });
    const volume = ARN.replace("instance/i-", "volume/vol-");
    expect(parseInstanceArn(volume)).toBeUndefined();
    expect(await failure({ instanceArn: volume })).toMatchObject({ isLasting: true });
  });
});
