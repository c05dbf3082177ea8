import { createHash } from "node:crypto";
import { stringify } from "yaml";
import { type ConfigDocument, isMapping } from "../../../provider/config";
import type { MachineFacts } from "../config/machineFacts";
import { textAt, textMapAt, valueAt } from "../config/yamlPath";
import {
  account,
  daemonSet,
  fieldOf,
  NAMESPACE,
  nodeAffinity,
  serviceAccount,
} from "./addOnObjects";
import type { JsonObject, KubernetesObject, RenderedManifest } from "./kubernetesObject";
import { clusterRoleBinding } from "./roleManifests";

/** How kube-proxy is started. */
interface Start {
  readonly image: string;
  /** Flags without dashes. */
  readonly flags: Readonly<Record<string, string>>;
  /** The ConfigMap with its configuration, instead of most flags. */
  readonly file?: KubernetesObject;
}

const LABELS = { "k8s-app": "kube-proxy", tier: "node" };
const FILE_FOLDER = "/var/lib/kube-proxy";

/** kube-proxy, unless the configuration turns it off. Sources: talos v1.12.1, v1.14.1, `k8stemplates`. */
export function proxyManifests(facts: MachineFacts, talosMinor: number): RenderedManifest[] {
  const { proxyDocument } = facts.manifests;
  const start = proxyDocument === undefined ? withFlags(facts) : withFile(facts, proxyDocument);
  return start === undefined ? [] : [{ id: "10-kube-proxy", objects: objects(start, talosMinor) }];
}

function withFlags({ images, manifests, podCidrs }: MachineFacts): Start | undefined {
  const flags = {
    "cluster-cidr": podCidrs.join(","),
    "conntrack-max-per-core": "0",
    "hostname-override": "$(NODE_NAME)",
    kubeconfig: "/etc/kubernetes/kubeconfig",
    "proxy-mode": manifests.proxyMode,
    ...manifests.proxyArgs,
  };
  return images.proxy === undefined ? undefined : { image: images.proxy, flags };
}

/** Another content has another name. Source: v1.14.1, `k8s/control_plane.go`, `manageProxyConfigArgs`. */
function withFile({ podCidrs }: MachineFacts, document: ConfigDocument): Start | undefined {
  if (valueAt(document, "enabled") === false) {
    return undefined;
  }
  const given = mappingAt(document, "config");
  const content = stringify(
    {
      ...given,
      apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
      kind: "KubeProxyConfiguration",
      clientConnection: {
        ...mappingAt(given, "clientConnection"),
        kubeconfig: "/etc/kubernetes/kubeconfig",
      },
      clusterCIDR: given.clusterCIDR ?? podCidrs.join(","),
      mode: given.mode ?? textAt(document, "mode") ?? "nftables",
      conntrack: { maxPerCore: 0, ...mappingAt(given, "conntrack") },
    },
    { sortMapEntries: true },
  );
  const sum = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return {
    image: textAt(document, "image") ?? "",
    flags: {
      config: `${FILE_FOLDER}/config.conf`,
      "hostname-override": "$(NODE_NAME)",
      ...textMapAt(document, "extraArgs"),
    },
    file: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { labels: LABELS, name: `kube-proxy-config-${sum}`, namespace: NAMESPACE },
      data: { "config.conf": content },
    },
  };
}

function objects({ image, flags, file }: Start, talosMinor: number): KubernetesObject[] {
  const args = Object.entries(flags).sort(([one], [other]) => (one < other ? -1 : 1));
  const mounts = [
    ["lib-modules", "/lib/modules"],
    ["ssl-certs-host", "/etc/ssl/certs"],
    ["kubeconfig", "/etc/kubernetes"],
    ...(file === undefined ? [] : [["config", FILE_FOLDER]]),
  ];
  const requests = { cpu: "100m", memory: "50Mi" };
  return [
    ...(file === undefined ? [] : [file]),
    daemonSet("kube-proxy", LABELS, {
      updateStrategy: { rollingUpdate: { maxUnavailable: 1 }, type: "RollingUpdate" },
      podSpec: {
        ...nodeAffinity(talosMinor),
        containers: [
          {
            command: [
              "/usr/local/bin/kube-proxy",
              ...args.map(([flag, value]) => `--${flag}=${value}`),
            ],
            env: [fieldOf("NODE_NAME", "spec.nodeName"), fieldOf("POD_IP", "status.podIP")],
            image,
            name: "kube-proxy",
            resources: talosMinor < 14 ? {} : { requests },
            securityContext: { privileged: true },
            volumeMounts: mounts.map(([name = "", mountPath = ""]) => ({
              mountPath,
              name,
              readOnly: true,
            })),
          },
        ],
        hostNetwork: true,
        priorityClassName: "system-cluster-critical",
        serviceAccountName: "kube-proxy",
        tolerations: [
          { effect: "NoSchedule", operator: "Exists" },
          { effect: "NoExecute", operator: "Exists" },
        ],
        volumes: [
          { hostPath: { path: "/usr/lib/modules" }, name: "lib-modules" },
          { hostPath: { path: "/etc/ssl/certs" }, name: "ssl-certs-host" },
          { configMap: { name: "kubeconfig-in-cluster" }, name: "kubeconfig" },
          ...(file === undefined
            ? []
            : [{ configMap: { name: file.metadata.name ?? "" }, name: "config" }]),
        ],
      },
    }),
    serviceAccount("kube-proxy"),
    clusterRoleBinding("kube-proxy", "system:node-proxier", [account("kube-proxy")]),
  ];
}

function mappingAt(value: ConfigDocument, key: string): JsonObject {
  const found = value[key];
  return isMapping(found) ? found : {};
}
