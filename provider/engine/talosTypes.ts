import { HANDLER_NAMES, type HandlerName } from "./dynamicStub";

/** The name of the plugin's package, and of the configuration that it reads. */
export const PLUGIN_PACKAGE = "talos-aws";

/** The type of a resource that Pulumi's plugin for dynamic resources serves. */
export function dynamicType<Kind extends HandlerName>(
  kind: Kind,
): `pulumi-nodejs:dynamic/talos:${Kind}` {
  return `pulumi-nodejs:dynamic/talos:${kind}`;
}

/** The type of a resource that this package's plugin serves. */
export function pluginType<Kind extends HandlerName>(kind: Kind): `talos-aws:index:${Kind}` {
  return `${PLUGIN_PACKAGE}:index:${kind}`;
}

const kinds: ReadonlyMap<string, HandlerName> = new Map(
  HANDLER_NAMES.flatMap((kind) => [
    [dynamicType(kind), kind],
    [pluginType(kind), kind],
  ]),
);

/**
 * The kind of a Talos resource in a state or a preview, whichever plugin serves it; undefined for
 * every other type, also for those of components.
 *
 * @param type without those of its parents, such as `talos-aws:index:MachineSecrets`
 */
export function talosKind(type: string): HandlerName | undefined {
  return kinds.get(type);
}
