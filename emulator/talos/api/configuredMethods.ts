import { MethodTable } from "../rpc/methodTable";
import { bootstrapMethods } from "./bootstrapMethods";
import { clientConfigurationMethods, kubeconfigMethods } from "./clientConfigurationMethods";
import { configurationMethods } from "./configurationMethods";
import { containerMethods } from "./containerMethods";
import { etcdMethods } from "./etcdMethods";
import { eventMethods } from "./eventMethods";
import { fileMethods } from "./fileMethods";
import { hardwareMethods, storageMethods } from "./hardwareMethods";
import { healthMethods } from "./healthMethods";
import { imageMethods } from "./imageMethods";
import { informationMethods, timeMethods } from "./informationMethods";
import { lifecycleMethods } from "./lifecycleMethods";
import { logMethods } from "./logMethods";
import { metaMethods } from "./metaMethods";
import type { MethodContext } from "./methodContext";
import { netstatMethods } from "./netstatMethods";
import { powerMethods } from "./powerMethods";
import { serviceMethods } from "./serviceMethods";
import { stateMethods } from "./stateMethods";

/** Services of machined without simulated methods. */
const emptyServices = ["inspect.InspectService"];

/**
 * machined's API: of a configured node, and from Talos v1.13 on also of one without a configuration. Unsupported methods
 * answer `UNIMPLEMENTED`.
 */
export function configuredMethods(context: MethodContext): MethodTable {
  return new MethodTable(
    [
      ...informationMethods(context),
      ...configurationMethods(context),
      ...clientConfigurationMethods(context),
      ...bootstrapMethods(context),
      ...kubeconfigMethods(context),
      ...serviceMethods(context),
      ...eventMethods(context),
      ...logMethods(context),
      ...containerMethods(context),
      ...etcdMethods(context),
      ...powerMethods(context),
      ...fileMethods(context),
      ...hardwareMethods(context),
      ...healthMethods(context),
      ...imageMethods(context),
      ...lifecycleMethods(context),
      ...metaMethods(context),
      ...netstatMethods(context),
      ...timeMethods(context),
      ...storageMethods(context.state),
      ...stateMethods(context.resources),
    ],
    emptyServices,
  );
}
