import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { messageOfError } from "../../provider/base";
import { recordedAnswers } from "../account/recordedAnswers";
import { orFailRun } from "../failRun";
import { misspeltArguments, type PropertyProblem, refuse } from "../problems";
import { checkDnsRecord } from "./checkDns";

/** Arguments of `DnsRecord`. */
export interface DnsRecordArgs {
  /** The DNS name, for example `k8s.sandbox.example.com`. */
  readonly recordName: string;
  /** The zone of the name, for example `example.com`. The name must end with it. */
  readonly zoneName: string;
  /**
   * Id of the hosted zone for the record. Exclusive with `createZone`. Default: the account's
   * hosted zone called `zoneName`: the public one, or with `privateVpcId` the network's.
   */
  readonly zoneId?: pulumi.Input<string>;
  /**
   * Creates the hosted zone (about $0.50 a month; list price, November 2026). It resolves on the
   * internet once you delegate its parent domain to its `nameServers`. Default: false.
   */
  readonly createZone?: boolean;
  /**
   * Id of the network for a private zone. The name resolves only there, so run `pulumi up` and
   * `kubectl` in the network. Default: a public zone.
   */
  readonly privateVpcId?: pulumi.Input<string>;
  /** `ApiLoadBalancer.dnsName`. */
  readonly loadBalancerDnsName?: pulumi.Input<string>;
  /** `ApiLoadBalancer.zoneId`. */
  readonly loadBalancerZoneId?: pulumi.Input<string>;
  /**
   * IPv4 addresses for the name, if there is no load balancer. A client keeps trying a dead address
   * until its own timeout. Exclusive with a load balancer.
   */
  readonly addresses?: pulumi.Input<pulumi.Input<string>[]>;
  /** Also creates an AAAA record. The load balancer must have IPv6 addresses. Default: false. */
  readonly dualStack?: boolean;
  /** Pulumi refuses to delete a created zone. Default: false. */
  readonly protect?: boolean;
  /** Tags for a created zone. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** How long resolvers cache addresses: as long as AWS lets them cache a load balancer's. */
const ADDRESS_TTL_SECONDS = 60;

const TYPE = "talos-aws:index:DnsRecord";

/**
 * The DNS name of the Kubernetes API: a free alias for its load balancer, or the addresses of
 * machines. The name is known before those exist, so configurations and certificates can contain
 * it. For a zone of another account, set that account's provider in the component's options.
 *
 * @throws pulumi.InputPropertiesError for a name outside its zone, for two choices of a zone, and
 * unless exactly one of load balancer and addresses is given
 */
export class DnsRecord extends pulumi.ComponentResource {
  readonly recordName: string;
  readonly zoneId: pulumi.Output<string>;
  /** The zone's name servers, to which its parent domain must delegate. */
  readonly nameServers: pulumi.Output<string[]>;

