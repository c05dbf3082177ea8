import { credentials } from "@grpc/grpc-js";
import { ConstructResponse, type ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { COMPLETE, PLUGIN_PACKAGE, pluginReference, pluginType } from "../provider/engine";
import { immutableArgumentsKind } from "../provider/resources";
import { messageOf } from "../provider/rpc";

/**
 * Ends a run because a component can't be created. A resource that the engine refuses ends it without a word from the
 * program. After an answer with an error, a program in Python prints a trace of thirty lines of Pulumi's own code
 * (pulumi v3.230.0, pkg/resource/deploy/source_eval.go: such an error has the code UNKNOWN).
 *
 * @param problem is shown beside the name of the component
 * @returns what stands for the component until the run ends
 * @throws Error with the problem, if the engine refuses nothing
 */
export async function refuseComponent(
  request: ConstructRequest,
  problem: string,
): Promise<ConstructResponse> {
  const monitor = new ResourceMonitorClient(
    request.getMonitorendpoint(),
    credentials.createInsecure(),
  );
  const registration = refusal(request, problem);
  const refused = urnOf(request, registration);
  const isRefused = await new Promise<boolean>((resolve) => {
    // The engine answers the registration when the run has ended, and an answer to the program is then too late.
    awaited.set(refused, () => resolve(true));
    monitor.registerResource(registration, (error) => resolve(error !== null));
  });
  awaited.delete(refused);
  monitor.close();
  if (!isRefused) {
    throw new Error(problem);
  }
  const response = new ConstructResponse();
  response.setUrn(urnOf(request, request));
  return response;
}

/** What waits for the check of a resource that the engine is to refuse, by its URN. */
const awaited = new Map<string, () => void>();

/** Says that a resource was checked and refused. */
export function wasRefused(urn: string): void {
  awaited.get(urn)?.();
}

function refusal(request: ConstructRequest, problem: string): RegisterResourceRequest {
  const { version = "", pluginDownloadURL = "" } = pluginReference();
  const registration = new RegisterResourceRequest();
  registration.setType(pluginType("ImmutableArguments"));
  registration.setName(`${request.getName()}-refused`);
  registration.setParent(request.getParent());
  registration.setCustom(true);
  registration.setProvider(request.getProvidersMap().get(PLUGIN_PACKAGE) ?? "");
  registration.setVersion(version);
  registration.setPlugindownloadurl(pluginDownloadURL);
  const inputs = immutableArgumentsKind.inputsOf({ values: {}, reasons: {}, refusals: [problem] });
  registration.setObject(messageOf({ ...inputs, [COMPLETE]: true }));
  return registration;
}

/** The URN of a resource with the component's parent. */
function urnOf(
  request: ConstructRequest,
  resource: Pick<ConstructRequest, "getName" | "getType">,
): string {
  const [, , inParent = ""] = request.getParent().split("::");
  const types = ["", "pulumi:pulumi:Stack"].includes(inParent) ? "" : `${inParent}$`;
  const stack = `urn:pulumi:${request.getStack()}::${request.getProject()}`;
  return `${stack}::${types}${resource.getType()}::${resource.getName()}`;
}
