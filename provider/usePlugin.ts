import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { HandlerName } from "./dynamicStub";

/** The name of the plugin's package, and of the configuration that it reads. */
export const PLUGIN_PACKAGE = "talos-aws";

/** The input of a resource whose other inputs this package has already completed. */
export const COMPLETE = "__complete";

let ownPlugin = false;

/** In the plugin itself: all Talos resources of this process are the plugin's. */
export function usePlugin(): void {
  ownPlugin = true;
}

/** Whether this process is the plugin. */
export function isPlugin(): boolean {
  return ownPlugin;
}

/**
 * Whether Talos resources are the plugin's: in the plugin, and in a program whose stack has the
 * configuration `talos-aws:plugin: true`. Default: they are dynamic resources.
 */
export function isServedByPlugin(): boolean {
  return ownPlugin || new pulumi.Config(PLUGIN_PACKAGE).getBoolean("plugin") === true;
}

/** The type of a resource that Pulumi's plugin for dynamic resources serves. */
export function dynamicType(handler: HandlerName): string {
  return `pulumi-nodejs:dynamic/talos:${handler}`;
}

/** The type of a resource that the plugin serves. */
export function pluginType(handler: HandlerName): string {
  return `${PLUGIN_PACKAGE}:index:${handler}`;
}

let version: string | undefined;

/** The version of this package, and so of its plugin. */
export function pluginVersion(): string {
  version ??= (JSON.parse(readFileSync(packageFile(), "utf8")) as { readonly version: string })
    .version;
  return version;
}

/** The manifest of this package, as it is built (`dist/provider`) or as it is written. */
function packageFile(): string {
  const isBuilt = __dirname.endsWith(join("dist", "provider"));
  return join(__dirname, isBuilt ? "../.." : "..", "package.json");
}
