// Why this room is as it is: docs/decisions/workers.md.

export { keySettings, roleSettings, textSetting } from "./awsProviderSettings";
export {
  describeStopped,
  isStoppedState,
  startCommand,
  type StoppedMachine,
  wayToStart,
} from "./describeStopped";
export { architectureOf, workerTypeProblem } from "./instanceType";
export { DEFAULT_INSTANCE_TYPE } from "./machineSettings";
export { decodeUserData, withheldUserData } from "./userData";
