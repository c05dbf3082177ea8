import type { SessionStep } from "./sessionStep";

const restarted = [/events check condition met/, /post check passed/];

/** Taking nodes down and up again, the recovery of etcd, and the change of the cluster's CAs. */
export const endingSteps: readonly SessionStep[] = [
  {
    command: "reboot -n <d>",
    as: "reader",
    fails: true,
    expect: [/not authorized/],
    lab: "same",
  },
  {
    command: "upgrade -n <e> --image ghcr.io/siderolabs/installer:nope",
    fails: true,
    expect: [/error validating installer image "ghcr\.io\/siderolabs\/installer:nope": /],
    lab: "disks",
  },
  {
    command: "upgrade -n <b> --image ghcr.io/siderolabs/installer:v1.12.2",
    fails: true,
    expect: [/etcd member count\(2\) is insufficient to maintain quorum/],
    lab: "disks",
  },
  { command: "reboot -n <c>", expect: restarted, lab: "kubelet" },
  {
    command: "etcd members -n <a>",
    until: true,
    expect: [/ cp1 .*false$/m, / cp2 .*false$/m, / cp3 .*false$/m],
    lab: "one control plane",
  },
  {
    command: "upgrade -n <e> --image ghcr.io/siderolabs/installer:v1.12.2",
    expect: restarted,
    lab: "disks",
  },
  { command: "version -n <e>", expect: [/NODE: <e>\n Tag: v1\.12\.2\n/], lab: "disks" },
  { command: "rollback -n <e>", expect: [/^$/], lab: "disks" },
  {
    command: "version -n <e>",
    until: true,
    expect: [/NODE: <e>\n Tag: <talos>\n/],
    lab: "disks",
  },
  {
    // This talosctl tries to go on with the talosconfig that a dry run has not made.
    command: "rotate-ca -n <a> --kubernetes=false",
    fails: true,
    expect: [/^> Dry-run mode enabled, no changes were made to the cluster/m],
    lab: "slow",
  },
  {
    command: "rotate-ca -n <a> --talos=false --dry-run=false",
    expect: [/^ - OK \(5 nodes ready\)$/m, /^> Kubernetes CA rotation done/m],
    lab: "kubelet",
  },
  {
    command: "reset -n <b> --system-labels-to-wipe NOPE",
    fails: true,
    expect: [/failed to get volume status with label "NOPE"/],
    lab: "disks",
  },
  {
    // Not waited for: talosctl looks for the event of stopped services until it has seen it, tries
    // once a second, and finds nothing of it once the machine has restarted. It misses the event of
    // a machine whose other one goes down first, when that passes its events on.
    command:
      "reset -n <b>,<c> --wait=false --graceful=false --reboot --system-labels-to-wipe EPHEMERAL",
    expect: [/^$/],
    lab: "disks",
  },
  ...["<b>", "<c>"].map(etcdPrepares),
  {
    command: "reset -n <a> --graceful=false --reboot --system-labels-to-wipe EPHEMERAL",
    expect: restarted,
    lab: "disks",
  },
  etcdPrepares("<a>"),
  {
    command: "bootstrap -n <a> --recover-from db.snapshot",
    expect: [/^recovering from snapshot "db\.snapshot": /],
    lab: "disks",
  },
  {
    command: "etcd members -n <b>",
    until: true,
    expect: [/ cp1 .*false$/m, / cp2 .*false$/m, / cp3 .*false$/m],
    lab: "disks",
  },
  {
    command: "reset -n <e> --reboot --wait=false --system-labels-to-wipe STATE,EPHEMERAL",
    expect: [/^$/],
    lab: "ends",
  },
  {
    command: "get machinestatus --insecure -n <e>",
    until: true,
    expect: [/^ runtime MachineStatus machine \d+ maintenance true$/m],
    lab: "ends",
  },
  { command: "shutdown -n <d>", expect: [/events check condition met/], lab: "ends" },
  {
    command: "version -n <d>",
    until: true,
    fails: true,
    expect: [/connection refused|i\/o timeout/],
    lab: "ends",
  },
  { command: "reboot -n <a> --wait=false", expect: [/^$/], lab: "same" },
  {
    command: "etcd status -n <a>",
    until: true,
    expect: [/^<a> <id> .* false 3\.6\.\d+ 3\.6\.0$/m],
    lab: "alike",
    on14: { expect: [/^<a> <id> .* false 3\.7\.\d+ 3\.7\.0$/m] },
  },
];

/** A machine without etcd's data waits for a cluster to join, or for its bootstrap. */
function etcdPrepares(node: string): SessionStep {
  return {
    command: `service etcd -n ${node}`,
    until: true,
    expect: [/^STATE Preparing$/m],
    lab: "disks",
  };
}
