import type * as pulumi from "@pulumi/pulumi";
import type { KubernetesObject } from "../../provider/kubernetes";
import { checkWord } from "../argumentChecks";
import { checkZoneIds } from "../permissions/planNodePolicy";
import type { PropertyProblem } from "../problems";
import { accountWith, mayRead } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { AddOnManifest } from "./common/addOnManifest";
import { argumentsOf, AS_NOBODY, CONFINED, controlPlanePod } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { deploymentOf } from "./common/workloads";

/** The argument of external-dns. */
export interface ExternalDnsChoice {
  /** external-dns: records in Route 53 for services and ingresses. Default: none. */
  readonly externalDns?: ExternalDnsAddOn;
}

/**
 * external-dns. A manifest of yours must place it on control plane machines, in the host network,
 * because only those may write records.
 */
export interface ExternalDnsAddOn extends AddOnManifest, AddOnPods {
  /** Ids of the hosted zones in which it writes records, for example `Z0123456789ABCDEFGHIJ`. */
  readonly zoneIds: readonly pulumi.Input<string>[];
  /**
   * `sync` deletes records of deleted services and ingresses; `upsert-only` never deletes one.
   * Neither changes records that it hasn't created. Default: `upsert-only`.
   */
  readonly policy?: "upsert-only" | "sync";
  /** Kinds of objects that get records. Default: `["service", "ingress"]`. */
  readonly sources?: readonly ("service" | "ingress")[];
}

/** The name of all its objects and of its service account, which its IAM role trusts. */
const NAME = "external-dns";
const PORT = 7_979;
const POLICIES = ["upsert-only", "sync"];
const SOURCES = ["service", "ingress"];

/** external-dns; see `objects`. */
export const externalDns: AddOn<ExternalDnsAddOn> = {
  manifestName: NAME,
  charts: ["external-dns"],
  removal:
    "the DNS records that it made stay, and lead to the same places: delete the Services and Ingresses that it made them for first, or the records after it",
  // kubernetes-sigs/external-dns, README.md: from v0.18 on every minor since 1.21.
  releases: [{ oldestMinor: 21, version: "v0.22.0" }],
  objects,
  ownSettings: ["policy", "sources"],
  machines: "controlPlane",
  aws: {
    permissions: ({ zoneIds }) => ({ externalDnsZoneIds: zoneIds }),
    identity: { account: NAME, roleName: NAME },
    services: [],
    noEndpoint:
      "external-dns calls Route 53, which no endpoint of this package leads to: leave it out and write the records elsewhere, or give a manifest of yours that goes through a proxy",
  },
  check,
};

function check({ zoneIds, policy, sources }: Partial<ExternalDnsAddOn>): PropertyProblem[] {
  return [
    ...checkZoneIds("zoneIds", zoneIds),
    ...((zoneIds ?? []).length === 0
      ? [{ property: "zoneIds", reason: "no zone is named: name one, or leave this out" }]
      : []),
    ...checkWord("policy", policy, POLICIES),
    ...(sources?.length === 0
      ? [{ property: "sources", reason: "no kind is named: name one, or leave this out" }]
      : []),
    ...(sources ?? []).flatMap((source, index) => checkWord(`sources[${index}]`, source, SOURCES)),
  ];
}

/**
 * external-dns. Each record has a TXT record that names the cluster, so clusters can share a zone.
 * There is never more than one pod, because it elects no leader.
 *
 * Source: kustomize/, charts/external-dns/values.yaml and docs/tutorials/aws.md of
 * kubernetes-sigs/external-dns.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<ExternalDnsAddOn>,
  { version, identity }: ObjectParts,
): KubernetesObject[] {
  const labels = { app: NAME };
  const { policy = "upsert-only", sources = SOURCES, zoneIds = [] } = addOn;
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
