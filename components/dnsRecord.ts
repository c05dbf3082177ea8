import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { checkDnsRecord } from "./checkDns";
import { refuse } from "./problems";

export interface DnsRecordArgs {
  /** The name to answer for, for example `k8s.sandbox.example.com`. */
  readonly recordName: string;
  /** The zone it lies in, for example `example.com`: an ending of the name. */
  readonly zoneName: string;
  /**
   * Id of the hosted zone to write into. Exclusive with `createZone`. Default: the public hosted
   * zone of the account that is called `zoneName`.
   */
  readonly zoneId?: pulumi.Input<string>;
  /**
   * Makes the hosted zone (about $0.50 a month; list price, November 2026). The internet finds it
   * once its parent domain delegates to its `nameServers`, which is done by hand. Default: false.
   */
  readonly createZone?: boolean;
  /** `ApiLoadBalancer.dnsName`. */
  readonly loadBalancerDnsName: pulumi.Input<string>;
  /** `ApiLoadBalancer.zoneId`. */
  readonly loadBalancerZoneId: pulumi.Input<string>;
  /** Pulumi refuses to delete a zone that is made. Default: false. */
  readonly protect?: boolean;
  /** Tags for a zone that is made. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * The name of the Kubernetes API: an alias for its load balancer, free to ask for. The name is
 * known before the load balancer is, so configurations and certificates are made with it.
 *
 * @throws pulumi.InputPropertiesError for a name outside its zone, or two choices of a zone
 */
export class DnsRecord extends pulumi.ComponentResource {
  public readonly recordName: string;
  public readonly zoneId: pulumi.Output<string>;
  /** The servers that answer for the zone: what its parent domain has to delegate to. */
  public readonly nameServers: pulumi.Output<string[]>;

  constructor(name: string, args: DnsRecordArgs, opts?: pulumi.ComponentResourceOptions) {
    const { recordName, zoneName, zoneId, createZone = false } = args;
    const choices = { recordName, zoneName, adoptsById: zoneId !== undefined, createZone };
    refuse(`the DNS record "${name}"`, checkDnsRecord(choices));
    super("talos-aws:index:DnsRecord", name, {}, opts);

    const child = { parent: this };
    const zone = createZone
      ? new aws.route53.Zone(
          `${name}-zone`,
          {
            name: zoneName,
            comment: `Zone of ${recordName}`,
            ...(args.tags !== undefined && { tags: args.tags }),
          },
          { ...child, protect: args.protect ?? false },
        )
      : this.findZone(zoneName, zoneId);
    new aws.route53.Record(
      `${name}-alias`,
      {
        zoneId: zone.zoneId,
        name: recordName,
        type: "A",
        aliases: [
          {
            name: args.loadBalancerDnsName,
            zoneId: args.loadBalancerZoneId,
            evaluateTargetHealth: true,
          },
        ],
      },
      child,
    );

    this.recordName = recordName;
    this.zoneId = zone.zoneId;
    this.nameServers = zone.nameServers;
    this.registerOutputs({
      recordName: this.recordName,
      zoneId: this.zoneId,
      nameServers: this.nameServers,
    });
  }

  private findZone(zoneName: string, zoneId: pulumi.Input<string> | undefined) {
    return pulumi.output(
      pulumi
        .output(zoneId)
        .apply((id) =>
          findHostedZone(id === undefined ? { zoneName } : { zoneId: id }, (query) =>
            aws.route53.getZone(query, { parent: this }),
          ),
        ),
    );
  }
}

/** A hosted zone that is there. */
export interface HostedZone {
  readonly zoneId: string;
  readonly nameServers: string[];
}

/**
 * Finds a hosted zone of the account by its id, or the public one of a name.
 *
 * @param getZone asks AWS
 * @throws Error that says what was searched and what to do
 */
export async function findHostedZone(
  query: { readonly zoneName: string } | { readonly zoneId: string },
  getZone: (args: aws.route53.GetZoneArgs) => Promise<HostedZone>,
): Promise<HostedZone> {
  const byName = "zoneName" in query;
  try {
    return await getZone(byName ? { name: query.zoneName, privateZone: false } : query);
  } catch (error) {
    const what = byName ? `public hosted zone "${query.zoneName}"` : `hosted zone ${query.zoneId}`;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `can't find the ${what} in this account: ${reason}; make it first, give the id of another as zoneId, or have one made with createZone`,
      { cause: error },
    );
  }
}
