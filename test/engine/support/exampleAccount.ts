import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateRouteCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeRouteTablesCommand,
  EC2Client,
  ModifyVpcAttributeCommand,
} from "@aws-sdk/client-ec2";
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  CreateRoleCommand,
  IAMClient,
} from "@aws-sdk/client-iam";
import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import {
  CreateBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import {
  RequestServiceQuotaIncreaseCommand,
  ServiceQuotasClient,
} from "@aws-sdk/client-service-quotas";
import { planMachineTrust } from "../../../components/permissions/planNodePolicy";
import type { Emulator } from "../../../emulator";
import { NEWEST_RELEASES } from "../../../provider/config/releases/newestReleases";

/** Region that the examples lie in. */
const REGION = "eu-central-1";
const ZONE = "eu-central-1a";

/**
 * An account as people have one: with the hosted zone `example.com`, a network that reaches the
 * internet, and a role for machines.
 *
 * @returns the settings of examples/adopt-vpc
 */
export async function makeAccount(emulator: Emulator): Promise<Record<string, string>> {
  const options = {
    region: REGION,
    endpoint: emulator.url,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
  const [ec2, iam, route53] = [
    new EC2Client(options),
    new IAMClient(options),
    new Route53Client(options),
  ];
  try {
    const domain = "example.com";
    const { HostedZone } = await route53.send(
      new CreateHostedZoneCommand({ Name: domain, CallerReference: domain }),
    );
    const RoleName = "machines";
    await iam.send(
      new CreateRoleCommand({
        RoleName,
        AssumeRolePolicyDocument: JSON.stringify(planMachineTrust("us-east-1")),
      }),
    );
    await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: RoleName }));
    const profile = { InstanceProfileName: RoleName, RoleName };
    await iam.send(new AddRoleToInstanceProfileCommand(profile));
    const network = await makeNetwork(ec2);
    return {
      ...network,
      domain,
      zoneId: HostedZone?.Id?.replace("/hostedzone/", "") ?? "",
      instanceProfileName: RoleName,
    };
  } finally {
    for (const client of [ec2, iam, route53]) {
      client.destroy();
    }
  }
}

/** Sets a quota of virtual processors, by its code. */
export async function allowProcessors(
  { url: endpoint }: Pick<Emulator, "url">,
  QuotaCode: string,
  DesiredValue: number,
): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const quotas = new ServiceQuotasClient({ region: REGION, endpoint, credentials });
  const asked = { ServiceCode: "ec2", QuotaCode, DesiredValue };
  await quotas.send(new RequestServiceQuotaIncreaseCommand(asked));
  quotas.destroy();
}

/** The name of the bucket that `makeDisk` makes. */
export const DISK_BUCKET = "example-disks";

/** A bucket with the disk of an image, as the Image Factory serves it. */
export async function makeDisk(
  emulator: Pick<Emulator, "url">,
  Key = `talos-${NEWEST_RELEASES.talosVersion}-amd64.raw`,
): Promise<void> {
  const s3 = await makeBucket(emulator, DISK_BUCKET);
  await s3.send(new PutObjectCommand({ Bucket: DISK_BUCKET, Key, Body: "disk" }));
  s3.destroy();
}

/** The name of the bucket that `makeLogBucket` makes. */
export const LOG_BUCKET = "example-logs";

/** A bucket that takes the access logs of load balancers. */
export async function makeLogBucket(emulator: Pick<Emulator, "url">): Promise<void> {
  const s3 = await makeBucket(emulator, LOG_BUCKET);
  const bucket = `arn:aws:s3:::${LOG_BUCKET}`;
  const allow = (Action: string, Resource: string) => ({
    Effect: "Allow",
    Principal: { Service: "delivery.logs.amazonaws.com" },
    Action,
    Resource,
  });
  const Policy = JSON.stringify({
    Version: "2012-10-17",
    Statement: [allow("s3:PutObject", `${bucket}/*`), allow("s3:GetBucketAcl", bucket)],
  });
  await s3.send(new PutBucketPolicyCommand({ Bucket: LOG_BUCKET, Policy }));
  s3.destroy();
}

async function makeBucket({ url }: Pick<Emulator, "url">, Bucket: string): Promise<S3Client> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const s3 = new S3Client({ region: REGION, endpoint: url, credentials, forcePathStyle: true });
  const CreateBucketConfiguration = { LocationConstraint: REGION } as const;
  await s3.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration }));
  return s3;
}

/** A certificate of AWS Certificate Manager, whose client the repository has no other use for. */
export async function requestCertificate({ url }: Pick<Emulator, "url">): Promise<string> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-amz-json-1.1",
      "X-Amz-Target": "CertificateManager.RequestCertificate",
      Authorization: `AWS4-HMAC-SHA256 Credential=test/20261124/${REGION}/acm/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify({ DomainName: "www.example.com", ValidationMethod: "DNS" }),
  });
  const { CertificateArn } = (await answer.json()) as { CertificateArn: string };
  return CertificateArn;
}

async function makeNetwork(ec2: EC2Client) {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: "10.20.0.0/16" }));
  const VpcId = Vpc?.VpcId ?? "";
  for (const attribute of ["EnableDnsSupport", "EnableDnsHostnames"]) {
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId, [attribute]: { Value: true } }));
  }
  const { Subnet } = await ec2.send(
    new CreateSubnetCommand({ VpcId, CidrBlock: "10.20.1.0/24", AvailabilityZone: ZONE }),
  );
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  const GatewayId = InternetGateway?.InternetGatewayId ?? "";
  await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId: GatewayId }));
  const { RouteTables } = await ec2.send(
    new DescribeRouteTablesCommand({ Filters: [{ Name: "vpc-id", Values: [VpcId] }] }),
  );
  const RouteTableId = RouteTables?.[0]?.RouteTableId;
  await ec2.send(
    new CreateRouteCommand({ RouteTableId, GatewayId, DestinationCidrBlock: "0.0.0.0/0" }),
  );
  return { vpcId: VpcId, publicSubnetIds: JSON.stringify({ [ZONE]: Subnet?.SubnetId ?? "" }) };
}
