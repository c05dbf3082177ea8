import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { TcpTarget } from "./tcpProxy";

/** A target group's health check settings. */
export interface HealthCheckSettings {
  readonly protocol: "TCP" | "HTTP" | "HTTPS";
  /** Such as `/readyz`; for HTTP and HTTPS. */
  readonly path: string;
  /** Statuses that are healthy, such as `200` or `200-299,401`. */
  readonly matcher: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
}

/** A target's health. */
export type Health = "initial" | "healthy" | "unhealthy";

/** A running health check of one target. */
export interface HealthCheck {
  readonly health: Health;
  stop(): void;
}

/**
 * Probes a target periodically. Its health changes after as many equal results in a row as the
 * thresholds require.
 *
 * @param onChange is called on each change of `health`.
 */
export function startHealthCheck(
  target: TcpTarget,
  settings: HealthCheckSettings,
  onChange: () => void,
): HealthCheck {
  let health: Health = "initial";
  let inARow = 0;
  let lastAnswer: boolean | undefined;
  let current: Probe | undefined;
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    current = probe(target, settings);
    const answer = await current.answer;
    if (answer === "cancelled") {
      return;
    }
    inARow = answer === lastAnswer ? inARow + 1 : 1;
    lastAnswer = answer;
    const threshold = answer ? settings.healthyThreshold : settings.unhealthyThreshold;
    // The first good answers of a new target count at once, so that it serves without delay.
    if (inARow >= threshold || (answer && health === "initial")) {
      const next = answer ? "healthy" : "unhealthy";
      if (next !== health) {
        health = next;
        onChange();
      }
    }
    timer = setTimeout(() => void round(), settings.intervalMs);
  };
  void round();
  return {
    get health() {
      return health;
    },
    stop: () => {
      current?.cancel();
      clearTimeout(timer);
    },
  };
}

/** Whether one status is among those of a matcher. */
export function matchesStatus(matcher: string, status: number): boolean {
  return matcher.split(",").some((part) => {
    const [first, last] = part.trim().split("-").map(Number);
    return first !== undefined && status >= first && status <= (last ?? first);
  });
}

/** One probe of a target. */
interface Probe {
  readonly answer: Promise<boolean | "cancelled">;
  cancel(): void;
}

function probe(target: TcpTarget, settings: HealthCheckSettings): Probe {
  return settings.protocol === "TCP"
    ? probeTcp(target, settings.timeoutMs)
    : probeHttp(target, settings);
}

function probeTcp(target: TcpTarget, timeoutMs: number): Probe {
  return ask((answer) => {
    const socket = connect({ ...target });
    socket.setTimeout(timeoutMs, () => answer(false));
    socket.once("connect", () => answer(true));
    socket.on("error", () => answer(false));
    return () => socket.destroy();
  });
}

function probeHttp(target: TcpTarget, settings: HealthCheckSettings): Probe {
  return ask((answer) => {
    const request = (settings.protocol === "HTTPS" ? httpsRequest : httpRequest)({
      ...target,
      path: settings.path,
      timeout: settings.timeoutMs,
      agent: false,
      // Load balancers do not look at the certificates of targets (AWS documentation, "Health
      // checks for Network Load Balancer target groups").
      rejectUnauthorized: false,
      // "If a target group is configured with HTTPS health checks, its registered targets fail
      // health checks if they support only TLS 1.3" (the same page).
      maxVersion: "TLSv1.2",
    });
    request.once("response", ({ statusCode }) =>
      answer(matchesStatus(settings.matcher, statusCode ?? 0)),
    );
    request.once("timeout", () => answer(false));
    request.on("error", () => answer(false));
    request.end();
    return () => request.destroy();
  });
}

/** Reads the first answer, then closes the connection. */
function ask(start: (answer: (isHealthy: boolean | "cancelled") => void) => () => void): Probe {
  let settle: (isHealthy: boolean | "cancelled") => void = () => undefined;
  const first = new Promise<boolean | "cancelled">((resolve) => {
    settle = resolve;
  });
  const letGo = start(settle);
  return {
    answer: first.finally(letGo),
    cancel: () => settle("cancelled"),
  };
}
