import * as pulumi from "@pulumi/pulumi";
import { packageManifest, packageVersion } from "../base/packageFolder";
import { PLUGIN_PACKAGE } from "./talosTypes";

/** The input of a resource whose other inputs this package has already completed. */
export const COMPLETE = "__complete";

/** Which plugin an engine takes: any that it finds without a version, or this one. */
export interface PluginReference {
  readonly version?: string;
  readonly pluginDownloadURL?: string;
}

let ownPlugin = false;
let served: PluginReference | undefined;

/** In the plugin itself: all Talos resources of this process are the plugin's. */
export function usePlugin(): void {
  ownPlugin = true;
}

/**
 * In the plugin itself: remembers the reference by which the engine started it. The children of its
 * components give the same reference, or the engine would start another process for them.
 */
export function servedAs(reference: PluginReference): void {
  served = reference;
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

/** What resources of the plugin tell an engine: this release, and where it can be downloaded. */
export function pluginReference(): PluginReference {
  return served ?? { version: packageVersion(), pluginDownloadURL: pluginServer() };
}

/**
 * Where engines download the plugin from: the releases of the repository. The manifest does not say
 * that this package needs a plugin (`pulumi.resource`): then the engine would install it for every
 * program in TypeScript, and dynamic resources need none.
 */
export function pluginServer(): string {
  const { repository } = packageManifest();
  const { host, pathname } = new URL(repository.url.replace(/^git\+|\.git$/g, ""));
  return `github://api.${host}${pathname}`;
}
