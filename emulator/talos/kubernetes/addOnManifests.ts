import type { MachineFacts } from "../config/machineFacts";
import {
  account,
  daemonSet,
  fieldOf,
  NAMESPACE,
  nodeAffinity,
  serviceAccount,
} from "./addOnObjects";
import type { KubernetesObject, RenderedManifest } from "./kubernetesObject";
import { proxyManifests } from "./proxyManifests";
import { clusterRole, clusterRoleBinding, rule } from "./roleManifests";

/**
 * kube-proxy, CoreDNS and flannel, unless the configuration turns them off.
 *
 * @param talosMinor of the release that renders them: 12 is v1.12
 */
export function addOnManifests(
  facts: MachineFacts,
  talosMinor: number,
): readonly RenderedManifest[] {
  const { coreDns, flannel } = facts.images;
  return [
    ...(flannel === undefined
      ? []
      : [{ id: "05-flannel", objects: flannelObjects(facts, flannel, talosMinor) }]),
    ...proxyManifests(facts, talosMinor),
    ...(coreDns === undefined
      ? []
      : [
          { id: "11-core-dns", objects: coreDnsObjects(facts, coreDns, talosMinor) },
          { id: "11-core-dns-svc", objects: [coreDnsService(facts)] },
        ]),
  ];
}

function coreDnsObjects(
  { dnsDomain }: MachineFacts,
  image: string,
  talosMinor: number,
): KubernetesObject[] {
  const metadata = { labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } };
  const selected = { "k8s-app": "kube-dns" };
  const toleration = (key: string) => ({ effect: "NoSchedule", key, operator: "Exists" });
  const Corefile = `.:53 {
    errors
    health {
        lameduck 5s
    }
    ready
    log . {
        class error
    }
    prometheus :9153

    kubernetes ${dnsDomain} in-addr.arpa ip6.arpa {
        pods insecure
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success ${dnsDomain}
       disable denial ${dnsDomain}
    }
    loop
    reload
    loadbalance
}
`;
  return [
    serviceAccount("coredns"),
    clusterRole("system:coredns", metadata, [
      rule("", ["endpoints", "services", "pods", "namespaces"], ["list", "watch"]),
      rule("discovery.k8s.io", ["endpointslices"], ["list", "watch"]),
    ]),
    clusterRoleBinding("system:coredns", "system:coredns", [account("coredns")], {
      ...metadata,
      annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
    }),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "coredns", namespace: NAMESPACE },
      data: { Corefile },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {
        name: "coredns",
        namespace: NAMESPACE,
        labels: { ...selected, "kubernetes.io/name": "CoreDNS" },
      },
      spec: {
        replicas: 2,
        selector: { matchLabels: selected },
        strategy: { rollingUpdate: { maxUnavailable: 1 }, type: "RollingUpdate" },
        template: {
          metadata: { labels: selected },
          spec: {
            ...nodeAffinity(talosMinor),
            containers: [
              {
                args: ["-conf", "/etc/coredns/Corefile"],
                env: [{ name: "GOMEMLIMIT", value: "161MiB" }],
                image,
                imagePullPolicy: "IfNotPresent",
                name: "coredns",
                ports: [
                  { containerPort: 53, name: "dns", protocol: "UDP" },
                  { containerPort: 53, name: "dns-tcp", protocol: "TCP" },
                  { containerPort: 9153, name: "metrics", protocol: "TCP" },
                ],
                resources: {
                  limits: { memory: "170Mi" },
                  requests: { cpu: "100m", memory: "70Mi" },
                },
                volumeMounts: [
                  { mountPath: "/etc/coredns", name: "config-volume", readOnly: true },
                ],
              },
            ],
            dnsPolicy: "Default",
            nodeSelector: { "kubernetes.io/os": "linux" },
            priorityClassName: "system-cluster-critical",
            serviceAccountName: "coredns",
            tolerations: [
              toleration("node-role.kubernetes.io/control-plane"),
              toleration("node.cloudprovider.kubernetes.io/uninitialized"),
            ],
            volumes: [
              {
                configMap: { items: [{ key: "Corefile", path: "Corefile" }], name: "coredns" },
                name: "config-volume",
              },
            ],
          },
        },
      },
    },
  ];
}

function coreDnsService({ serviceCidrs }: MachineFacts): KubernetesObject {
  const address = (serviceCidrs[0] ?? "").replace(/\d+\/\d+$/, "10");
  const port = (name: string, number: number, protocol: string) => ({
    name,
    port: number,
    protocol,
    targetPort: number,
  });
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      annotations: { "prometheus.io/port": "9153", "prometheus.io/scrape": "true" },
      labels: {
        "k8s-app": "kube-dns",
        "kubernetes.io/cluster-service": "true",
        "kubernetes.io/name": "CoreDNS",
      },
      name: "kube-dns",
      namespace: NAMESPACE,
    },
    spec: {
      clusterIP: address,
      clusterIPs: [address],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [port("dns", 53, "UDP"), port("dns-tcp", 53, "TCP"), port("metrics", 9153, "TCP")],
      selector: { "k8s-app": "kube-dns" },
    },
  };
}

function flannelObjects(
  { podCidrs }: MachineFacts,
  image: string,
  talosMinor: number,
): KubernetesObject[] {
  const metadata = { labels: { "k8s-app": "flannel" } };
  const labels = { "k8s-app": "flannel", tier: "node" };
  const network = {
    Network: podCidrs[0] ?? "",
    ...(talosMinor >= 14 && { EnableNFTables: true }),
    Backend: { Type: "vxlan", Port: 4789 },
  };
  return [
    clusterRole("flannel", metadata, [
      rule("", ["pods"], ["get"]),
      rule("", ["nodes"], ["get", "list", "watch"]),
      rule("", ["nodes/status"], ["patch"]),
    ]),
    clusterRoleBinding("flannel", "flannel", [account("flannel")], metadata),
    {
      ...serviceAccount("flannel"),
      metadata: { ...metadata, name: "flannel", namespace: NAMESPACE },
    },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { labels, name: "kube-flannel-cfg", namespace: NAMESPACE },
      data: { "net-conf.json": JSON.stringify(network, null, 2) },
    },
    daemonSet("kube-flannel", labels, {
      podSpec: {
        ...nodeAffinity(talosMinor),
        containers: [
          {
            args: ["--ip-masq", "--kube-subnet-mgr"],
            command: ["/opt/bin/flanneld"],
            env: [
              fieldOf("POD_NAME", "metadata.name"),
              fieldOf("POD_NAMESPACE", "metadata.namespace"),
            ],
            image,
            name: "kube-flannel",
            resources: { requests: { cpu: "100m", memory: "50Mi" } },
          },
        ],
        hostNetwork: true,
        priorityClassName: "system-node-critical",
        serviceAccountName: "flannel",
        tolerations: [
          { effect: "NoSchedule", operator: "Exists" },
          { effect: "NoExecute", operator: "Exists" },
        ],
      },
    }),
  ];
}
