import type { Machine } from "./machine";

/** A control plane machine with an etcd member. */
export interface EtcdMachine extends Machine {
  /** Its EC2 instance id. Another instance at its address is another machine. */
  readonly machineId: string;
  /** Its address for the other members of etcd. Default: `node`. */
  readonly privateAddress?: string;
}
