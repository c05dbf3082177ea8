import type { KubernetesObject } from "../../../provider/kubernetes";
import { fromHost } from "../common/addOnPods";
import { minorOf } from "../common/releases";
import { daemonSetOf } from "../common/workloads";
import { AGENT } from "./ciliumAccess";
import { CONFIG_MAP, METRICS_PORTS } from "./ciliumConfig";
import {
  checksum,
  type CiliumWorkload,
  environment,
  hostPod,
  kubePrism,
  mounted,
  onePerMachine,
  port,
  SETTINGS_FOLDER,
} from "./ciliumPods";

/** The container of the agent, whose image those before it have too. */
const AGENT_CONTAINER = "cilium-agent";

/** Where agents tell whether they work. */
const AGENT_HEALTH_PORT = 9_879;

/** The first minor, of major 1, whose API has a pod's AppArmor profile as a field. */
const FIRST_MINOR_WITH_APP_ARMOR = 30;

/**
 * What the agent may do: all that upstream's does but load modules of the kernel, which Talos allows no pod.
 * Source: Talos' guide "Deploy Cilium CNI".
 */
const AGENT_CAPABILITIES = [
  "CHOWN",
  "KILL",
  "NET_ADMIN",
  "NET_RAW",
  "IPC_LOCK",
  "SYS_ADMIN",
  "SYS_RESOURCE",
  "DAC_OVERRIDE",
  "FOWNER",
  "SETGID",
  "SETUID",
];

/**
 * The agent on each machine.
 *
 * Source: `templates/cilium-agent/daemonset.yaml` of the chart of Cilium v1.20.2, by Talos' settings. Talos has
 * mounted `/sys/fs/bpf` and cgroups (v1.12.1 to v1.14.1, `internal/pkg/mount/v3/helpers.go`), and has no
 * systemd whose sysctls would need correction (Cilium's `tools/sysctlfix`), so no container does that.
 */
