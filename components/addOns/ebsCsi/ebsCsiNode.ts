import type { KubernetesObject } from "../../../provider/kubernetes";
import type { KnownSettings } from "../common/addOn";
import { fromField, fromHost } from "../common/addOnPods";
import { daemonSetOf } from "../common/workloads";
import type { EbsCsiAddOn } from "./ebsCsiAddOn";
import type { EbsCsiParts } from "./ebsCsiController";

const NAME = "ebs-csi-node";
const KUBELET = "/var/lib/kubelet";

/**
 * The driver on every node, which mounts volumes for pods. It is in the host network, because it
 * asks the metadata service how many volumes the machine can attach. It does not call AWS.
 */
export function ebsCsiNode(
  { tolerations = [] }: KnownSettings<EbsCsiAddOn>,
  { images, account, labels, driver }: EbsCsiParts & { readonly driver: string },
): KubernetesObject {
  const pluginFolder = `${KUBELET}/plugins/${driver}`;
  const plugin = { name: "plugin-dir", mountPath: "/csi" };
  const small = { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "32Mi" } };
  const careful = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true };
  const address = "--csi-address=/csi/csi.sock";
  const health = (port: string) => ({ httpGet: { path: "/healthz", port } });
  return daemonSetOf(
    { name: NAME, labels, podLabels: { app: NAME, ...labels } },
    {
      hostNetwork: true,
      nodeSelector: { "kubernetes.io/os": "linux" },
      serviceAccountName: account,
      priorityClassName: "system-node-critical",
      terminationGracePeriodSeconds: 30,
      tolerations: [{ operator: "Exists" }, ...tolerations],
      securityContext: { runAsNonRoot: false, runAsUser: 0, runAsGroup: 0, fsGroup: 0 },
      containers: [
        {
          name: "ebs-plugin",
          image: images.driver,
          args: [
            "node",
            "--endpoint=unix:/csi/csi.sock",
            `--csi-mount-point-prefix=${KUBELET}/plugins/kubernetes.io/csi/${driver}/`,
            "--logging-format=text",
            "--v=2",
          ],
          env: [fromField("CSI_NODE_NAME", "spec.nodeName")],
          ports: [{ name: "healthz", containerPort: 9_808, protocol: "TCP" }],
          livenessProbe: { ...health("healthz"), initialDelaySeconds: 10, failureThreshold: 5 },
          readinessProbe: { ...health("healthz"), periodSeconds: 5, failureThreshold: 3 },
          lifecycle: {
            preStop: { exec: { command: ["/bin/aws-ebs-csi-driver", "pre-stop-hook"] } },
          },
          volumeMounts: [
            { name: "kubelet-dir", mountPath: KUBELET, mountPropagation: "Bidirectional" },
            plugin,
            { name: "device-dir", mountPath: "/dev" },
          ],
          resources: { requests: { cpu: "10m", memory: "40Mi" }, limits: { memory: "256Mi" } },
          securityContext: { privileged: true, readOnlyRootFilesystem: true },
        },
        {
          name: "node-driver-registrar",
          image: images.registrar,
          args: [
            address,
            `--kubelet-registration-path=${pluginFolder}/csi.sock`,
            "--http-endpoint=0.0.0.0:9809",
            "--v=2",
          ],
          ports: [{ name: "healthz-ndr", containerPort: 9_809 }],
          livenessProbe: {
            ...health("healthz-ndr"),
            initialDelaySeconds: 30,
            periodSeconds: 90,
            timeoutSeconds: 15,
          },
          volumeMounts: [
            plugin,
            { name: "registration-dir", mountPath: "/registration" },
            { name: "probe-dir", mountPath: `${pluginFolder}/` },
          ],
          resources: small,
          securityContext: careful,
        },
        {
          name: "liveness-probe",
          image: images.livenessProbe,
          args: [address],
          volumeMounts: [plugin],
          resources: small,
          securityContext: careful,
        },
      ],
      volumes: [
        fromHost("kubelet-dir", KUBELET, "Directory"),
        fromHost("plugin-dir", `${pluginFolder}/`, "DirectoryOrCreate"),
        fromHost("registration-dir", `${KUBELET}/plugins_registry/`, "Directory"),
        fromHost("device-dir", "/dev", "Directory"),
        { name: "probe-dir", emptyDir: {} },
      ],
    },
    "10%",
  );
}
