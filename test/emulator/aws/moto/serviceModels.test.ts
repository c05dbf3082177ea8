import { CreateAutoScalingGroupCommand, AutoScalingClient } from "@aws-sdk/client-auto-scaling";
import { DescribeInstanceAttributeCommand, EC2Client } from "@aws-sdk/client-ec2";
import {
  CreateTargetGroupCommand,
  ElasticLoadBalancingV2Client,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { CreateRoleCommand, IAMClient } from "@aws-sdk/client-iam";
import { CreateAliasCommand, KMSClient } from "@aws-sdk/client-kms";
import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import { claimAddressSlice, type AddressSlice } from "../../../../emulator/aws/addressSlice";
import { type MotoServer, startMotoServer } from "../../../../emulator/aws/motoServer";
import { ensureMoto } from "../../../../emulator/aws/pythonEnvironment";
import { eventually } from "../../support/eventually";

describe("calls judged by AWS' models of the services", () => {
  let slice: AddressSlice;
  let server: MotoServer;
  const violations: string[] = [];
  const clients: { destroy(): void }[] = [];

  function client<T extends { destroy(): void }>(
    Client: new (settings: {
      region: string;
      endpoint: string;
      credentials: { accessKeyId: string; secretAccessKey: string };
    }) => T,
  ): T {
    const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
    const made = new Client({ region: "us-east-1", endpoint: server.url, credentials });
    clients.push(made);
    return made;
  }

  beforeAll(async () => {
    const { python } = await ensureMoto();
    slice = await claimAddressSlice();
    server = await startMotoServer({
      python,
      instanceNetwork: slice.instanceNetwork,
      elasticNetwork: slice.elasticNetwork,
      onChange: () => undefined,
      onViolation: (text) => violations.push(text),
      onUnexpectedEnd: () => undefined,
      onLog: () => undefined,
    });
  });

  afterEach(() => {
    violations.length = 0;
  });

  afterAll(async () => {
    clients.forEach((each) => each.destroy());
    await server.stop();
    await slice.release();
  });

  const assumed = JSON.stringify({ Version: "2012-10-17", Statement: [] });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "a role's name that is too long",
      () =>
        client(IAMClient).send(
          new CreateRoleCommand({ RoleName: "r".repeat(65), AssumeRolePolicyDocument: assumed }),
        ),
      /CreateRole.RoleName must have at most 64 characters, not 65/,
    ],
    [
      "a role's name with a space",
      () =>
        client(IAMClient).send(
          new CreateRoleCommand({ RoleName: "two words", AssumeRolePolicyDocument: assumed }),
        ),
      /CreateRole.RoleName must match .*, not "two words"/,
    ],
    [
      "a check of target groups that is too rare",
      () =>
        client(ElasticLoadBalancingV2Client).send(
          new CreateTargetGroupCommand({ Name: "api", HealthCheckIntervalSeconds: 301 }),
        ),
      /HealthCheckIntervalSeconds must have at most 300 as value, not 301/,
    ],
    [
      "an attribute of machines that there is none of",
      () =>
        client(EC2Client).send(
          new DescribeInstanceAttributeCommand({
            InstanceId: "i-1",
            Attribute: "colour" as "userData",
          }),
        ),
      /DescribeInstanceAttribute.Attribute must be one of instanceType, .*, not "colour"/,
    ],
    [
      "a group without its largest size",
      () =>
        client(AutoScalingClient).send(
          new CreateAutoScalingGroupCommand({
            AutoScalingGroupName: "pool",
            MinSize: 1,
            MaxSize: undefined,
          }),
        ),
      /CreateAutoScalingGroup.MaxSize is required/,
    ],
    [
      "a zone without a reference",
      () =>
        client(Route53Client).send(
          new CreateHostedZoneCommand({ Name: "example.com", CallerReference: "" }),
        ),
      /CallerReference must have at least 1 characters, not 0/,
    ],
    [
      "an alias of a key, which is called with JSON",
      () =>
        client(KMSClient).send(
          new CreateAliasCommand({ AliasName: "alias/a b", TargetKeyId: "1" }),
        ),
      /CreateAlias.AliasName must match .*, not "alias\/a b"/,
    ],
  ])("refuse %s, as AWS does, and tell of it", async (_case, call, expected) => {
    await expect(call()).rejects.toMatchObject({
      name: expect.stringMatching(
        /^(Validation(Error|Exception)|InvalidParameterValue|InvalidInput)$/,
      ) as unknown,
      message: expect.stringMatching(expected) as unknown,
      $metadata: expect.objectContaining({ httpStatusCode: 400 }) as unknown,
    });
    // The server tells of it beside its answer.
    await eventually(() => {
      expect(violations).toEqual([expect.stringMatching(expected)]);
    });
  });
});
