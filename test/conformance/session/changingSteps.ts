import type { SessionStep } from "./sessionStep";

const live = `'{"machine":{"sysctls":{"vm.max_map_count":"262144"}}}'`;
const needsReboot = `'{"machine":{"env":{"A":"b"}}}'`;

/** Changing the configuration of nodes, etcd's members, and what is on their disks. */
export const changingSteps: readonly SessionStep[] = [
  {
    command: `patch mc -n <d> --dry-run --patch ${live}`,
    expect: [
      /Dry run summary:\nApplied configuration without a reboot \(skipped in dry-run\)\.\nConfig diff:\n/,
      /^\+ vm\.max_map_count: "262144"$/m,
    ],
    lab: "same",
  },
  {
    command: `patch mc -n <d> --patch ${live}`,
    expect: [/^Applied configuration without a reboot$/m],
    lab: "same",
  },
  {
    command: "edit mc -n <d>",
    expect: [/^Applied configuration without a reboot$/m],
    lab: "same",
  },
  {
    command: "get mc v1alpha1 -o yaml -n <d>",
    expect: [/^ vm\.max_map_count: "262145"$/m],
    lab: "alike",
  },
  {
    command: `patch mc -n <d> --mode no-reboot --patch ${needsReboot}`,
    fails: true,
    expect: [/this config change can't be applied in immediate mode\ndiff:\n--- a\n/],
    lab: "same",
    on14: { expect: [/^Applied configuration without a reboot$/m] },
  },
  {
    command: `patch mc -n <d> --mode staged --patch ${needsReboot}`,
    expect: [/^Staged configuration to be applied after the next reboot$/m],
    lab: "same",
    // It has it since the step before.
    on14: { expect: [/^Apply was skipped: no changes detected\.$/m] },
  },
  {
    command: "apply-config -n <d> -f d.yaml --mode try --timeout 1s",
    expect: [
      /^The config is applied in 'try' mode and will be automatically reverted back in 1s$/m,
    ],
    lab: "same",
  },
  {
    command: "get mc v1alpha1 -o yaml -n <d>",
    until: true,
    expect: [/^ vm\.max_map_count: "262145"$/m],
    lab: "alike",
  },
  {
    command: "apply-config -n <d> -f d.yaml --mode no-reboot",
    expect: [/^Applied configuration without a reboot$/m],
    lab: "same",
  },
  {
    command: "etcd status -n <a>",
    expect: [/^<a> <id> .* false 3\.6\.\d+ 3\.6\.0$/m],
    lab: "alike",
    on14: { expect: [/^<a> <id> .* false 3\.7\.\d+ 3\.7\.0$/m] },
  },
  { command: "etcd alarm list -n <a>", expect: [/^$/], lab: "same" },
  { command: "etcd alarm disarm -n <a>", expect: [/^$/], lab: "same" },
  { command: "etcd defrag -n <a>", expect: [/^$/], lab: "same" },
  {
    command: "etcd snapshot db.snapshot -n <a>",
    as: "etcd:backup",
    expect: [/^etcd snapshot saved to "db\.snapshot" \(\d+ bytes\)\nsnapshot info: hash /],
    lab: "alike",
  },
  {
    command: "etcd members -n <d>",
    fails: true,
    expect: [/code = Unimplemented desc = member list is only available on control plane nodes/],
    lab: "same",
  },
  {
    command: "etcd remove-member 00000000000000ff -n <a>",
    fails: true,
    expect: [/failed to remove member 255: etcdserver: member not found/],
    lab: "same",
  },
  { command: "etcd forfeit-leadership -n <a>", expect: [/^$/], lab: "one control plane" },
  { command: "etcd leave -n <c>", expect: [/^$/], lab: "one control plane" },
  {
    command: "etcd members -n <a>",
    expect: [/ cp1 .*false$/m, / cp2 .*false$/m, /^(?![\s\S]* cp3 )/],
    lab: "one control plane",
  },
  {
    command: "config new made.talosconfig --roles os:reader --crt-ttl 1h -n <a>",
    expect: [/^$/],
    lab: "same",
  },
  {
    command: "version --short --talosconfig made.talosconfig -e <a> -n <a>",
    expect: [/NODE: <a>\n Tag: <talos>\n/],
    lab: "alike",
  },
  {
    command: "config new other.talosconfig --roles os:reader -n <d>",
    fails: true,
    expect: [/client configuration \(talosconfig\) can't be generated on worker nodes/],
    lab: "same",
    on14: {
      fails: true,
      expect: [/generate client configuration is only available on control plane nodes/],
    },
  },
  { command: "meta write 0x0c hello -n <a>", expect: [/^$/], lab: "disks" },
  {
    command: "get meta -n <a>",
    expect: [/^<a> runtime MetaKey 0x0c 1 hello$/m],
    lab: "disks",
  },
  { command: "meta delete 0x0c -n <a>", expect: [/^$/], lab: "disks" },
  {
    command: "meta delete 0x0c -n <a>",
    fails: true,
    expect: [/code = NotFound desc = meta key not found/],
    lab: "disks",
  },
  {
    command: "kubeconfig worker.kubeconfig -n <d> --merge=false",
    fails: true,
    expect: [/kubeconfig is only available on control plane nodes/],
    lab: "same",
  },
];
