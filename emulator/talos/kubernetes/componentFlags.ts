/** Flags that the three components of a control plane share. */
const SHARED = `
    allow-metric-labels allow-metric-labels-manifest authentication-token-webhook-cache-ttl
    authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
    bind-address cert-dir client-ca-file contention-profiling disable-http2-serving
    disabled-metrics emulated-version feature-gates help http2-max-streams-per-connection
    log-flush-frequency log-json-info-buffer-size log-json-split-stream
    log-text-info-buffer-size log-text-split-stream logging-format min-compatibility-version
    permit-address-sharing permit-port-sharing profiling requestheader-allowed-names
    requestheader-client-ca-file requestheader-extra-headers-prefix
    requestheader-group-headers requestheader-uid-headers requestheader-username-headers
    secure-port show-hidden-metrics-for-version tls-cert-file tls-cipher-suites
    tls-min-version tls-private-key-file tls-sni-cert-key v version vmodule
`;

/**
 * Flags of Kubernetes' components: those of v1.35.0 (`--help`), and former ones of older minors
 * that Talos v1.12 runs. Those of etcd are from v3.6.6 (`etcdmain/help.go`, `config.go`). Wrong
 * values and unknown feature gates are not detected here, although real components refuse them too.
 */
const flags: Readonly<Record<string, string>> = {
  "kube-apiserver": `${SHARED}
    admission-control admission-control-config-file advertise-address
    aggregator-reject-forwarding-redirect allow-privileged anonymous-auth api-audiences
    apiserver-count audit-log-batch-buffer-size audit-log-batch-max-size
    audit-log-batch-max-wait audit-log-batch-throttle-burst audit-log-batch-throttle-enable
    audit-log-batch-throttle-qps audit-log-compress audit-log-format audit-log-maxage
    audit-log-maxbackup audit-log-maxsize audit-log-mode audit-log-path
    audit-log-truncate-enabled audit-log-truncate-max-batch-size
    audit-log-truncate-max-event-size audit-log-version audit-policy-file
    audit-webhook-batch-buffer-size audit-webhook-batch-max-size audit-webhook-batch-max-wait
    audit-webhook-batch-throttle-burst audit-webhook-batch-throttle-enable
    audit-webhook-batch-throttle-qps audit-webhook-config-file audit-webhook-initial-backoff
    audit-webhook-mode audit-webhook-truncate-enabled audit-webhook-truncate-max-batch-size
    audit-webhook-truncate-max-event-size audit-webhook-version authentication-config
    authentication-token-webhook-config-file authentication-token-webhook-version
    authorization-config authorization-mode authorization-policy-file
    authorization-webhook-config-file authorization-webhook-version cloud-config
    cloud-provider coordinated-leadership-lease-duration coordinated-leadership-renew-deadline
    coordinated-leadership-retry-period cors-allowed-origins debug-socket-path
    default-not-ready-toleration-seconds default-unreachable-toleration-seconds
    default-watch-cache-size delete-collection-workers disable-admission-plugins
    egress-selector-config-file emulation-forward-compatible enable-admission-plugins
    enable-aggregator-routing enable-bootstrap-token-auth enable-garbage-collector
    enable-logs-handler enable-priority-and-fairness encryption-provider-config
    encryption-provider-config-automatic-reload endpoint-reconciler-type etcd-cafile
    etcd-certfile etcd-compaction-interval etcd-count-metric-poll-period
    etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-keyfile etcd-prefix
    etcd-readycheck-timeout etcd-servers etcd-servers-overrides event-ttl external-hostname
    goaway-chance kubelet-certificate-authority kubelet-client-certificate kubelet-client-key
    kubelet-port kubelet-preferred-address-types kubelet-read-only-port kubelet-timeout
    kubernetes-service-node-port lease-reuse-duration-seconds livez-grace-period
    max-connection-bytes-per-sec max-mutating-requests-inflight max-requests-inflight
    min-request-timeout oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix
    oidc-issuer-url oidc-required-claim oidc-signing-algs oidc-username-claim
    oidc-username-prefix peer-advertise-ip peer-advertise-port peer-ca-file
    proxy-client-cert-file proxy-client-key-file request-timeout runtime-config
    runtime-config-emulation-forward-compatible service-account-extend-token-expiration
    service-account-issuer service-account-jwks-uri service-account-key-file
    service-account-lookup service-account-max-token-expiration
    service-account-signing-endpoint service-account-signing-key-file service-cluster-ip-range
    service-node-port-range shutdown-delay-duration shutdown-send-retry-after
    shutdown-watch-termination-grace-period storage-backend storage-initialization-timeout
    storage-media-type strict-transport-security-directives token-auth-file
    tracing-config-file watch-cache watch-cache-sizes
  `,
  "kube-controller-manager": `${SHARED}
    allocate-node-cidrs allow-untagged-cloud attach-detach-reconcile-sync-period
    authentication-kubeconfig authentication-skip-lookup
    authentication-tolerate-lookup-failure authorization-always-allow-paths
    authorization-kubeconfig cidr-allocator-type cloud-config cloud-provider cluster-cidr
    cluster-name cluster-signing-cert-file cluster-signing-duration cluster-signing-key-file
    cluster-signing-kube-apiserver-client-cert-file
    cluster-signing-kube-apiserver-client-key-file cluster-signing-kubelet-client-cert-file
    cluster-signing-kubelet-client-key-file cluster-signing-kubelet-serving-cert-file
    cluster-signing-kubelet-serving-key-file cluster-signing-legacy-unknown-cert-file
    cluster-signing-legacy-unknown-key-file concurrent-cron-job-syncs
    concurrent-daemonset-syncs concurrent-deployment-syncs
    concurrent-device-taint-eviction-syncs concurrent-endpoint-syncs
    concurrent-ephemeralvolume-syncs concurrent-gc-syncs
    concurrent-horizontal-pod-autoscaler-syncs concurrent-job-syncs concurrent-namespace-syncs
    concurrent-rc-syncs concurrent-replicaset-syncs concurrent-resource-claim-syncs
    concurrent-resource-quota-syncs concurrent-service-endpoint-syncs concurrent-service-syncs
    concurrent-serviceaccount-token-syncs concurrent-statefulset-syncs
    concurrent-ttl-after-finished-syncs concurrent-validating-admission-policy-status-syncs
    configure-cloud-routes controller-shutdown-timeout controller-start-interval controllers
    disable-attach-detach-reconcile-sync disable-force-detach-on-timeout
    enable-dynamic-provisioning enable-garbage-collector enable-hostpath-provisioner
    enable-leader-migration endpoint-updates-batch-period endpointslice-updates-batch-period
    external-cloud-volume-plugin flex-volume-plugin-dir
    horizontal-pod-autoscaler-cpu-initialization-period
    horizontal-pod-autoscaler-downscale-stabilization
    horizontal-pod-autoscaler-initial-readiness-delay horizontal-pod-autoscaler-sync-period
    horizontal-pod-autoscaler-tolerance kube-api-burst kube-api-content-type kube-api-qps
    kubeconfig large-cluster-size-threshold leader-elect leader-elect-lease-duration
    leader-elect-renew-deadline leader-elect-resource-lock leader-elect-resource-name
    leader-elect-resource-namespace leader-elect-retry-period leader-migration-config
    legacy-service-account-token-clean-up-period master max-endpoints-per-slice
    min-resync-period mirroring-concurrent-service-endpoint-syncs
    mirroring-endpointslice-updates-batch-period mirroring-max-endpoints-per-subset
    namespace-sync-period node-cidr-mask-size node-cidr-mask-size-ipv4
    node-cidr-mask-size-ipv6 node-eviction-rate node-monitor-grace-period node-monitor-period
    node-startup-grace-period node-status-update-frequency node-sync-period
    pv-recycler-increment-timeout-nfs pv-recycler-minimum-timeout-hostpath
    pv-recycler-minimum-timeout-nfs pv-recycler-pod-template-filepath-hostpath
    pv-recycler-pod-template-filepath-nfs pv-recycler-timeout-increment-hostpath
    pvclaimbinder-sync-period resource-quota-sync-period root-ca-file
    route-reconciliation-period secondary-node-eviction-rate service-account-private-key-file
    service-cluster-ip-range terminated-pod-gc-threshold unhealthy-zone-threshold
    use-service-account-credentials
  `,
  "kube-scheduler": `${SHARED}
    authentication-kubeconfig authentication-skip-lookup
    authentication-tolerate-lookup-failure authorization-always-allow-paths
    authorization-kubeconfig config kube-api-burst kube-api-content-type kube-api-qps
    kubeconfig leader-elect leader-elect-lease-duration leader-elect-renew-deadline
    leader-elect-resource-lock leader-elect-resource-name leader-elect-resource-namespace
    leader-elect-retry-period master pod-max-in-unschedulable-pods-duration write-config-to
  `,
  kubelet: `
    address allowed-unsafe-sysctls anonymous-auth application-metrics-count-limit
    authentication-token-webhook authentication-token-webhook-cache-ttl authorization-mode
    authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
    boot-id-file bootstrap-kubeconfig cert-dir cgroup-driver cgroup-root cgroups-per-qos
    client-ca-file cloud-provider cluster-dns cluster-domain config config-dir container-hints
    container-log-max-files container-log-max-size container-runtime-endpoint containerd
    containerd-namespace contention-profiling cpu-cfs-quota cpu-cfs-quota-period
    cpu-manager-policy cpu-manager-policy-options cpu-manager-reconcile-period
    enable-controller-attach-detach enable-debugging-handlers enable-load-reader enable-server
    enforce-node-allocatable event-burst event-qps event-storage-age-limit
    event-storage-event-limit eviction-hard eviction-max-pod-grace-period
    eviction-minimum-reclaim eviction-pressure-transition-period eviction-soft
    eviction-soft-grace-period exit-on-lock-contention
    experimental-allocatable-ignore-eviction experimental-mounter-path fail-cgroupv1
    fail-swap-on feature-gates file-check-frequency global-housekeeping-interval hairpin-mode
    healthz-bind-address healthz-port help hostname-override housekeeping-interval
    http-check-frequency image-credential-provider-bin-dir image-credential-provider-config
    image-gc-high-threshold image-gc-low-threshold image-service-endpoint iptables-drop-bit
    iptables-masquerade-bit keep-terminated-pod-volumes kernel-memcg-notification
    kube-api-burst kube-api-content-type kube-api-qps kube-reserved kube-reserved-cgroup
    kubeconfig kubelet-cgroups local-storage-capacity-isolation lock-file log-cadvisor-usage
    log-flush-frequency log-json-info-buffer-size log-json-split-stream
    log-text-info-buffer-size log-text-split-stream logging-format machine-id-file
    make-iptables-util-chains manifest-url manifest-url-header max-open-files max-pods
    maximum-dead-containers maximum-dead-containers-per-container memory-manager-policy
    minimum-container-ttl-duration minimum-image-ttl-duration node-ip node-labels
    node-status-max-images node-status-update-frequency oom-score-adj pod-cidr
    pod-infra-container-image pod-manifest-path pod-max-pids pods-per-core port
    protect-kernel-defaults provider-id qos-reserved read-only-port register-node
    register-schedulable register-with-taints registry-burst registry-qps reserved-cpus
    reserved-memory resolv-conf root-dir rotate-certificates rotate-server-certificates
    runonce runtime-cgroups runtime-request-timeout seccomp-default serialize-image-pulls
    storage-driver-buffer-duration storage-driver-db storage-driver-host
    storage-driver-password storage-driver-secure storage-driver-table storage-driver-user
    streaming-connection-idle-timeout sync-frequency system-cgroups system-reserved
    system-reserved-cgroup tls-cert-file tls-cipher-suites tls-min-version
    tls-private-key-file topology-manager-policy topology-manager-policy-options
    topology-manager-scope v version vmodule volume-plugin-dir volume-stats-agg-period
  `,
  etcd: `
    advertise-client-urls auth-token auth-token-ttl auto-compaction-mode
    auto-compaction-retention auto-tls backend-batch-interval backend-batch-limit
    backend-bbolt-freelist-type bcrypt-cost bootstrap-defrag-threshold-megabytes cert-file
    cipher-suites client-cert-allowed-hostname client-cert-auth client-cert-file
    client-crl-file client-key-file compact-hash-check-time compaction-batch-limit
    compaction-sleep-interval config-file corrupt-check-time cors data-dir discovery
    discovery-cacert discovery-cert discovery-dial-timeout discovery-endpoints
    discovery-fallback discovery-insecure-skip-tls-verify discovery-insecure-transport
    discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password
    discovery-proxy discovery-request-timeout discovery-srv discovery-srv-name
    discovery-token discovery-user distributed-tracing-address
    distributed-tracing-instance-id distributed-tracing-sampling-rate
    distributed-tracing-service-name downgrade-check-time election-timeout
    enable-distributed-tracing enable-grpc-gateway enable-log-rotation enable-pprof
    experimental-bootstrap-defrag-threshold-megabytes
    experimental-compact-hash-check-enabled experimental-compact-hash-check-time
    experimental-compaction-batch-limit experimental-compaction-sleep-interval
    experimental-corrupt-check-time experimental-distributed-tracing-address
    experimental-distributed-tracing-instance-id
    experimental-distributed-tracing-sampling-rate
    experimental-distributed-tracing-service-name experimental-downgrade-check-time
    experimental-enable-distributed-tracing experimental-enable-lease-checkpoint
    experimental-enable-lease-checkpoint-persist experimental-initial-corrupt-check
    experimental-memory-mlock experimental-peer-skip-client-san-verification
    experimental-snapshot-catchup-entries experimental-stop-grpc-service-on-defrag
    experimental-txn-mode-write-with-shared-buffer experimental-warning-apply-duration
    experimental-warning-unary-request-duration
    experimental-watch-progress-notify-interval feature-gates force-new-cluster
    grpc-keepalive-interval grpc-keepalive-min-time grpc-keepalive-timeout
    heartbeat-interval help host-whitelist initial-advertise-peer-urls initial-cluster
    initial-cluster-state initial-cluster-token initial-election-tick-advance key-file
    listen-client-http-urls listen-client-urls listen-metrics-urls listen-peer-urls
    log-format log-level log-outputs log-rotation-config-json logger
    max-concurrent-streams max-learners max-request-bytes max-snapshots max-txn-ops
    max-wals memory-mlock metrics name peer-auto-tls peer-cert-allowed-cn
    peer-cert-allowed-hostname peer-cert-file peer-client-cert-auth peer-client-cert-file
    peer-client-key-file peer-crl-file peer-key-file peer-skip-client-san-verification
    peer-trusted-ca-file pre-vote quota-backend-bytes raft-read-timeout raft-write-timeout
    self-signed-cert-validity snapshot-catchup-entries snapshot-count socket-reuse-address
    socket-reuse-port strict-reconfig-check tls-max-version tls-min-version
    trusted-ca-file unsafe-no-fsync v2-deprecation version wal-dir warning-apply-duration
    warning-unary-request-duration watch-progress-notify-interval
  `,
};

