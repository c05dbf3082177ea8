import { talosMinor } from "../../provider/config/talosMinor";
import { KUBERNETES_API_PORT } from "../firewall/planFirewallRules";

/** What a load balancer asks an API server for; see `ApiLoadBalancerArgs.healthCheck`. */
export type ApiHealthCheck = (typeof API_HEALTH_CHECKS)[number];

/** All values. */
export const API_HEALTH_CHECKS = ["listening", "answering", "ready"] as const;

/**
 * AWS' default of a health check by TCP. It is said, because the AWS provider keeps the value of the
 * check before when it is left out. Source: Elastic Load Balancing guide, "Health checks for Network Load Balancer target groups".
 */
export const TCP_TIMEOUT_SECONDS = 10;

/** From this contract minor on, an API server reports its readiness without authentication. */
const FIRST_MINOR_WITH_OPEN_READYZ = 14;

/**
 * The default health check: `ready` if the API server reports it without authentication, else
 * `listening`. Up to contract v1.13, Talos' API servers answer 401 without a certificate
 * (siderolabs/talos issue 7528).
 *
 * @param versionContract for example `v1.12`
 */
export function defaultApiHealthCheck(versionContract: string): ApiHealthCheck {
  return tellsStrangers(versionContract) ? "ready" : "listening";
}

/** What is wrong with a health check under a contract; undefined without a problem. */
export function apiHealthCheckProblem(
  healthCheck: ApiHealthCheck,
  versionContract: string,
): string | undefined {
  return healthCheck === "ready" && !tellsStrangers(versionContract)
    ? `"ready" can't be asked of machines of contract "${versionContract}": up to v1.13 they answer 401 to a load balancer, which would find all of them unhealthy; take "answering" or "listening"`
    : undefined;
}

/** The health check of a target group, in AWS' terms. */
export function planApiHealthCheck(healthCheck: ApiHealthCheck) {
  const pace = { interval: 10, healthyThreshold: 2, unhealthyThreshold: 2 };
  const port = String(KUBERNETES_API_PORT);
  if (healthCheck === "listening") {
    return { protocol: "TCP", port, timeout: TCP_TIMEOUT_SECONDS, ...pace };
  }
  // Network load balancers do not verify the certificates of their targets.
  const matcher = healthCheck === "ready" ? "200" : "200-401";
  return { protocol: "HTTPS", port, path: "/readyz", matcher, timeout: 6, ...pace };
}

function tellsStrangers(versionContract: string): boolean {
  const minor = talosMinor(versionContract);
  return minor !== undefined && minor >= FIRST_MINOR_WITH_OPEN_READYZ;
}
