import type { Machine } from "./machine";

/** A control plane machine whose member in etcd is looked after. */
export interface EtcdMachine extends Machine {
  /** Its EC2 instance id: whoever answers at its address by another one is somebody else. */
  readonly machineId: string;
  /** Where the other members of etcd find it. Default: `node`. */
  readonly privateAddress?: string;
}
