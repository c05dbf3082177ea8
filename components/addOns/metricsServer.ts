import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, may, mayRead } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import { hasChangedPods, type PinnedAddOn } from "./common/addOnManifest";
import { argumentsOf, CONFINED } from "./common/addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { deploymentOf } from "./common/workloads";
import type { ServingCertificateApproverChoice } from "./servingCertificateApprover";

/** The argument of the metrics server. */
export interface MetricsServerChoice {
  /**
   * The metrics server: `kubectl top` and autoscaling by usage. It opens the kubelets' port to pods
   * on every machine, and runs on machines with workloads. With `true`, machines fetch upstream's
   * manifest. Default: none.
   */
  readonly metricsServer?: boolean | PinnedAddOn;
}

const NAME = "metrics-server";
const PORT = 10_250;

/** The metrics server; see `objects`. */
export const metricsServer: AddOn<PinnedAddOn> = {
  manifestName: NAME,
  charts: ["metrics-server"],
  removal:
    "kubectl top has no values, and HorizontalPodAutoscalers that follow CPU or memory stop scaling",
  // kubernetes-sigs/metrics-server, README.md, compatibility matrix.
  releases: [
    { oldestMinor: 31, version: "v0.8.1" },
    { oldestMinor: 27, version: "v0.7.2" },
  ],
  // Talos' guide "Deploy the Metrics Server" names it, without a version.
  publishedManifest: (version) =>
    `https://github.com/kubernetes-sigs/metrics-server/releases/download/${version}/components.yaml`,
  objects,
  // It trusts only certificates that the approver's cluster CA signed.
  brings: (addOn): ServingCertificateApproverChoice => ({
    servingCertificateApprover: !hasChangedPods(addOn) || { replicas: 1 },
  }),
  firewall: () => ({ monitoring: ["kubelet"] }),
};

/**
 * The metrics server, on machines that run workloads. The objects have the same names as in
 * upstream's manifest, so they can replace it in a running cluster.
 *
 * Source: manifests/base of kubernetes-sigs/metrics-server.
 */
function objects(
  _scope: AddOnScope,
  addOn: KnownSettings<PinnedAddOn>,
  { version }: ObjectParts,
): KubernetesObject[] {
  const labels = { "k8s-app": NAME };
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
