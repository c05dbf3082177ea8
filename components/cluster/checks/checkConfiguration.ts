import { suggest } from "../../../provider/config";
import { PLUGIN_PACKAGE } from "../../../provider/engine";
import { resourceArguments } from "../../../provider/schema";
import type { PropertyProblem } from "../../problems";

/**
 * The keys that this package reads in every project: which plugin serves Talos resources
 * (`isServedByPlugin`), and the plugin's own configuration.
 */
const READ = ["plugin", "talosconfig"];

/**
 * Configuration of this package's namespace that nothing reads. In a project of that name, such as
 * `environments/`, it is the project's own.
 *
 * @param keys of the stack's configuration, such as `talos-aws:talosVersion`
 */
export function checkConfiguration(project: string, keys: readonly string[]): PropertyProblem[] {
  const prefix = `${PLUGIN_PACKAGE}:`;
  const own = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return project === PLUGIN_PACKAGE
    ? []
    : own
        .filter((name) => !READ.includes(name))
        .map((name) => ({
          property: `${prefix}${name}`,
          reason: `the project "${project}" doesn't read it: ${wayOut(name)}run "pulumi config rm ${prefix}${name}"`,
        }));
}

/** What to do instead, before the key is removed. */
function wayOut(name: string): string {
  const { properties = {} } = resourceArguments("talos-aws:index:TalosCluster");
  if (Object.hasOwn(properties, name)) {
    return `set the cluster's argument ${name} in the program, and `;
  }
  const read = suggest(name, READ);
  if (read !== undefined) {
    return `set ${PLUGIN_PACKAGE}:${read} if that is meant, and `;
  }
  const near = suggest(name, Object.keys(properties));
  return near === undefined ? "" : `set the cluster's argument ${near} if that is meant, and `;
}
