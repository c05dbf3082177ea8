import {
  DescribeListenersCommand,
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
  DescribeTargetHealthCommand,
  type ElasticLoadBalancingV2Client,
  type Listener,
  type LoadBalancer,
  type TargetGroup,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { messageOfError } from "../provider/base";
import type { TargetHealthEntry } from "./aws/motoServer";
import { Reconciler } from "./reconciler";
import { TargetPool } from "./targetPool";
import { startTcpProxy, type TcpProxy } from "./tcpProxy";

/** Options of `LoadBalancers`, which holds the load balancers of one region. */
export interface LoadBalancersOptions {
  readonly client: ElasticLoadBalancingV2Client;
  /** Returns an unused address. */
  readonly nextAddress: () => string;
  /** Finds the local address of a target, which is an instance id or a private address. */
  readonly addressOf: (target: string) => string | undefined;
  /** Called with the results of health checks, by target group ARN and target id. */
  readonly onHealth: (groupArn: string, health: Record<string, TargetHealthEntry>) => void;
  readonly onLog: (line: string) => void;
}

interface OpenListener {
  readonly address: string;
  readonly port: number;
  groupArn: string;
  readonly proxy: TcpProxy;
}

/**
 * Gives every network load balancer of a region its own address. Each listener is a TCP proxy at that
 * address, to the healthy targets of its target group.
 */
export class LoadBalancers {
  private readonly addresses = new Map<string, { dnsName: string; address: string }>();
  private readonly listeners = new Map<string, OpenListener>();
  private readonly pools = new Map<string, TargetPool>();
  private readonly reconciler: Reconciler;

  constructor(private readonly options: LoadBalancersOptions) {
    this.reconciler = new Reconciler(
      () => this.reconcile(),
      (error) => options.onLog(`load balancers: ${messageOf(error)}`),
    );
  }

  /** Something in the cloud may have changed. */
  changed(): void {
    this.reconciler.changed();
  }

  settled(): Promise<void> {
    return this.reconciler.settled();
  }

  /** The address of the load balancer with this DNS name. */
  addressOfDnsName(name: string): string | undefined {
    const wanted = name.toLowerCase().replace(/^dualstack\./, "");
    return [...this.addresses.values()].find(({ dnsName }) => dnsName.toLowerCase() === wanted)
      ?.address;
  }

  async stop(): Promise<void> {
    await this.reconciler.stop();
    for (const pool of this.pools.values()) {
      pool.stop();
    }
    await Promise.all([...this.listeners.values()].map(({ proxy }) => proxy.close()));
    this.listeners.clear();
  }

  private async reconcile(): Promise<void> {
    const { client } = this.options;
    const { LoadBalancers: all } = await client.send(new DescribeLoadBalancersCommand({}));
    const balancers = (all ?? []).filter(({ Type }) => Type === "network");
    this.giveAddresses(balancers);
    const wanted = new Map<string, Listener>();
    for (const { LoadBalancerArn } of balancers) {
      const { Listeners } = await client.send(new DescribeListenersCommand({ LoadBalancerArn }));
      for (const listener of Listeners ?? []) {
        wanted.set(listener.ListenerArn ?? "", listener);
      }
    }
    await this.updatePools(wanted);
    await this.updateListeners(wanted);
  }

  private giveAddresses(balancers: readonly LoadBalancer[]): void {
    const arns = new Set(balancers.map(({ LoadBalancerArn }) => LoadBalancerArn));
    for (const arn of this.addresses.keys()) {
      if (!arns.has(arn)) {
        this.addresses.delete(arn);
      }
    }
    for (const { LoadBalancerArn: arn = "", DNSName: dnsName = "" } of balancers) {
      if (!this.addresses.has(arn)) {
        this.addresses.set(arn, { dnsName, address: this.options.nextAddress() });
      }
    }
  }

  private async updatePools(wanted: ReadonlyMap<string, Listener>): Promise<void> {
    const { client } = this.options;
    const used = new Set([...wanted.values()].map(groupArnOf));
    for (const [arn, pool] of this.pools) {
      if (!used.has(arn)) {
        pool.stop();
        this.pools.delete(arn);
      }
    }
    const { TargetGroups } = await client.send(new DescribeTargetGroupsCommand({}));
    for (const group of TargetGroups ?? []) {
      const arn = group.TargetGroupArn ?? "";
      if (used.has(arn)) {
        await this.updatePool(arn, group);
      }
    }
  }

  private async updatePool(arn: string, group: TargetGroup): Promise<void> {
    const { TargetHealthDescriptions } = await this.options.client.send(
      new DescribeTargetHealthCommand({ TargetGroupArn: arn }),
    );
    let pool = this.pools.get(arn);
    if (pool === undefined) {
      pool = new TargetPool((health) => this.options.onHealth(arn, health));
      this.pools.set(arn, pool);
    }
    pool.update(
      group,
      (TargetHealthDescriptions ?? []).flatMap(({ Target }) => {
        const host = this.options.addressOf(Target?.Id ?? "");
        const port = Target?.Port ?? group.Port;
        return host === undefined || port === undefined
          ? []
          : [{ id: Target?.Id ?? "", host, port }];
      }),
    );
  }

  private async updateListeners(wanted: ReadonlyMap<string, Listener>): Promise<void> {
    for (const [arn, open] of this.listeners) {
      const listener = wanted.get(arn);
      if (listener?.Port !== open.port) {
        this.listeners.delete(arn);
        await open.proxy.close();
        this.options.onLog(`load balancer ${open.address} no longer listens on ${open.port}`);
      }
    }
    for (const [arn, listener] of wanted) {
      const open = this.listeners.get(arn);
      if (open === undefined) {
        await this.open(arn, listener);
      } else {
        open.groupArn = groupArnOf(listener);
      }
    }
  }

  private async open(arn: string, listener: Listener): Promise<void> {
    const address = this.addresses.get(listener.LoadBalancerArn ?? "")?.address;
    const port = listener.Port;
    if (address === undefined || port === undefined) {
      return;
    }
    const proxy = await startTcpProxy({
      host: address,
      port,
      chooseTarget: () => this.pools.get(this.listeners.get(arn)?.groupArn ?? "")?.choose(),
    });
    this.listeners.set(arn, { address, port, groupArn: groupArnOf(listener), proxy });
    this.options.onLog(`load balancer ${address} listens on ${port}`);
  }
}

function groupArnOf(listener: Listener): string {
  const action = listener.DefaultActions?.[0];
  return action?.TargetGroupArn ?? action?.ForwardConfig?.TargetGroups?.[0]?.TargetGroupArn ?? "";
}

function messageOf(error: unknown): string {
  return messageOfError(error);
}