  constructor(name: string, args: DnsRecordArgs, opts?: pulumi.ComponentResourceOptions) {
    const { recordName, zoneName, zoneId, createZone = false } = args;
    const choices = { recordName, zoneName, adoptsById: zoneId !== undefined, createZone };
    refuse(`the DNS record "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...checkDnsRecord(choices),
      ...checkAnswers(args),
    ]);
    super(TYPE, name, {}, opts);

    const child = { parent: this };
    const zone = createZone
      ? new aws.route53.Zone(
          `${name}-zone`,
          {
            name: zoneName,
            comment: `Zone of ${recordName}`,
            ...(args.privateVpcId !== undefined && { vpcs: [{ vpcId: args.privateVpcId }] }),
            tags: pulumi
              .output(args.tags ?? {})
              .apply((more) => ({ Name: `${name}-zone`, ...more })),
          },
          { ...child, protect: args.protect ?? false },
        )
      : this.findZone(name, zoneName, zoneId, args.privateVpcId);
    const place = { zoneId: zone.zoneId, name: recordName };
    const answers = toAnswers(args);
    // The same resource for both targets, so that a change of the target updates the record instead
    // of creating a second one.
    new aws.route53.Record(`${name}-alias`, { ...place, type: "A", ...answers }, child);
    if (args.dualStack === true) {
      new aws.route53.Record(`${name}-alias-ipv6`, { ...place, type: "AAAA", ...answers }, child);
    }

    this.recordName = recordName;
    this.zoneId = zone.zoneId;
    this.nameServers = zone.nameServers;
    this.registerOutputs({
      recordName: this.recordName,
      zoneId: this.zoneId,
      nameServers: this.nameServers,
    });
  }

  private findZone(
    name: string,
    zoneName: string,
    zoneId: pulumi.Input<string> | undefined,
    privateVpcId: pulumi.Input<string> | undefined,
  ) {
    const recorded = recordedAnswers();
    if (recorded !== undefined) {
      return pulumi.output(zoneId).apply((id) => recorded.hostedZone(name, id));
    }
    return pulumi.output(
      pulumi
        .all([zoneId, privateVpcId])
        .apply(([id, vpcId]) =>
          orFailRun(this, () =>
            findHostedZone(id === undefined ? { zoneName, vpcId } : { zoneId: id }, (query) =>
              aws.route53.getZone(query, { parent: this }),
            ),
          ),
        ),
    );
  }
}

function toAnswers(args: DnsRecordArgs) {
  const { loadBalancerDnsName, loadBalancerZoneId, addresses } = args;
  return loadBalancerDnsName === undefined || loadBalancerZoneId === undefined
    ? { ttl: ADDRESS_TTL_SECONDS, records: addresses ?? [] }
    : {
        aliases: [
          { name: loadBalancerDnsName, zoneId: loadBalancerZoneId, evaluateTargetHealth: true },
        ],
      };
}

function checkAnswers(args: DnsRecordArgs): PropertyProblem[] {
  const { loadBalancerDnsName, loadBalancerZoneId, addresses, dualStack } = args;
  const hasName = loadBalancerDnsName !== undefined;
  const problems: PropertyProblem[] = [];
  if (hasName !== (loadBalancerZoneId !== undefined)) {
    const reason = `loadBalancerDnsName and loadBalancerZoneId go together: give both, or addresses`;
    problems.push({ property: hasName ? "loadBalancerZoneId" : "loadBalancerDnsName", reason });
  } else if (hasName === (addresses !== undefined)) {
    const reason = hasName
      ? `a load balancer and addresses are mutually exclusive: the name leads to one or the other`
      : `the record has no target: give a load balancer, or addresses`;
    problems.push({ property: "addresses", reason });
  }
  if (dualStack === true && addresses !== undefined) {
    const reason = `addresses are IPv4 ones: leave out dualStack, or give a load balancer`;
    problems.push({ property: "dualStack", reason });
  }
  return problems;
}

/** A hosted zone by its id, or by its name: the public one, or that of a network. */
export type ZoneQuery =
  { readonly zoneName: string; readonly vpcId?: string | undefined } | { readonly zoneId: string };

/** An existing hosted zone. */
export interface HostedZone {
  readonly zoneId: string;
  readonly nameServers: string[];
}

/**
 * Finds a hosted zone of the account by its id, or by a name: the public one, or that of a network.
 *
 * @param getZone asks AWS
 * @throws Error that says what was searched and what to do
 */
export async function findHostedZone(
  query: ZoneQuery,
  getZone: (args: aws.route53.GetZoneArgs) => Promise<HostedZone>,
): Promise<HostedZone> {
  try {
    return await getZone(toZoneQuery(query));
  } catch (error) {
    const what = describeZone(query);
    const reason = messageOfError(error);
    throw new Error(
      `can't find the ${what} in this account: ${reason}; make it first, give the id of another as zoneId, or have one made with createZone`,
      { cause: error },
    );
  }
}

function toZoneQuery(query: ZoneQuery): aws.route53.GetZoneArgs {
  if ("zoneId" in query) {
    return query;
  }
  const { zoneName: name, vpcId } = query;
  return vpcId === undefined ? { name, privateZone: false } : { name, privateZone: true, vpcId };
}

function describeZone(query: ZoneQuery): string {
  if ("zoneId" in query) {
    return `hosted zone ${query.zoneId}`;
  }
  return query.vpcId === undefined
    ? `public hosted zone "${query.zoneName}"`
    : `private hosted zone "${query.zoneName}" of ${query.vpcId}`;
}
