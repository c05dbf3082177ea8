import { functionKinds } from "../../../../emulator/aws/plugin/functions/functionKinds";
import {
  checkProviderConfig,
  resolveProviderConfig,
} from "../../../../emulator/aws/plugin/providerConfig";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import { Substitute } from "../../../../emulator/aws/plugin/substitute";
import { UNKNOWN } from "../../../../provider/base/unknown";

const environment = { AWS_ENDPOINT_URL: "http://127.0.0.1:1", AWS_REGION: "eu-west-1" };

describe("resolveProviderConfig", () => {
  it("prefers the program's settings to the environment's", () => {
    const config = resolveProviderConfig(
      {
        region: "eu-central-1",
        defaultTags: JSON.stringify({ tags: { owner: "us" } }),
        endpoints: JSON.stringify([{ ec2: "http://127.0.0.1:2" }]),
      },
      environment,
    );
    expect(config.region).toBe("eu-central-1");
    expect(config.defaultTags).toEqual({ owner: "us" });
    expect(config.endpoints).toMatchObject({
      ec2: "http://127.0.0.1:2",
      iam: "http://127.0.0.1:1",
    });
    expect(resolveProviderConfig({}, environment).region).toBe("eu-west-1");
  });

  it.each([
    [{ AWS_REGION: "eu-west-1" }, "no endpoint"],
    [{ AWS_ENDPOINT_URL: "http://127.0.0.1:1" }, "no region"],
    [
      { AWS_REGION: "eu-west-1", AWS_ENDPOINT_URL: "https://ec2.eu-west-1.amazonaws.com" },
      "never speaks to a real AWS",
    ],
    [
      { AWS_REGION: "eu-west-1", AWS_ENDPOINT_URL: "http://127.0.0.1.example.com" },
      "is not on this machine",
    ],
  ])("rejects %p", (given, complaint) => {
    expect(() => resolveProviderConfig({}, given)).toThrow(complaint);
  });
});

describe("checkProviderConfig", () => {
  it("accepts the flags for emulators, and reports unknown ones", () => {
    expect(
      checkProviderConfig({
        region: "eu-west-1",
        skipCredentialsValidation: "true",
        skipMetadataApiCheck: "true",
        skipRegionValidation: "true",
        skipRequestingAccountId: "true",
        s3UsePathStyle: "true",
      }),
    ).toEqual([]);
    expect(checkProviderConfig({ assumeRoles: "[]" }).map(({ property }) => property)).toEqual([
      "assumeRoles",
    ]);
  });
});

describe("Substitute", () => {
  const substitute = new Substitute(
    resourceKinds,
    functionKinds,
    resolveProviderConfig({ defaultTags: { tags: { owner: "us" } } }, environment),
  );

  afterAll(() => substitute.close());

  it("reports unknown functions, arguments and types", async () => {
    await expect(substitute.invoke("aws:ec2/getKeyPair:getKeyPair", {})).rejects.toThrow(
      'does not know the function "aws:ec2/getKeyPair:getKeyPair"; it knows aws:autoscaling/getAmiIds:getAmiIds',
    );
    await expect(substitute.invoke("aws:ec2/getAmi:getAmi", { uefiData: "x" })).rejects.toThrow(
      'does not know the property "uefiData" of aws:ec2/getAmi:getAmi',
    );
    expect(() =>
      substitute.check(
        "aws:sns/topic:Topic",
        {},
        {},
        { pulumiName: "a", randomSeed: new Uint8Array() },
      ),
    ).toThrow('does not know the resource type "aws:sns/topic:Topic"');
  });

  it("shows known values in a preview, and leaves AWS' own values unknown", async () => {
    const { state } = await substitute.create(
      "aws:ec2/subnet:Subnet",
      { vpcId: UNKNOWN, cidrBlock: "10.0.0.0/24", tags: { Name: "a" }, __defaults: [] },
      { preview: true },
    );
    expect(state).toEqual({
      vpcId: UNKNOWN,
      cidrBlock: "10.0.0.0/24",
      tags: { Name: "a" },
      tagsAll: { owner: "us", Name: "a" },
      region: "eu-west-1",
      arn: UNKNOWN,
      ownerId: UNKNOWN,
      availabilityZone: UNKNOWN,
      availabilityZoneId: UNKNOWN,
      ipv6CidrBlock: UNKNOWN,
      ipv6CidrBlockAssociationId: UNKNOWN,
      privateDnsHostnameTypeOnLaunch: UNKNOWN,
    });
  });

  it("keeps unchanged values in the preview of an update", async () => {
    const inputs = { vpcId: "vpc-1", cidrBlock: "10.0.0.0/24", mapPublicIpOnLaunch: false };
    const { state } = await substitute.update(
      "aws:ec2/subnet:Subnet",
      "subnet-1",
      { inputs, state: { ...inputs, arn: "arn:1", availabilityZone: "eu-west-1a" } },
      { ...inputs, mapPublicIpOnLaunch: true },
      { preview: true },
    );
    expect(state).toMatchObject({
      arn: "arn:1",
      availabilityZone: "eu-west-1a",
      mapPublicIpOnLaunch: true,
    });
  });
});
