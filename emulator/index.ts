// Why this room is as it is: docs/decisions/emulator.md.

export { AddressSliceError } from "./aws/addressSlice";
export { ensureMoto, PythonMissingError } from "./aws/pythonEnvironment";
export {
  startEmulator,
  type EmulatedNode,
  type Emulator,
  type EmulatorOptions,
  type MachinesChoice,
} from "./emulator";
export type { DockerMachinesOptions } from "./machines/docker/dockerMachines";
export { faultKinds, type FaultKind } from "./talos/faults/faultKinds";
export type { FaultDescription, Faults, InjectedFault } from "./talos/faults/faults";
export { FaultRequestError, type FaultRequest } from "./talos/faults/faultRequest";
export type { NodeTimings } from "./talos/talosNode";
