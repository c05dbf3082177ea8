import type { PropertyProblem } from "../../problems";
import type { CloudControllerAddOn } from "../arguments/clusterAddOnsArgs";

const FLAG = "use-service-account-credentials";

/**
 * Problems of the cloud controller's flags: with this one, it makes tokens of service accounts for each
 * of its controllers. Kubernetes has no such right for some accounts alone, so its own account could
 * be any other. Source: k8s.io/cloud-provider v0.36.3, options/options.go.
 */
export function checkCloudController(addOn: CloudControllerAddOn | undefined): PropertyProblem[] {
  const value = addOn?.extraArgs?.[FLAG];
  if (value === undefined || value === "false") {
    return [];
  }
  const reason = `"${String(value)}" has the controller make tokens of other service accounts, and this package's own objects don't let it, as it could then be any account: leave this out, or give a manifest of yours`;
  return [{ property: `cloudController.extraArgs["${FLAG}"]`, reason }];
}
