export { readPatchArgument } from "./readPatchFiles";
export { renderConfiguration } from "./renderConfiguration";
export { renderMachineConfiguration } from "./renderMachineConfiguration";
