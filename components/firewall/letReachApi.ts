import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { KUBERNETES_API_PORT } from "./planFirewallRules";

interface AddressedMachine {
  /** Empty while the machine is stopped. */
  readonly publicAddress: pulumi.Input<string>;
  readonly privateAddress: pulumi.Input<string>;
}

/**
 * Allows a machine, by its public address, at a public load balancer of the Kubernetes API or at
 * the control plane. The machine reaches the API from that address.
 *
 * EC2 gives the public address of a stopped machine to others. So the rule then names the private
 * one, from which nobody comes here.
 */
export function letReachApi(
  machineName: string,
  { publicAddress, privateAddress }: AddressedMachine,
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
      cidrIpv4: pulumi.interpolate`${addressOf(publicAddress, privateAddress)}/32`,
      description: "Kubernetes API: machine by its public address",
      tags: pulumi.output(args.tags ?? {}).apply((more) => ({ Name: name, ...more })),
    },
    opts,
  );
}

/** The private address is only looked at without a public one, so that it is no further reason to wait. */
function addressOf(
  publicAddress: pulumi.Input<string>,
  privateAddress: pulumi.Input<string>,
): pulumi.Output<string> {
  return pulumi
    .output(publicAddress)
    .apply((address) => (address === "" ? pulumi.output(privateAddress) : pulumi.output(address)));
}
