const MEBIBYTE = 1024 * 1024;

/** Memory of a node's programs in MiB. Talos' own values were observed, the others are typical. */
const memoryMiB: Readonly<Record<string, number>> = {
  machined: 110,
  apid: 70,
  trustd: 61,
  containerd: 38,
  cri: 60,
  etcd: 39,
  kubelet: 90,
  udevd: 10,
  dashboard: 50,
  "kube-apiserver": 280,
  "kube-controller-manager": 110,
  "kube-scheduler": 65,
  "kube-proxy": 40,
  "kube-flannel": 30,
  coredns: 30,
};

/** A program's memory in bytes. */
export function memoryBytesOf(program: string): number {
  return (memoryMiB[program] ?? 20) * MEBIBYTE;
}
