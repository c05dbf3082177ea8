import type { TargetGroup } from "@aws-sdk/client-elastic-load-balancing-v2";
import type { TargetHealthEntry } from "./aws/motoServer";
import { startHealthCheck, type HealthCheck, type HealthCheckSettings } from "./healthCheck";
import type { TcpTarget } from "./tcpProxy";

/** Health checks run faster than configured by this factor, to keep local runs short. */
const SPEED_UP = 20;
const SHORTEST_INTERVAL_MS = 100;
const LONGEST_TIMEOUT_MS = 2_000;

/** A registered target and its local address. */
export interface PooledTarget extends TcpTarget {
  /** The id it is registered under: an instance id or an address. */
  readonly id: string;
}

interface Watched {
  readonly target: PooledTarget;
  readonly fingerprint: string;
  readonly check: HealthCheck;
}

/** The targets of a target group with their health. Connections are spread round-robin. */
export class TargetPool {
  private watched: Watched[] = [];
  private next = 0;

  /** @param onHealth is called with the health of all targets when one changes. */
  constructor(private readonly onHealth: (health: Record<string, TargetHealthEntry>) => void) {}

  /** Takes over changed settings and targets. Unchanged targets keep their health. */
  update(group: TargetGroup, targets: readonly PooledTarget[]): void {
    const settings = settingsOf(group);
    const wanted = targets.map((target) => {
      const port = Number(group.HealthCheckPort);
      const checked = { host: target.host, port: Number.isNaN(port) ? target.port : port };
      return { target, checked, fingerprint: JSON.stringify([target, checked, settings]) };
    });
    const kept = this.watched.filter(({ fingerprint }) =>
      wanted.some((entry) => entry.fingerprint === fingerprint),
    );
    for (const gone of this.watched.filter((entry) => !kept.includes(entry))) {
      gone.check.stop();
    }
    this.watched = wanted.map(
      ({ target, checked, fingerprint }) =>
        kept.find((entry) => entry.fingerprint === fingerprint) ?? {
          target,
          fingerprint,
          check: startHealthCheck(checked, settings, () => this.tell()),
        },
    );
    this.tell();
  }

  /**
   * The target for the next connection, round-robin over healthy targets. When no target is healthy, all
   * are used, as network load balancers do ("fail open", AWS documentation).
   */
  choose(): TcpTarget | undefined {
    const healthy = this.watched.filter(({ check }) => check.health === "healthy");
    const candidates = healthy.length > 0 ? healthy : this.watched;
    const chosen = candidates[this.next++ % Math.max(candidates.length, 1)];
    return chosen && { host: chosen.target.host, port: chosen.target.port };
  }

  stop(): void {
    for (const { check } of this.watched) {
      check.stop();
    }
    this.watched = [];
  }

  private tell(): void {
    this.onHealth(
      Object.fromEntries(this.watched.map(({ target, check }) => [target.id, entryOf(check)])),
    );
  }
}

/** A target group's health check settings, at the emulator's speed. */
function settingsOf(group: TargetGroup): HealthCheckSettings {
  const protocol = group.HealthCheckProtocol;
  const intervalMs = ((group.HealthCheckIntervalSeconds ?? 30) * 1000) / SPEED_UP;
  const timeoutMs = (group.HealthCheckTimeoutSeconds ?? 10) * 1000;
  return {
    protocol: protocol === "HTTP" || protocol === "HTTPS" ? protocol : "TCP",
    path: group.HealthCheckPath ?? "/",
    matcher: group.Matcher?.HttpCode ?? "200-399",
    intervalMs: Math.max(intervalMs, SHORTEST_INTERVAL_MS),
    timeoutMs: Math.min(timeoutMs, LONGEST_TIMEOUT_MS),
    healthyThreshold: group.HealthyThresholdCount ?? 5,
    unhealthyThreshold: group.UnhealthyThresholdCount ?? 2,
  };
}

function entryOf(check: HealthCheck): TargetHealthEntry {
  switch (check.health) {
    case "healthy":
      return { state: "healthy" };
    case "unhealthy":
      return {
        state: "unhealthy",
        reason: "Target.FailedHealthChecks",
        description: "Health checks failed",
      };
    case "initial":
      return {
        state: "initial",
        reason: "Elb.InitialHealthChecking",
        description: "Initial health checks in progress",
      };
  }
}
