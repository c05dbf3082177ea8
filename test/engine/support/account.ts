import { AutoScalingClient } from "@aws-sdk/client-auto-scaling";
import { EC2Client } from "@aws-sdk/client-ec2";
import { ElasticLoadBalancingClient } from "@aws-sdk/client-elastic-load-balancing";
import { ElasticLoadBalancingV2Client } from "@aws-sdk/client-elastic-load-balancing-v2";
import { IAMClient } from "@aws-sdk/client-iam";
import { Route53Client } from "@aws-sdk/client-route-53";
import type { Emulator } from "../../../emulator";

/** An emulated account, by AWS' own clients. */
export interface Account {
  readonly ec2: EC2Client;
  /** Classic load balancers. */
  readonly classicBalancing: ElasticLoadBalancingClient;
  readonly loadBalancing: ElasticLoadBalancingV2Client;
  readonly autoScaling: AutoScalingClient;
  readonly iam: IAMClient;
  readonly route53: Route53Client;
  readonly close: () => void;
}

/** Opens that of an emulator; `close` it. */
export function openAccount({ url: endpoint, region }: Emulator): Account {
  const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };
  const settings = { endpoint, region, credentials };
  const clients = {
    ec2: new EC2Client(settings),
    classicBalancing: new ElasticLoadBalancingClient(settings),
    loadBalancing: new ElasticLoadBalancingV2Client(settings),
    autoScaling: new AutoScalingClient(settings),
    iam: new IAMClient(settings),
    route53: new Route53Client(settings),
  };
  const close = () => Object.values(clients).forEach((client) => client.destroy());
  return { ...clients, close };
}
