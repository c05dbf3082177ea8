import type { PinnedAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { accountWith, may, mayRead } from "./accessRights";
import { argumentsOf, CONFINED } from "./addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { deploymentOf } from "./workloads";

const NAME = "metrics-server";
const PORT = 10_250;

/**
 * The metrics server, on machines that run workloads. The objects have the same names as in
 * upstream's manifest, so they can replace it in a running cluster.
 *
 * Source: manifests/base of kubernetes-sigs/metrics-server.
 */
export function metricsServerObjects(
  { kubernetesVersion }: Pick<AddOnScope, "kubernetesVersion">,
  addOn: PinnedAddOn,
): KubernetesObject[] {
  const labels = { "k8s-app": NAME };
  const version = addOn.version ?? releaseFor("metricsServer", kubernetesVersion);
  const metadata = { name: NAME, namespace: SYSTEM_NAMESPACE, labels };
  const group = "metrics.k8s.io";
  const flags = {
    "cert-dir": "/tmp",
    "secure-port": `${PORT}`,
    "kubelet-preferred-address-types": "InternalIP,ExternalIP,Hostname",
    "kubelet-use-node-status-port": "true",
    "metric-resolution": "15s",
  };
  const probe = (path: string, initialDelaySeconds: number) => ({
    httpGet: { path, port: "https", scheme: "HTTPS" },
    periodSeconds: 10,
    failureThreshold: 3,
    initialDelaySeconds,
  });
  return [
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [
        may(["get"], "", ["nodes/metrics"]),
        mayRead("", "pods", "nodes"),
        may(["create"], "authentication.k8s.io", ["tokenreviews"]),
        may(["create"], "authorization.k8s.io", ["subjectaccessreviews"]),
      ],
      readsApiAuthentication: true,
    }),
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: {
        name: "system:aggregated-metrics-reader",
        labels: {
          ...labels,
          ...Object.fromEntries(
            ["admin", "edit", "view"].map((role) => [
              `rbac.authorization.k8s.io/aggregate-to-${role}`,
              "true",
            ]),
          ),
        },
      },
      rules: [mayRead(group, "pods", "nodes")],
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: {
        selector: labels,
        ports: [
          { name: "https", port: 443, protocol: "TCP", targetPort: "https", appProtocol: "https" },
        ],
      },
    },
    {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `v1beta1.${group}`, labels },
      spec: {
        group,
        version: "v1beta1",
        service: { name: NAME, namespace: SYSTEM_NAMESPACE },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
    deploymentOf(
      { name: NAME, labels },
      { replicas: addOn.replicas ?? 1, strategy: { rollingUpdate: { maxUnavailable: 0 } } },
      {
        serviceAccountName: NAME,
        priorityClassName: "system-cluster-critical",
        nodeSelector: { "kubernetes.io/os": "linux" },
        tolerations: addOn.tolerations ?? [],
        containers: [
          {
            name: NAME,
            image: `registry.k8s.io/metrics-server/metrics-server:${version}`,
            args: argumentsOf(flags, addOn),
            ports: [{ name: "https", containerPort: PORT, protocol: "TCP" }],
            livenessProbe: probe("/livez", 0),
            readinessProbe: probe("/readyz", 20),
            resources: addOn.resources ?? { requests: { cpu: "100m", memory: "200Mi" } },
            securityContext: {
              ...CONFINED,
              runAsNonRoot: true,
              runAsUser: 1_000,
              seccompProfile: { type: "RuntimeDefault" },
            },
            volumeMounts: [{ name: "tmp-dir", mountPath: "/tmp" }],
          },
        ],
        volumes: [{ name: "tmp-dir", emptyDir: {} }],
      },
    ),
  ];
}
