import type { MachineFaults } from "./machineFaults";

/** A machine that faults can be put into. */
export interface FaultTarget {
  /** Its EC2 instance id. */
  readonly id: string;
  /** The loopback address it listens on. */
  readonly address: string;
  readonly privateAddress: string;
  readonly zone: string;
  /** `undefined` while it runs no configuration. */
  readonly machineType: "controlplane" | "worker" | undefined;
  readonly faults: MachineFaults;
}
