import { IAMClient, RemoveRoleFromInstanceProfileCommand } from "@aws-sdk/client-iam";
import { startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment";
const BUCKET = "aws:s3/bucket:Bucket";
const OBJECT = "aws:s3/bucketObjectv2:BucketObjectv2";
const PROVIDER = "aws:iam/openIdConnectProvider:OpenIdConnectProvider";
const PROFILE = "aws:iam/instanceProfile:InstanceProfile";
const ROLE = "aws:iam/role:Role";

describe("identities on the emulated cloud", () => {
  let world: SubstituteWorld;

  beforeAll(async () => {
    world = await startSubstituteWorld();
  });

  afterAll(() => world.close());

  it("have an OIDC provider with its audiences", async () => {
    const url = "https://a.s3.us-east-1.amazonaws.com";
    const inputs = { url, clientIdLists: ["sts.amazonaws.com"], tags: { Name: "issuer" } };
    const made = await world.make(PROVIDER, inputs);
    expect(made.id).toMatch(
      /^arn:aws:iam::\d{12}:oidc-provider\/a\.s3\.us-east-1\.amazonaws\.com$/,
    );
    expect(made.state).toMatchObject({ arn: made.id, url, clientIdLists: ["sts.amazonaws.com"] });
    const changed = await world.change(PROVIDER, made, {
      ...inputs,
      clientIdLists: ["other"],
      tags: { team: "us" },
    });
    expect(changed.state).toMatchObject({ clientIdLists: ["other"], tagsAll: { team: "us" } });
    await world.remove(PROVIDER, changed);
    expect(await world.substitute.read(PROVIDER, made.id, made)).toBeUndefined();
  });

  it("have a bucket object whose content can change", async () => {
    const bucket = await world.make(BUCKET, { bucket: "documents" });
    const inputs = { bucket: "documents", key: "a/b", contentType: "application/json" };
    const made = await world.make(OBJECT, { ...inputs, content: "{}" });
    expect(made).toMatchObject({ id: "documents/a/b", state: { content: "{}" } });
    const changed = await world.change(OBJECT, made, { ...inputs, content: "[]" });
    expect(changed.state.etag).not.toBe(made.state.etag);
    await world.remove(OBJECT, changed);
    expect(await world.substitute.read(OBJECT, made.id, made)).toBeUndefined();
    await world.remove(BUCKET, bucket);
  });

  it("deletes an instance profile whose role a killed deletion has taken out already", async () => {
    const assumeRolePolicy = JSON.stringify({ Version: "2012-10-17", Statement: [] });
    const role = await world.make(ROLE, { assumeRolePolicy });
    const made = await world.make(PROFILE, { role: role.id });
    const iam = new IAMClient(world.clientSettings);
    const request = { InstanceProfileName: made.id, RoleName: role.id };
    await iam.send(new RemoveRoleFromInstanceProfileCommand(request));
    const again = iam.send(new RemoveRoleFromInstanceProfileCommand(request));
    await expect(again).rejects.toMatchObject({ name: "NoSuchEntityException" });
    iam.destroy();
    await world.remove(PROFILE, made);
    expect(await world.substitute.read(PROFILE, made.id, made)).toBeUndefined();
    await world.remove(ROLE, role);
  });

  it("attach a managed policy of AWS to a role", async () => {
    const assumeRolePolicy = JSON.stringify({ Version: "2012-10-17", Statement: [] });
    const role = await world.make(ROLE, { assumeRolePolicy });
    const policyArn = "arn:aws:iam::aws:policy/ReadOnlyAccess";
    const made = await world.make(ATTACHMENT, { role: role.id, policyArn });
    expect(made).toMatchObject({ id: `${role.id}/${policyArn}`, state: { policyArn } });
    await world.remove(ATTACHMENT, made);
    expect(await world.substitute.read(ATTACHMENT, made.id, made)).toBeUndefined();
    await world.remove(ROLE, role);
  });
});
