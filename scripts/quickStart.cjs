// Preloaded into scripts and into the engine's plugins that they start (`node --require`): most of these
// processes live for a second or two.
const Module = require("node:module");

/**
 * Loads some of what Pulumi's SDK requires at its start only when something of it is used. These are the
 * TypeScript compiler and npm's dependency tree (before v3.272), for the serialisation of functions, which this
 * package does without, and the Automation API: three quarters of a plugin's start. Others get them as they are:
 * npm extends the class in it.
 *
 * Source: @pulumi/pulumi v3.230.0 and v3.276.0, typescript-shim.js, runtime/closure/package.js and index.js.
 */
const lazyNames = new Set(["typescript", "@npmcli/arborist", "./automation"]);
const sdk = /[\\/]@pulumi[\\/]pulumi[\\/]/;
const loadNow = Module._load;

Module._load = function (request, parent, isMain) {
  if (!lazyNames.has(request) || !sdk.test(parent?.filename ?? "")) {
    return loadNow.call(this, request, parent, isMain);
  }
  let loaded;
  const load = () => (loaded ??= loadNow.call(Module, request, parent, isMain));
  return new Proxy(
    {},
    {
      // Compiled code copies all names of a module that does not say so, which would load it.
      get: (_, name) => (name === "__esModule" ? true : load()[name]),
      has: (_, name) => name in load(),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, name) => {
        const property = Reflect.getOwnPropertyDescriptor(load(), name);
        return property && { ...property, configurable: true };
      },
    },
  );
};
