import type { KubernetesObject } from "../../provider/kubernetes";
import { accountWith, may, mayLead, mayRead } from "./common/accessRights";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import { checkNodeIds } from "./common/addOnCluster";
import type { AddOnManifest } from "./common/addOnManifest";
import { argumentsOf, AS_NOBODY, CONFINED, controlPlanePod, replicasOf } from "./common/addOnPods";
import type { ReplicatedAddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { controlPlaneDeployment } from "./common/workloads";

/** The argument of the AWS load balancer controller. */
export interface LoadBalancerControllerChoice {
  /**
   * The AWS load balancer controller: application load balancers for ingresses of the class `alb`, and
   * network load balancers for services of the class `service.k8s.aws/nlb`. Refused without the cloud
   * controller. Default: none.
   */
  readonly loadBalancerController?: boolean | LoadBalancerControllerAddOn;
}

/**
 * The AWS load balancer controller, without its admission webhooks, WAF and Shield. It checks an
 * ingress when it works on it, and a service without a class stays with the cloud controller. A
 * manifest of yours must place it on control plane machines, in the host network, because only
 * those have its permissions.
 */
export interface LoadBalancerControllerAddOn extends AddOnManifest, ReplicatedAddOnPods {}

/** The name of all its objects and of its service account, which its IAM role trusts. */
const NAME = "aws-load-balancer-controller";
/**
 * The Secret with the certificate of its webhook server. The controller doesn't start without it.
 */
const CERTIFICATE = "aws-load-balancer-tls";
const GROUP = "elbv2.k8s.aws";
const HEALTH_PORT = 61_779;
const WEBHOOK_PORT = 9_443;

/** The AWS load balancer controller; see `objects`. */
export const loadBalancerController: AddOn<LoadBalancerControllerAddOn> = {
  manifestName: NAME,
  charts: ["aws-load-balancer-controller"],
  removal:
    "nothing updates or deletes its load balancers any more, AWS bills them, and their Services and Ingresses can't be deleted, because they wait for it: delete these first",
  // kubernetes-sigs/aws-load-balancer-controller, docs/deploy/installation.md: 1.22 and later.
  releases: [{ oldestMinor: 22, version: "v3.5.0" }],
  objects,
  isReplicated: true,
  machines: "controlPlane",
  server: { host: `${NAME}.${SYSTEM_NAMESPACE}.svc`, secretName: CERTIFICATE },
  aws: {
    permissions: () => ({ loadBalancerController: true }),
    identity: { account: NAME, roleName: "load-balancer-controller" },
    services: ["ec2", "elasticloadbalancing"],
  },
  check: (_addOn, cluster) =>
    checkNodeIds(cluster, "load balancers get no machine whose node has none"),
};

/**
 * The AWS load balancer controller. Its webhooks aren't registered, so no API call depends on its
 * pods. The controller checks and completes an object when it works on it. Only the kubelet calls
 * its ports.
 *
 * Source: config/ and helm/, docs/deploy/configurations.md of
 * kubernetes-sigs/aws-load-balancer-controller.
 */
function objects(
  scope: AddOnScope,
  addOn: KnownSettings<LoadBalancerControllerAddOn>,
  { version, identity }: ObjectParts,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const flags = {
    "cluster-name": scope.clusterName,
    "ingress-class": "alb",
    "aws-region": scope.region,
    "enable-pod-readiness-gate-inject": "false",
    // Each of these calls AWS for every load balancer, without permission of the role.
    "enable-shield": "false",
    "enable-waf": "false",
    "enable-wafv2": "false",
    "metrics-bind-addr": "0",
    "health-probe-bind-addr": `:${HEALTH_PORT}`,
    "webhook-bind-port": `${WEBHOOK_PORT}`,
  };
  const probe = (path: string) => ({
    httpGet: { path, port: "health", scheme: "HTTP" },
    failureThreshold: 2,
    initialDelaySeconds: 30,
    timeoutSeconds: 10,
  });
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: NAME,
      securityContext: AS_NOBODY,
      containers: [
        {
          name: "controller",
          image: `public.ecr.aws/eks/aws-load-balancer-controller:${version}`,
          args: argumentsOf(flags, addOn),
          ports: [
            { name: "webhook", containerPort: WEBHOOK_PORT },
            { name: "health", containerPort: HEALTH_PORT },
          ],
          livenessProbe: probe("/healthz"),
          readinessProbe: probe("/readyz"),
          volumeMounts: [
            {
              name: "certificate",
              mountPath: "/tmp/k8s-webhook-server/serving-certs",
              readOnly: true,
            },
          ],
          resources: addOn.resources ?? {
            requests: { cpu: "100m", memory: "200Mi" },
            limits: { memory: "500Mi" },
          },
          securityContext: CONFINED,
        },
      ],
      volumes: [{ name: "certificate", secret: { secretName: CERTIFICATE } }],
    },
    identity,
  );
  return [
    ownKind("TargetGroupBinding", "Namespaced"),
    ownKind("IngressClassParams", "Cluster"),
    ...accountWith({
      name: NAME,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: rules(),
      inNamespace: mayLead(`${NAME}-leader`),
    }),
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "IngressClass",
      metadata: { name: "alb", labels },
      spec: { controller: "ingress.k8s.aws/alb" },
    },
    controlPlaneDeployment({ name: NAME, labels }, replicasOf(scope, addOn, 2), pod),
  ];
}

function rules() {
  const change = ["patch", "update"];
  return [
    may(["create", "delete", "get", "update"], "", ["configmaps"]),
    mayRead("", "endpoints", "namespaces", "nodes", "pods"),
    may(["create", "patch"], "", ["events"]),
    may(["get", "list", "watch", ...change], "", ["services"]),
    may(change, "", ["pods/status", "services/status"]),
    mayRead("discovery.k8s.io", "endpointslices"),
    mayRead(GROUP, "ingressclassparams"),
    may(["create", "delete", "get", "list", "watch", ...change], GROUP, ["targetgroupbindings"]),
    may(change, GROUP, ["targetgroupbindings/status"]),
    may(["get", "list", "watch", ...change], "networking.k8s.io", ["ingresses"]),
    may(change, "networking.k8s.io", ["ingresses/status"]),
    mayRead("networking.k8s.io", "ingressclasses"),
  ];
}

/** A custom resource definition. The controller checks the fields, not the API server. */
function ownKind(kind: string, scope: "Namespaced" | "Cluster"): KubernetesObject {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("s") ? singular : `${singular}s`;
  const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: singular.replace(/s$/, "") },
      versions: [
        {
          name: "v1beta1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } },
          },
          subresources: { status: {} },
        },
      ],
    },
  };
}
