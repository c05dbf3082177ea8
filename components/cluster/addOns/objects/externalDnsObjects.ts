import type { ExternalDnsAddOn } from "../../arguments/clusterAddOnsArgs";
import { releaseFor } from "../addOnReleases";
import { accountWith, mayRead } from "./accessRights";
import { argumentsOf, AS_NOBODY, CONFINED, controlPlanePod, type PodIdentity } from "./addOnPods";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./addOnScope";
import type { KubernetesObject } from "./kubernetesObject";
import { deploymentOf } from "./workloads";

/** The name of all its objects and of its service account, which its IAM role trusts. */
export const EXTERNAL_DNS_ACCOUNT = "external-dns";

const NAME = EXTERNAL_DNS_ACCOUNT;
const PORT = 7_979;

/** The settings of external-dns, with the ids of its hosted zones known. */
export interface KnownExternalDns extends Omit<ExternalDnsAddOn, "zoneIds" | "manifest"> {
  readonly zoneIds: readonly string[];
}

/**
 * external-dns. Each record has a TXT record that names the cluster, so clusters can share a zone.
 * There is never more than one pod, because it elects no leader.
 *
 * Source: kustomize/, charts/external-dns/values.yaml and docs/tutorials/aws.md of
 * kubernetes-sigs/external-dns.
 */
export function externalDnsObjects(
  scope: AddOnScope,
  addOn: KnownExternalDns,
  identity?: PodIdentity,
): KubernetesObject[] {
  const labels = { app: NAME };
  const { policy = "upsert-only", sources = ["service", "ingress"], zoneIds } = addOn;
  const version = addOn.version ?? releaseFor("externalDns", scope.kubernetesVersion);
  const flags = {
    provider: "aws",
    source: sources,
    "zone-id-filter": zoneIds,
    policy,
    registry: "txt",
    "txt-owner-id": scope.recordName,
    "metrics-address": `:${PORT}`,
  };
  const probe = { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 10 };
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: NAME,
      securityContext: AS_NOBODY,
      containers: [
        {
          name: NAME,
          image: `registry.k8s.io/external-dns/external-dns:${version}`,
          args: argumentsOf(flags, addOn),
          ports: [{ name: "http", containerPort: PORT }],
          livenessProbe: { ...probe, initialDelaySeconds: 10 },
          readinessProbe: { ...probe, failureThreshold: 6 },
          resources: addOn.resources ?? { requests: { cpu: "10m", memory: "64Mi" } },
          securityContext: CONFINED,
        },
      ],
    },
    identity,
  );
  return [
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [
        mayRead("", "pods", "services", "nodes", "namespaces"),
        mayRead("discovery.k8s.io", "endpointslices"),
        mayRead("networking.k8s.io", "ingresses"),
      ],
    }),
    deploymentOf({ name: NAME, labels }, { replicas: 1, strategy: { type: "Recreate" } }, pod),
  ];
}
