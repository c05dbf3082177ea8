// Why this room is as it is: docs/decisions/engine.md.

export { ArgumentsError, presentableProblems, type PropertyProblem } from "./argumentsError";
export { URN } from "./checkedInputs";
export { HANDLER_NAMES, type HandlerName, shortStub } from "./dynamicStub";
export { type CheckFailure, PartialCreateError } from "./handler";
export { madeOf } from "./markedInputs";
export { omitTraces } from "./omitTraces";
export { CLUSTER_DELETION_VARIABLE } from "./onDestroy";
export { isKnown, valueOf } from "./outputValue";
export { misspeltArguments, refuse, withUnknownArguments } from "./refuse";
export { seenAgain } from "./seenValues";
export type { TalosKind } from "./talosResource";
export { dynamicType, PLUGIN_PACKAGE, pluginType, talosKind } from "./talosTypes";
export { tellingTheEnd } from "./tellingTheEnd";
export {
  COMPLETE,
  type PluginReference,
  pluginReference,
  pluginServer,
  servedAs,
  usePlugin,
} from "./usePlugin";
