import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { TcpTarget } from "./tcpProxy";

/** How the health of targets is found out, as a target group has it. */
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

/** What is known of a target's health. */
export type Health = "initial" | "healthy" | "unhealthy";

/** Watches one target until it is stopped. */
export interface HealthCheck {
  readonly health: Health;
  stop(): void;
}

/**
 * Asks a target again and again, and changes its mind after as many equal answers in a row as the
 * thresholds say.
 *
 * @param onChange hears of each change of `health`.
 */
export function startHealthCheck(
  target: TcpTarget,
  settings: HealthCheckSettings,
  onChange: () => void,
): HealthCheck {
  let health: Health = "initial";
  let inARow = 0;
  let lastAnswer: boolean | undefined;
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    const answer = await probe(target, settings, stopped.signal);
    if (stopped.signal.aborted) {
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
      stopped.abort();
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

function probe(
  target: TcpTarget,
  settings: HealthCheckSettings,
  signal: AbortSignal,
): Promise<boolean> {
  return settings.protocol === "TCP"
    ? probeTcp(target, settings.timeoutMs, signal)
    : probeHttp(target, settings, signal);
}

function probeTcp(target: TcpTarget, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, signal });
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(timeoutMs, () => answer(false));
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}

function probeHttp(
  target: TcpTarget,
  settings: HealthCheckSettings,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const ask = settings.protocol === "HTTPS" ? httpsRequest : httpRequest;
    const request = ask({
      ...target,
      path: settings.path,
      timeout: settings.timeoutMs,
      signal,
      agent: false,
      // Load balancers do not look at the certificates of targets (AWS documentation, "Health
      // checks for Network Load Balancer target groups").
      rejectUnauthorized: false,
    });
    const answer = (isHealthy: boolean) => {
      request.destroy();
      resolve(isHealthy);
    };
    request.once("response", ({ statusCode }) =>
      answer(matchesStatus(settings.matcher, statusCode ?? 0)),
    );
    request.once("timeout", () => answer(false));
    request.once("error", () => answer(false));
    request.end();
  });
}
