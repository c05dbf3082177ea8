import { DisableOutboundWebIdentityFederationCommand, IAMClient } from "@aws-sdk/client-iam";
import { readIssuerDocument } from "../../../../emulator/aws/issuerDocument";
import { IssuerKeys } from "../../../../emulator/talos/kubernetes/issuerKeys";
import { partOfToken } from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import { askAws, elementOf, keysFor } from "../../../../provider/console";
import { startSubstituteWorld, type SubstituteWorld } from "../plugin/substituteWorld";

const FEDERATION = "aws:iam/outboundWebIdentityFederation:OutboundWebIdentityFederation";
const LOOK_UP = "aws:iam/getOutboundWebIdentityFederation:getOutboundWebIdentityFederation";
const ROLE = "arn:aws:iam::123456789012:role/teams/Dev";
const PLACE = { region: "us-east-1", partition: "aws" };

describe("tokens of an account's identities", () => {
  let world: SubstituteWorld;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    vi.stubEnv("AWS_ENDPOINT_URL_STS", world.clientSettings.endpoint);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await world.close();
  });

  async function token(
    more: Readonly<Record<string, string>> = {},
    role?: string,
    own = world.clientSettings.credentials,
  ) {
    const access = {
      keys: own,
      ...(role !== undefined && { assumeRoles: [{ roleArn: role }] }),
    };
    const parameters = {
      Action: "GetWebIdentityToken",
      Version: "2011-06-15",
      "Audience.member.1": "https://a.example",
      SigningAlgorithm: "ES384",
      ...more,
    };
    const keys = await keysFor(access, PLACE, undefined);
    const xml = await askAws({ ...PLACE, service: "sts", parameters, keys }, undefined);
    return elementOf(xml, "WebIdentityToken") ?? "";
  }

  const read = (url: string) => readIssuerDocument(world.clientSettings.endpoint, url);

  it("are signed with keys that the issuer publishes, while the federation is enabled", async () => {
    await expect(token()).rejects.toThrow(/OutboundWebIdentityFederationDisabledException/);
    const made = await world.make(FEDERATION, {});
    const issuer = made.id;
    expect(made.state.issuerIdentifier).toBe(issuer);
    expect(issuer).toMatch(/^https:\/\/[0-9a-f-]{36}\.tokens\.sts\.global\.api\.aws$/);
    await expect(world.make(FEDERATION, {})).rejects.toThrow(/already enabled/);
    const result = await world.substitute.invoke(LOOK_UP, {});
    expect(result).toMatchObject({ issuerIdentifier: issuer });

    const keys = new IssuerKeys(issuer, read);
    for (const SigningAlgorithm of ["ES384", "RS256"]) {
      const text = await token({ SigningAlgorithm, DurationSeconds: "60" }, ROLE);
      expect(await keys.hasSigned(text)).toBe(true);
      const [header = "", claims = "", signature = ""] = text.split(".");
      const { exp, iat, ...rest } = partOfToken(claims);
      expect(Number(exp) - Number(iat)).toBe(60);
      expect(rest).toMatchObject({ iss: issuer, aud: "https://a.example", sub: ROLE });
      const other = Buffer.from(JSON.stringify({ ...rest, exp, sub: "a" })).toString("base64url");
      expect(await keys.hasSigned([header, other, signature].join("."))).toBe(false);
    }
    await world.remove(FEDERATION, made);
    await expect(token()).rejects.toThrow(/OutboundWebIdentityFederationDisabledException/);
  });

  it("have another issuer each time that the federation is enabled", async () => {
    const first = await world.make(FEDERATION, {});
    const iam = new IAMClient(world.clientSettings);
    await iam.send(new DisableOutboundWebIdentityFederationCommand({}));
    iam.destroy();
    expect(await world.substitute.read(FEDERATION, first.id, first)).toBeUndefined();
    const second = await world.make(FEDERATION, {});
    expect(second.state.issuerIdentifier).not.toBe(first.state.issuerIdentifier);
    // Tokens from before can still be judged.
    expect(JSON.parse(await read(`${first.id}/.well-known/jwks.json`))).toHaveProperty("keys");
    await world.remove(FEDERATION, second);
  });

  it("don't outlive their session, and are no other person's", async () => {
    const made = await world.make(FEDERATION, {});
    await expect(token({ SubjectMode: "OriginIdentity" })).rejects.toThrow(/OriginIdentity/);
    await expect(token({ SigningAlgorithm: "HS256" })).rejects.toThrow(/RS256 or ES384/);
    const { credentials: keys } = world.clientSettings;
    const session = { Action: "AssumeRole", Version: "2011-06-15", DurationSeconds: "900" };
    const parameters = { ...session, RoleArn: ROLE, RoleSessionName: "short" };
    const xml = await askAws({ ...PLACE, service: "sts", parameters, keys }, undefined);
    const [accessKeyId = "", secretAccessKey = ""] = ["AccessKeyId", "SecretAccessKey"].map(
      (name) => elementOf(xml, name),
    );
    const short = { accessKeyId, secretAccessKey };
    await expect(token({ DurationSeconds: "1000" }, undefined, short)).rejects.toThrow(
      /SessionDurationEscalationException/,
    );
    expect(await token({ DurationSeconds: "600" }, undefined, short)).not.toBe("");
    await world.remove(FEDERATION, made);
  });

  it("have no document of an issuer that isn't there, or isn't AWS'", async () => {
    const unknown = "https://a.tokens.sts.global.api.aws/.well-known/jwks.json";
    await expect(read(unknown)).rejects.toThrow(/answers 404/);
    await expect(read("https://login.example.com/keys")).rejects.toThrow(/doesn't reach login/);
  });
});
