import {
  DescribeImagesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
} from "@aws-sdk/client-ec2";
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
} from "@aws-sdk/client-iam";
import type { Emulator } from "../../../emulator";
import type { Account } from "../../engine/support/account";

/** What of an account a pool of Karpenter is made of. */
export interface PoolParts {
  readonly imageIds: readonly string[];
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly instanceProfileName: string;
}

/** Makes a role for machines and a queue for Karpenter in an emulated account, and finds the rest. */
export async function preparePool(
  { ec2, iam }: Account,
  { url, region }: Emulator,
  names: { readonly role: string; readonly queue: string; readonly image: string },
): Promise<PoolParts> {
  const profile = { InstanceProfileName: `${names.role}-profile` };
  await iam.send(new CreateRoleCommand({ RoleName: names.role, AssumeRolePolicyDocument: "{}" }));
  await iam.send(new CreateInstanceProfileCommand(profile));
  await iam.send(new AddRoleToInstanceProfileCommand({ RoleName: names.role, ...profile }));
  await makeQueue(url, region, names.queue);
  const byName = [{ Name: "name", Values: [names.image] }];
  const { Images = [] } = await ec2.send(new DescribeImagesCommand({ Filters: byName }));
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  return {
    imageIds: Images.map(({ ImageId = "" }) => ImageId),
    subnetIds: Subnets.map(({ SubnetId = "" }) => SubnetId).slice(0, 2),
    securityGroupIds: SecurityGroups.map(({ GroupId = "" }) => GroupId).slice(0, 1),
    instanceProfileName: profile.InstanceProfileName,
  };
}

async function makeQueue(url: string, region: string, QueueName: string): Promise<void> {
  const scope = `emulator/20260101/${region}/sqs/aws4_request`;
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.CreateQueue",
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify({ QueueName }),
  });
  expect(await answer.text()).toContain("QueueUrl");
}
