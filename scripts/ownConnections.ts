import * as settings from "@pulumi/pulumi/runtime/settings";

/**
 * Gives each client of Pulumi's SDK in this process connections of its own. By default gRPC shares
 * them by address, also with clients of engines that have ended: an engine on a port that was
 * another's before would be called unavailable for minutes, and the SDK takes a program that ends
 * with that for one that has no resources: a preview says nothing, an update deletes everything.
 *
 * Only for programs that several engines run in one process, one after another. `pulumi up` has a
 * process each.
 *
 * Source: `runtime/settings.ts` and `automation/server.ts` of @pulumi/pulumi 3.230, `subchannel-pool.ts`
 * of @grpc/grpc-js 1.14.
 *
 * @throws Error when the SDK keeps its options elsewhere
 */
export function ownConnections(): void {
  const options: unknown = Reflect.get(settings, "grpcClientOptions");
  if (typeof options !== "object" || options === null) {
    throw new Error("@pulumi/pulumi has no grpcClientOptions in runtime/settings any more");
  }
  Reflect.set(options, "grpc.use_local_subchannel_pool", 1);
}
