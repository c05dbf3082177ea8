// Why this room is as it is: docs/decisions/configuration.md.

export { readPatchArgument } from "./readPatchFiles";
export { renderConfiguration } from "./renderConfiguration";
export { renderMachineConfiguration } from "./renderMachineConfiguration";
