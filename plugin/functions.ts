import { PLUGIN_PACKAGE } from "../provider/engine";
import {
  getDisks,
  getMembers,
  getResources,
  type GetResourcesArgs,
  getServices,
  getVersion,
} from "../provider/functions";
import type { Properties } from "../provider/rpc";
import { checkFunctionArguments } from "./checkArguments";
import { writtenNames } from "./writtenNames";

/** The data functions by name. What returns a list returns it by a name, as the protocol asks. */
const functions: Readonly<Record<string, (args: GetResourcesArgs) => Promise<object>>> = {
  getDisks: async (args) => ({ disks: await getDisks(args) }),
  getMembers: async (args) => ({ members: await getMembers(args) }),
  getResources: async (args) => ({ resources: await getResources(args) }),
  getServices: async (args) => ({ services: await getServices(args) }),
  getVersion: async (args) => ({ ...(await getVersion(args)) }),
};

/**
 * Calls a data function such as `talos-aws:index:getVersion`.
 *
 * @throws Error if there is no such function, or it fails
 */
export async function invoke(token: string, args: Properties): Promise<Properties> {
  const [owner, module, name = ""] = token.split(":");
  const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (owner !== PLUGIN_PACKAGE || module !== "index" || called === undefined) {
    const known = Object.keys(functions).join(", ");
    throw new Error(`this release of the plugin has no function "${token}", only ${known}`);
  }
  const failures = checkFunctionArguments(token, args, writtenNames());
  if (failures.length > 0) {
    const reasons = failures.map(({ property, reason }) => `${property}: ${reason}`);
    throw new Error(`${token} can't be called: ${reasons.join("; ")}`);
  }
  // The arguments of `getResources` include the others'.
  return { ...(await called(args as unknown as GetResourcesArgs)) };
}
