import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { KUBERNETES_API_PORT } from "./planFirewallRules";

/**
 * Has a public load balancer of the Kubernetes API, or the control plane, let in a machine by its
 * public address: the one by which it comes there. Free of charge.
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
