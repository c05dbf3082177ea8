import { certificateFaults } from "./certificateFaults";
import { etcdFaults } from "./etcdFaults";
import type { FaultKindDefinition } from "./faultKind";
import { machineFaultKinds } from "./machineFaultKinds";
import { networkFaults } from "./networkFaults";

const kinds = { ...networkFaults, ...machineFaultKinds, ...etcdFaults, ...certificateFaults };

/** The name of a kind of fault. */
export type FaultKind = keyof typeof kinds;

/** All kinds of fault. */
export const faultKinds: Readonly<Record<FaultKind, FaultKindDefinition>> = kinds;
