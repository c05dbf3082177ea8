import type { TargetGroup } from "@aws-sdk/client-elastic-load-balancing-v2";
import type { TargetHealthEntry } from "./aws/motoServer";
import { startHealthCheck, type HealthCheck, type HealthCheckSettings } from "./healthCheck";
import type { TcpTarget } from "./tcpProxy";

/** Health checks run this much faster than their settings say: nobody wants to wait for a laptop. */
const SPEED_UP = 20;
const SHORTEST_INTERVAL_MS = 100;
const LONGEST_TIMEOUT_MS = 2_000;

/** A registered target and where it is. */
export interface PooledTarget extends TcpTarget {
  /** What it was registered as: an instance id, or an address. */
  readonly id: string;
}

interface Watched {
  readonly target: PooledTarget;
  readonly fingerprint: string;
  readonly check: HealthCheck;
}

/** The targets of one target group with their health, handed out in turn. */
export class TargetPool {
  private watched: Watched[] = [];
  private next = 0;

  /** @param onHealth hears the health of all targets when that of one changes. */
  constructor(private readonly onHealth: (health: Record<string, TargetHealthEntry>) => void) {}

  /** Follows the group's settings and targets; what stays the same keeps its health. */
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
   * The target for the next connection: healthy ones in turn. Where none is healthy, all are tried,
   * as network load balancers do ("fail open", AWS documentation).
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
export function settingsOf(group: TargetGroup): HealthCheckSettings {
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
