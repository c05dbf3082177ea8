import * as pulumi from "@pulumi/pulumi";

const made: pulumi.runtime.MockResourceArgs[] = [];

const mocks: pulumi.runtime.Mocks = {
  call: () => ({ region: "eu-central-1" }),
  newResource: (args) => {
    made.push(args);
    const inputs = args.inputs as Record<string, unknown>;
    const { name } = args;
    const outputs = { bucket: `${name}-1a2b3c4`, arn: `arn:${name}`, keyId: "key-1" };
    return { id: `${name}-id`, state: { ...outputs, ...inputs } };
  },
};

describe("examples/state-backend", () => {
  let outputs: Record<"backendUrl" | "secretsProvider", string>;

  beforeAll(async () => {
    await pulumi.runtime.setMocks(mocks);
    const program = jest.requireActual<Record<keyof typeof outputs, pulumi.Output<string>>>(
      "../../examples/state-backend",
    );
    outputs = await new Promise((resolve) => {
      const { backendUrl, secretsProvider } = program;
      pulumi.all({ backendUrl, secretsProvider }).apply(resolve);
    });
    await pulumi.runtime.disconnect();
  });

  const inputsOf = (kind: string) =>
    made.find(({ type }) => type.endsWith(`:${kind}`))?.inputs as Record<string, unknown>;

  it("tells what to give Pulumi", () => {
    expect(outputs).toEqual({
      backendUrl: "s3://pulumi-state-1a2b3c4?region=eu-central-1&awssdk=v2",
      secretsProvider: "awskms://alias/pulumi-state?region=eu-central-1&awssdk=v2",
    });
  });

  it("keeps versions of what it encrypts with a key that rotates", () => {
    expect(inputsOf("Key")).toMatchObject({ enableKeyRotation: true, deletionWindowInDays: 30 });
    expect(inputsOf("BucketVersioning")).toMatchObject({
      versioningConfiguration: { status: "Enabled" },
    });
    expect(inputsOf("BucketServerSideEncryptionConfiguration").rules).toEqual([
      {
        applyServerSideEncryptionByDefault: {
          sseAlgorithm: "aws:kms",
          kmsMasterKeyId: "arn:state",
        },
        bucketKeyEnabled: true,
      },
    ]);
  });

  it("lets nobody in from outside, and nobody without TLS", () => {
    const { bucket: _, ...closed } = inputsOf("BucketPublicAccessBlock");
    expect(Object.keys(closed)).toHaveLength(4);
    expect(new Set(Object.values(closed))).toEqual(new Set([true]));
    const policy = JSON.parse(String(inputsOf("BucketPolicy").policy)) as Record<string, unknown>;
    expect(policy.Statement).toEqual([
      expect.objectContaining({
        Effect: "Deny",
        Resource: ["arn:pulumi-state", "arn:pulumi-state/*"],
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      }),
    ]);
  });
});
