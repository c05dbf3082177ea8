import {
  type HealthCheck,
  type HealthCheckSettings,
  startHealthCheck,
} from "../../../emulator/healthCheck";
import { startTcpProxy, type TcpProxy } from "../../../emulator/tcpProxy";
import { addressOf } from "./lifeWish";

const PORT = 6443;

/** A check of an API server that answers, as `healthCheck: "answering"` of an `ApiLoadBalancer` is; faster. */
const CHECK: HealthCheckSettings = {
  protocol: "HTTPS",
  path: "/readyz",
  matcher: "200-401",
  intervalMs: 250,
  timeoutMs: 2_000,
  healthyThreshold: 1,
  unhealthyThreshold: 1,
};

/** A TCP load balancer in front of API servers, on the lab's bridge. */
export class LifeBalancer {
  private checks: { readonly name: string; readonly check: HealthCheck }[] = [];
  private next = 0;
  private proxy: TcpProxy | undefined;

  /** @param host an address of this computer that machines reach */
  constructor(readonly host: string) {}

  async start(): Promise<void> {
    const { host } = this;
    const chooseTarget = () => this.choose();
    this.proxy = await startTcpProxy({ host, port: PORT, chooseTarget });
  }

  /** The machines behind it from now on. */
  serve(names: readonly string[]): void {
    this.checks.filter(({ name }) => !names.includes(name)).forEach(({ check }) => check.stop());
    this.checks = names.map(
      (name) =>
        this.checks.find((each) => each.name === name) ?? {
          name,
          check: startHealthCheck({ host: addressOf(name), port: PORT }, CHECK, () => undefined),
        },
    );
  }

  async close(): Promise<void> {
    this.serve([]);
    await this.proxy?.close();
  }

  /** Without a healthy one, all are tried, as network load balancers do. */
  private choose() {
    const healthy = this.checks.filter(({ check }) => check.health === "healthy");
    const candidates = healthy.length > 0 ? healthy : this.checks;
    const chosen = candidates[this.next++ % Math.max(candidates.length, 1)];
    return chosen && { host: addressOf(chosen.name), port: PORT };
  }
}
