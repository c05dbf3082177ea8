import { talosMinor } from "../../provider/config";
import { KUBERNETES_API_PORT } from "../firewall/planFirewallRules";

/** What a load balancer asks an API server for; see `ApiLoadBalancerArgs.healthCheck`. */
export type ApiHealthCheck = "listening" | "answering" | "ready";

/**
 * AWS' default of a health check by TCP. It is said, because the AWS provider keeps the value of the
 * check before when it is left out. Source: Elastic Load Balancing guide, "Health checks for Network Load Balancer target groups".
 */
const TCP_TIMEOUT_SECONDS = 10;

/** The first Talos minor whose API servers speak only TLS 1.3. Source: `k8s/control_plane_final.go`, v1.14.1. */
const FIRST_MINOR_WITH_TLS_1_3 = 14;

/**
 * What is wrong with a health check; undefined without a problem. No machine can be asked whether it
 * is ready: up to contract v1.13, API servers answer 401 without a certificate (siderolabs/talos
 * issue 7528). From Talos v1.14 on, which that contract needs, they speak only TLS 1.3. AWS' health
 * checks over HTTPS don't: "registered targets fail health checks if they support only TLS 1.3"
 * (Elastic Load Balancing guide, "Health checks for Network Load Balancer target groups").
 *
 * @param talosVersion what the machines run or will run. Default: no release that matters
 */
export function apiHealthCheckProblem(
  healthCheck: ApiHealthCheck,
  versionContract: string,
  talosVersion = "",
): string | undefined {
  if (healthCheck === "listening") {
    return undefined;
  }
  const minors = [versionContract, talosVersion].map((version) => talosMinor(version) ?? 0);
  if (Math.max(...minors) >= FIRST_MINOR_WITH_TLS_1_3) {
    return `"${healthCheck}" can't be asked of machines with Talos v1.${FIRST_MINOR_WITH_TLS_1_3} or newer: their API servers speak only TLS 1.3, which AWS' health checks over HTTPS don't, so the load balancer would find all of them unhealthy; take "listening"`;
  }
  return healthCheck === "ready"
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
