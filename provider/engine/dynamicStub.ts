/** The kinds of resource that `serve` can handle. */
export const HANDLER_NAMES = [
  "MachineSecrets",
  "ClientConfiguration",
  "MachineConfiguration",
  "ConfigurationApply",
  "MachineBootstrap",
  "ClusterKubeconfig",
  "ClusterHealth",
  "UserKubeconfig",
  "MachineTurn",
  "EtcdMember",
  "ImmutableArguments",
  "KubernetesUpgrade",
  "KubernetesManifests",
  "KubernetesObjects",
  "RotatedAuthority",
  "RotatedSecret",
  "RotationGate",
  "FirstContact",
] as const;

/** One of these kinds. */
export type HandlerName = (typeof HANDLER_NAMES)[number];

/**
 * A text for the state of a resource of this package's plugin. If the stack changes to dynamic
 * resources, their plugin reads and deletes the resource by it, until its next update. It is short
 * because every state has it.
 */
export function shortStub(handler: HandlerName): string {
  return `exports.handler=()=>require("node:module").createRequire(process.cwd()+"/Pulumi.yaml")("pulumi-talos-aws/provider/serve").serve("${handler}")`;
}

/**
 * The program text that the engine keeps in the state of each resource. The plugin for dynamic
 * resources runs it: a few lines that load the handler from the package installed in the project, at
 * each call. So the text is the same on every machine and in every release. An upgrade of the package
 * shows no diff, and `delete` and `refresh` run the installed code. It is written out, because a
 * serialised closure would change with compilers, and bring what it captures into the state.
 *
 * What a plugin does with it: pulumi v3.230.0, sdk/nodejs/cmd/dynamic-provider/index.ts.
 */
export function dynamicStub(handler: HandlerName): string {
  return `exports.handler = () => {
  const served = () => {
    try {
      const load = require("node:module").createRequire(process.cwd() + "/Pulumi.yaml");
      return load("pulumi-talos-aws/provider/serve").serve("${handler}");
    } catch (error) {
      throw new Error("can't load the package pulumi-talos-aws from " + process.cwd() +
        ": run 'npm install' there (in a checkout of the package itself: 'npm run build'). " + error.message);
    }
  };
  const provider = {};
  for (const method of ["check", "diff", "create", "read", "update", "delete"]) {
    provider[method] = async (...args) => served()[method](...args);
  }
  return provider;
};
`;
}
