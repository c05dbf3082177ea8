import type { KubernetesObject } from "../../../provider/kubernetes";
import type { KnownSettings } from "../common/addOn";
import {
  AS_NOBODY,
  CONFINED,
  type Container,
  type PodIdentity,
  argumentsOf,
  controlPlanePod,
  fromField,
  replicasOf,
} from "../common/addOnPods";
import type { AddOnScope } from "../common/addOnScope";
import { controlPlaneDeployment } from "../common/workloads";
import type { EbsCsiAddOn } from "./ebsCsiAddOn";
import type { EbsCsiImages } from "./ebsCsiImages";

const NAME = "ebs-csi-controller";
const SOCKET_FOLDER = "/var/lib/csi/sockets/pluginproxy";
/** Differs from the port of the driver on nodes, which shares the host network. */
const HEALTH_PORT = 9_810;

/** What the controller and the driver on nodes share. */
export interface EbsCsiParts {
  readonly images: EbsCsiImages;
  readonly account: string;
  readonly labels: Readonly<Record<string, string>>;
}

const sockets = { name: "socket-dir", mountPath: SOCKET_FOLDER };

/** The controller of the driver, with the sidecars that watch claims and attachments. */
export function ebsCsiController(
  scope: AddOnScope,
  addOn: KnownSettings<EbsCsiAddOn>,
  { images, account, labels }: EbsCsiParts,
  identity?: PodIdentity,
): KubernetesObject {
  const flags = {
    endpoint: `unix://${SOCKET_FOLDER}/csi.sock`,
    batching: "true",
    "k8s-tag-cluster-id": scope.clusterName,
    "logging-format": "text",
    v: "2",
  };
  const health = { httpGet: { path: "/healthz", port: "healthz" } };
  const probe = { ...health, initialDelaySeconds: 10, timeoutSeconds: 60, periodSeconds: 10 };
  const pod = controlPlanePod(
    scope,
    addOn,
    {
      serviceAccountName: account,
      securityContext: AS_NOBODY,
      containers: [
        {
          name: "ebs-plugin",
          image: images.driver,
          args: ["controller", ...argumentsOf(flags, addOn)],
          env: [fromField("CSI_NODE_NAME", "spec.nodeName")],
          ports: [{ name: "healthz", containerPort: HEALTH_PORT, protocol: "TCP" }],
          livenessProbe: { ...probe, failureThreshold: 10 },
          readinessProbe: { ...probe, failureThreshold: 5 },
          volumeMounts: [sockets],
          resources: addOn.resources ?? resourcesOf("40Mi", "256Mi"),
          securityContext: CONFINED,
        },
        sidecar("csi-provisioner", images.provisioner, [
          "--timeout=60s",
          "--feature-gates=Topology=true",
          "--extra-create-metadata",
          "--leader-election=true",
          "--default-fstype=ext4",
          "--retry-interval-max=30m",
        ]),
        sidecar("csi-attacher", images.attacher, [
          "--timeout=6m",
          "--leader-election=true",
          "--retry-interval-max=5m",
        ]),
        sidecar("csi-resizer", images.resizer, [
          "--timeout=60s",
          "--handle-volume-inuse-error=false",
          "--leader-election=true",
          "--retry-interval-max=30m",
        ]),
        {
          ...sidecar("liveness-probe", images.livenessProbe, [
            "--probe-timeout=60s",
            `--health-port=${HEALTH_PORT}`,
          ]),
          resources: resourcesOf("32Mi", "32Mi"),
        },
      ],
      volumes: [{ name: sockets.name, emptyDir: {} }],
    },
    identity,
  );
  const names = { name: NAME, labels, podLabels: { app: NAME, ...labels } };
  return controlPlaneDeployment(names, replicasOf(scope, addOn, 2), pod);
}

function sidecar(name: string, image: string, args: readonly string[]): Container {
  return {
    name,
    image,
    args: [`--csi-address=${SOCKET_FOLDER}/csi.sock`, "--v=2", ...args],
    // The builds of AWS check which version of VolumeAttributesClass the API server has.
    env: [{ name: "ENABLE_VAC_FALLBACK", value: "true" }],
    volumeMounts: [sockets],
    resources: resourcesOf("40Mi", "256Mi"),
    securityContext: CONFINED,
  };
}

function resourcesOf(request: string, limit: string) {
  return { requests: { cpu: "10m", memory: request }, limits: { memory: limit } };
}