const known = new Map(
  Object.entries(flags).map(([component, names]) => [
    component,
    new Set(names.split(/\s+/).filter((name) => name !== "")),
  ]),
);

/**
 * Flags of cAdvisor that the kubelet no longer has since 1.37. Source: `addCadvisorFlags` in
 * cmd/kubelet/app/options/globalflags_linux.go, v1.36.3 and v1.37.2.
 */
const GONE_FROM_KUBELET: ReadonlySet<string> = new Set([
  ...["application-metrics-count-limit", "boot-id-file", "container-hints", "containerd"],
  ...["containerd-namespace", "enable-load-reader", "event-storage-age-limit"],
  ...["event-storage-event-limit", "global-housekeeping-interval", "log-cadvisor-usage"],
  ...["machine-id-file", "storage-driver-user", "storage-driver-password"],
  ...["storage-driver-host", "storage-driver-db", "storage-driver-table"],
  ...["storage-driver-secure", "storage-driver-buffer-duration"],
]);

/**
 * The first of these flags, without dashes, that a component doesn't know, and so refuses to start
 * with. Single letters are short forms and count as known, and `_` is read as `-` (component-base,
 * cli/flag/flags.go, WordSepNormalizeFunc).
 *
 * @param image of the component, whose tag is its release. Default: an old one
 */
export function unknownFlag(
  component: string,
  names: readonly string[],
  image = "",
): string | undefined {
  const flagsOf = known.get(component);
  const minor = Number(/:v1\.(\d+)\./.exec(image)?.[1] ?? 0);
  const isGone = (flag: string) =>
    component === "kubelet" && minor >= 37 && GONE_FROM_KUBELET.has(flag);
  return names.find((name) => {
    const flag = name.replaceAll("_", "-");
    return flagsOf !== undefined && name.length > 1 && (!flagsOf.has(flag) || isGone(flag));
  });
}