export function ciliumAgents({
  scope,
  addOn,
  version,
  settings,
  labels,
}: CiliumWorkload): KubernetesObject {
  const image = addOn.images?.[AGENT_CONTAINER] ?? `quay.io/cilium/cilium:${version}`;
  const env = environment(addOn);
  const podLabels = { "k8s-app": AGENT };
  const before = (name: string, container: object) => ({
    name,
    image,
    terminationMessagePolicy: "FallbackToLogsOnError",
    ...container,
  });
  const healthy = (fields: object, headers: Readonly<Record<string, string>> = {}) => ({
    httpGet: {
      host: "127.0.0.1",
      path: "/healthz",
      port: AGENT_HEALTH_PORT,
      httpHeaders: Object.entries({ brief: "true", ...headers }).map(([name, value]) => ({
        name,
        value,
      })),
    },
    ...fields,
  });
  const often = { periodSeconds: 30, timeoutSeconds: 5 };
  return daemonSetOf(
    { name: AGENT, labels, podLabels, podAnnotations: checksum(settings) },
    {
      ...hostPod(AGENT),
      priorityClassName: "system-node-critical",
      terminationGracePeriodSeconds: 1,
      tolerations: [{ operator: "Exists" }, ...(addOn.tolerations ?? [])],
      affinity: onePerMachine(podLabels),
      securityContext: {
        seccompProfile: { type: "Unconfined" },
        ...((minorOf(scope.kubernetesVersion) ?? FIRST_MINOR_WITH_APP_ARMOR) >=
          FIRST_MINOR_WITH_APP_ARMOR && {
          appArmorProfile: { type: "Unconfined" },
        }),
      },
      initContainers: [
        before("config", {
          command: ["cilium-dbg", "build-config"],
          env,
          securityContext: capable(["NET_ADMIN"]),
          volumeMounts: [mounted("tmp", "/tmp")],
        }),
        before("clean-cilium-state", {
          command: ["/init-container.sh"],
          env: [
            setting("CILIUM_ALL_STATE", "clean-cilium-state"),
            setting("CILIUM_BPF_STATE", "clean-cilium-bpf-state"),
            setting("WRITE_CNI_CONF_WHEN_READY", "write-cni-conf-when-ready"),
            ...kubePrism(addOn),
          ],
          securityContext: capable(["NET_ADMIN", "SYS_ADMIN", "SYS_RESOURCE"]),
          volumeMounts: [
            mounted("bpf-maps", "/sys/fs/bpf"),
            { ...mounted("cilium-cgroup", "/sys/fs/cgroup"), mountPropagation: "HostToContainer" },
            mounted("cilium-run", "/var/run/cilium"),
          ],
        }),
        before("install-cni-binaries", {
          command: ["/install-plugin.sh"],
          resources: {
            requests: { cpu: "100m", memory: "10Mi" },
            limits: { cpu: "1", memory: "1Gi" },
          },
          securityContext: capable([]),
          volumeMounts: [mounted("cni-path", "/host/opt/cni/bin")],
        }),
      ],
      containers: [
        {
          ...before(AGENT_CONTAINER, {}),
          command: ["cilium-agent"],
          args: [`--config-dir=${SETTINGS_FOLDER}`],
          env: [
            ...env,
            {
              name: "GOMEMLIMIT",
              valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1" } },
            },
            { name: "KUBE_CLIENT_BACKOFF_BASE", value: "1" },
            { name: "KUBE_CLIENT_BACKOFF_DURATION", value: "120" },
          ],
          ports: [
            port("health", AGENT_HEALTH_PORT),
            ...(addOn.metrics === true
              ? [
                  port("prometheus", METRICS_PORTS.agent),
                  port("envoy-metrics", METRICS_PORTS.proxy),
                ]
              : []),
            ...(addOn.metrics === true && addOn.hubble === true
              ? [port("hubble-metrics", METRICS_PORTS.hubble)]
              : []),
          ],
          startupProbe: healthy({
            initialDelaySeconds: 5,
            periodSeconds: 2,
            failureThreshold: 300,
          }),
          // An agent goes on without the API server.
          livenessProbe: healthy(
            { ...often, failureThreshold: 10 },
            { "require-k8s-connectivity": "false" },
          ),
          readinessProbe: healthy({ ...often, failureThreshold: 3 }),
          ...(addOn.resources && { resources: addOn.resources }),
          securityContext: capable(AGENT_CAPABILITIES),
          volumeMounts: [
            mounted("host-proc-sys-net", "/host/proc/sys/net"),
            mounted("host-proc-sys-kernel", "/host/proc/sys/kernel"),
            { ...mounted("bpf-maps", "/sys/fs/bpf"), mountPropagation: "HostToContainer" },
            mounted("cilium-cgroup", "/sys/fs/cgroup"),
            mounted("cilium-run", "/var/run/cilium"),
            {
              ...mounted("cilium-netns", "/var/run/cilium/netns"),
              mountPropagation: "HostToContainer",
            },
            mounted("etc-cni-netd", "/host/etc/cni/net.d"),
            { ...mounted("lib-modules", "/lib/modules"), readOnly: true },
            mounted("xtables-lock", "/run/xtables.lock"),
            mounted("tmp", "/tmp"),
          ],
        },
      ],
      volumes: [
        { name: "tmp", emptyDir: {} },
        fromHost("cilium-run", "/var/run/cilium", "DirectoryOrCreate"),
        fromHost("cilium-netns", "/var/run/netns", "DirectoryOrCreate"),
        fromHost("bpf-maps", "/sys/fs/bpf", "DirectoryOrCreate"),
        fromHost("cilium-cgroup", "/sys/fs/cgroup", "DirectoryOrCreate"),
        fromHost("cni-path", "/opt/cni/bin", "DirectoryOrCreate"),
        fromHost("etc-cni-netd", "/etc/cni/net.d", "DirectoryOrCreate"),
        fromHost("lib-modules", "/lib/modules"),
        fromHost("xtables-lock", "/run/xtables.lock", "FileOrCreate"),
        fromHost("host-proc-sys-net", "/proc/sys/net", "Directory"),
        fromHost("host-proc-sys-kernel", "/proc/sys/kernel", "Directory"),
      ],
    },
    "10%",
  );
}

function setting(name: string, key: string): object {
  return { name, valueFrom: { configMapKeyRef: { name: CONFIG_MAP, key, optional: true } } };
}

/** SELinux of machines that have it sees these containers as a part of the machine. */
function capable(add: readonly string[]): object {
  return {
    seLinuxOptions: { level: "s0", type: "spc_t" },
    capabilities: { ...(add.length > 0 && { add }), drop: ["ALL"] },
  };
}
