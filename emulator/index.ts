export { AddressSliceError } from "./aws/addressSlice";
export { PythonMissingError } from "./aws/pythonEnvironment";
export { startEmulator, type EmulatedNode, type Emulator, type EmulatorOptions } from "./emulator";
export type { NodeTimings } from "./talos/talosNode";
