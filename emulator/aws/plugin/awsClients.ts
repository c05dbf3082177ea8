import { AutoScalingClient } from "@aws-sdk/client-auto-scaling";
import { EC2Client } from "@aws-sdk/client-ec2";
import { ElasticLoadBalancingClient } from "@aws-sdk/client-elastic-load-balancing";
import { ElasticLoadBalancingV2Client } from "@aws-sdk/client-elastic-load-balancing-v2";
import { IAMClient } from "@aws-sdk/client-iam";
import { KMSClient } from "@aws-sdk/client-kms";
import { ResourceGroupsTaggingAPIClient } from "@aws-sdk/client-resource-groups-tagging-api";
import { Route53Client } from "@aws-sdk/client-route-53";
import { S3Client } from "@aws-sdk/client-s3";
import { ServiceQuotasClient } from "@aws-sdk/client-service-quotas";
import { EVENTS, JsonClient, LOGS, QUEUES } from "./jsonClient";

/** The AWS services that the substitute calls, by their names in the provider's `endpoints`. */
export const SERVICES = [
  "autoscaling",
  "ec2",
  "elb",
  "elbv2",
  "eventbridge",
  "iam",
  "kms",
  "logs",
  "resourcegroupstaggingapi",
  "route53",
  "s3",
  "servicequotas",
  "sqs",
] as const;

/** One of `SERVICES`. */
export type Service = (typeof SERVICES)[number];

/** Clients of one region for the AWS services that the substitute calls. */
export interface AwsClients {
  readonly ec2: EC2Client;
  /** Classic load balancers. */
  readonly classicBalancing: ElasticLoadBalancingClient;
  readonly loadBalancing: ElasticLoadBalancingV2Client;
  readonly iam: IAMClient;
  readonly route53: Route53Client;
  readonly autoScaling: AutoScalingClient;
  readonly s3: S3Client;
  readonly kms: KMSClient;
  readonly logs: JsonClient;
  readonly queues: JsonClient;
  readonly events: JsonClient;
  readonly quotas: ServiceQuotasClient;
  readonly tagging: ResourceGroupsTaggingAPIClient;
}

/** Endpoints and credentials. */
export interface AwsConnection {
  readonly region: string;
  readonly endpoints: Readonly<Record<Service, string>>;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Creates the clients. They keep connections open until `destroyClients`. */
export function awsClients(connection: AwsConnection): AwsClients {
  const { region, endpoints, accessKeyId, secretAccessKey } = connection;
  const settings = { region, credentials: { accessKeyId, secretAccessKey } };
  return {
    ec2: new EC2Client({ ...settings, endpoint: endpoints.ec2 }),
    classicBalancing: new ElasticLoadBalancingClient({ ...settings, endpoint: endpoints.elb }),
    loadBalancing: new ElasticLoadBalancingV2Client({ ...settings, endpoint: endpoints.elbv2 }),
    iam: new IAMClient({ ...settings, endpoint: endpoints.iam }),
    route53: new Route53Client({ ...settings, endpoint: endpoints.route53 }),
    autoScaling: new AutoScalingClient({ ...settings, endpoint: endpoints.autoscaling }),
    // A bucket's name in the host name would need a DNS lookup.
    s3: new S3Client({ ...settings, endpoint: endpoints.s3, forcePathStyle: true }),
    kms: new KMSClient({ ...settings, endpoint: endpoints.kms }),
    logs: new JsonClient(LOGS, { region, endpoint: endpoints.logs, accessKeyId }),
    queues: new JsonClient(QUEUES, { region, endpoint: endpoints.sqs, accessKeyId }),
    events: new JsonClient(EVENTS, { region, endpoint: endpoints.eventbridge, accessKeyId }),
    quotas: new ServiceQuotasClient({ ...settings, endpoint: endpoints.servicequotas }),
    tagging: new ResourceGroupsTaggingAPIClient({
      ...settings,
      endpoint: endpoints.resourcegroupstaggingapi,
    }),
  };
}

/** Closes the connections the clients hold. */
export function destroyClients(clients: AwsClients): void {
  for (const client of Object.values(clients) as { destroy(): void }[]) {
    client.destroy();
  }
}
