import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { KUBERNETES_API_PORT } from "./planFirewallRules";

/**
 * Allows a machine, by its public address, at a public load balancer of the Kubernetes API or at
 * the control plane. The machine reaches the API from that address.
 */
export function letReachApi(
  machineName: string,
  publicAddress: pulumi.Input<string>,
  args: {
    readonly publicApiGroupId: pulumi.Input<string>;
    readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  },
  opts: pulumi.CustomResourceOptions,
): aws.vpc.SecurityGroupIngressRule {
  const name = `${machineName}-to-api`;
  return new aws.vpc.SecurityGroupIngressRule(
    name,
    {
      securityGroupId: args.publicApiGroupId,
      ipProtocol: "tcp",
      fromPort: KUBERNETES_API_PORT,
      toPort: KUBERNETES_API_PORT,
      cidrIpv4: pulumi.interpolate`${publicAddress}/32`,
      description: "Kubernetes API: machine by its public address",
      tags: pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more })),
    },
    opts,
  );
}
